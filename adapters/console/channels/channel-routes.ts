/** Routes by which people who manage make, rename and remove the page's shared channels. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Log } from "../../../src/core/ports/log.ts";
import { identifier } from "../intake/inbound.ts";
import { problem, storageFailed } from "../intake/problem.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { Hub } from "../writing/sse.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { Channels, NameProblem } from "./channels.ts";
import { isPrivateChannel } from "./reading.ts";
import type { Removals } from "./removals.ts";

/** What Parley's own page says about its conversations and channels. */

const talkSentences = {
  channelName: {
    empty: "Write a name.",
    taken: "There is a channel with this name already.",
    "too-many": "There are 100 channels already. Remove one first.",
  },
  lastChannel: { what: "This is the only channel.", hint: "Make another one first." },
} as const;

const naming = z.object({ name: z.string().max(1_000) });
const removing = z.object({ id: identifier });

export function createChannelRoutes(options: {
  readonly channels: Channels;
  readonly removals: Removals;
  readonly store: Pick<ConsoleStore, "listing">;
  readonly hub: Pick<Hub, "notify">;
  readonly log: Log;
}): Hono {
  const { channels, hub } = options;
  const app = new Hono();
  app.onError(storageFailed(options.log));
  const manages = (context: Context) => visitorOf(context).role === "manage";
  const refused = (context: Context) => context.json(problem("not_allowed"), 403);
  const gone = (context: Context) => context.json(problem("place_gone"), 404);
  const invalid = (context: Context) => context.json(problem("command_invalid", "Reload the page and try again."), 400);

  async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T | undefined> {
    // A form on another site can't send a JSON body.
    if (context.req.header("content-type")?.startsWith("application/json") !== true) return undefined;
    return schema.safeParse(await context.req.json().catch(() => undefined)).data;
  }
  const wrongName = (context: Context, why: NameProblem) =>
    context.json({ errors: { name: talkSentences.channelName[why] } }, 422);

  app.post("/api/channels", async (context) => {
    if (!manages(context)) return refused(context);
    const body = await bodyOf(context, naming);
    if (body === undefined) return invalid(context);
    const made = await channels.create(body.name);
    if (typeof made === "string") return wrongName(context, made);
    hub.notify({ type: "channels" });
    return context.json({ id: made.id, name: made.name }, 201);
  });

  app.put("/api/channels/:channel", async (context) => {
    if (!manages(context)) return refused(context);
    const { channel } = context.req.param();
    const body = await bodyOf(context, naming);
    if (body === undefined) return invalid(context);
    const renamed = isPrivateChannel(channel) ? undefined : await channels.rename(channel, body.name);
    if (renamed === undefined) return gone(context);
    if (typeof renamed === "string") return wrongName(context, renamed);
    hub.notify({ type: "channels" });
    return context.json({ id: renamed.id, name: renamed.name });
  });

  /** What removing it would remove. */
  app.get("/api/channels/:channel", async (context) => {
    if (!manages(context)) return refused(context);
    const { channel } = context.req.param();
    if (isPrivateChannel(channel) || !(await channels.exists(channel))) return gone(context);
    return context.json({ conversations: await options.store.listing.count(channel) });
  });

  app.delete("/api/channels/:channel", async (context) => {
    if (!manages(context)) return refused(context);
    const { channel } = context.req.param();
    const body = await bodyOf(context, removing);
    if (body === undefined) return invalid(context);
    const outcome = isPrivateChannel(channel)
      ? "gone"
      : await options.removals.remove(channel, actorOf(visitorOf(context)));
    if (outcome === "gone") return gone(context);
    if (outcome === "last") return context.json({ error: talkSentences.lastChannel }, 409);
    return context.json({}, 202);
  });

  return app;
}
