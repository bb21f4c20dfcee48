/** Routes by which people make, see and revoke their personal tokens. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Audit } from "../../../src/core/audit.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { placeOf } from "../intake/inbound.ts";
import { problem, storageFailed } from "../intake/problem.ts";
import { maxTokensOfPerson } from "../limits.ts";
import type { ListedToken, PersonalTokens } from "./personal-tokens.ts";
import { actorOf, localVisitor, visitorOf } from "./visitor.ts";

const says = {
  empty: "Write what it is for.",
  "too-many": `You have ${maxTokensOfPerson} tokens, and that's the most. Revoke one first.`,
} as const;

const naming = z.object({ name: z.string().max(1_000) });
const revoking = z.object({ id: z.string().max(100) });

/** `url`: of the MCP server. */
export type TokenList = { readonly url: string; readonly tokens: readonly ListedToken[] };
export type MadeToken = { readonly token: string; readonly name: string; readonly url: string };

export function createTokenRoutes(options: {
  readonly tokens: PersonalTokens;
  readonly audit: Audit;
  /** Of the MCP server. */
  readonly mcpUrl: string;
  readonly log: Log;
}): Hono {
  const { tokens, audit, mcpUrl: url } = options;
  const app = new Hono();
  app.onError(storageFailed(options.log));
  const fresh = { "cache-control": "no-store" };
  const gone = (context: Context) => context.json(problem("place_gone"), 404);
  const invalid = (context: Context) => context.json(problem("command_invalid", "Reload the page and try again."), 400);

  async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T | undefined> {
    // A form on another site can't send a JSON body.
    if (context.req.header("content-type")?.startsWith("application/json") !== true) return undefined;
    return schema.safeParse(await context.req.json().catch(() => undefined)).data;
  }

  const record = (context: Context, action: string, name: string) =>
    audit.record(
      { actor: actorOf(visitorOf(context)), place: placeOf("tokens", "") },
      { role: "ask", action, about: { token: name }, outcome: "done" },
    );

  // Where nobody signs in, no token says who someone is.
  app.use("/api/tokens/*", async (context, next) =>
    visitorOf(context).how === localVisitor.how ? gone(context) : next(),
  );

  app.get("/api/tokens", async (context) =>
    context.json({ url, tokens: await tokens.list(visitorOf(context)) } satisfies TokenList, 200, fresh),
  );

  app.post("/api/tokens", async (context) => {
    const body = await bodyOf(context, naming);
    if (body === undefined) return invalid(context);
    const made = await tokens.make(visitorOf(context), body.name);
    if (typeof made === "string") return context.json({ errors: { name: says[made] } }, 422);
    await record(context, "token create", made.name);
    return context.json({ ...made, url } satisfies MadeToken, 201, fresh);
  });

  app.post("/api/tokens/revoke", async (context) => {
    const body = await bodyOf(context, revoking);
    if (body === undefined) return invalid(context);
    const name = await tokens.revoke(visitorOf(context), body.id);
    if (name === undefined) return gone(context);
    await record(context, "token revoke", name);
    return context.json({}, 200, fresh);
  });

  return app;
}
