/** What the page asks about the person in front of it, and how they sign out. */
import { type Context, Hono } from "hono";
import type { Log } from "../../../src/core/ports/log.ts";
import { type ListedChannel, ownChannelOf } from "../channels/channels.ts";
import type { SignIn } from "./sign-in.ts";
import { type Visitor, visitorOf } from "./visitor.ts";

/** Who reads the page, as the page knows them. */
export type Me = Visitor & {
  readonly canSignOut: boolean;
  /** Names of the admin part's pages that they may see. */
  readonly adminPages: readonly string[];
  readonly ownChannel?: ListedChannel | undefined;
  /** Those who manage read what was asked in private. */
  readonly isReadByManagers?: true | undefined;
};

export function createPeopleRoutes({
  signIn,
  adminPagesFor,
  showsPrivate,
  log,
}: {
  readonly signIn: Pick<SignIn, "signOut">;
  /** Names of the admin part's pages that such a person may see. */
  readonly adminPagesFor: (visitor: Visitor) => readonly string[];
  /** LOG_PRIVATE. */
  readonly showsPrivate: boolean;
  readonly log: Log;
}): Hono {
  const app = new Hono();

  const meOf = (context: Context): Me => {
    const visitor = visitorOf(context);
    const { id, name, isVerified, role, how } = visitor;
    const canSignOut = context.get("session") !== undefined;
    const ownChannel = ownChannelOf(visitor);
    return {
      id,
      name,
      isVerified,
      role,
      how,
      canSignOut,
      adminPages: adminPagesFor(visitor),
      // Nobody is told that only they read what others read at /admin.
      ownChannel,
      isReadByManagers: showsPrivate ? true : undefined,
    };
  };
  const fresh = { "cache-control": "no-store" };

  app.get("/api/me", (context) => context.json(meOf(context), 200, fresh));

  /** The same as a module of the page, so that it is there when the page begins. */
  app.get("/api/me.js", (context) =>
    context.body(`export const me = ${JSON.stringify(meOf(context))};\n`, 200, {
      ...fresh,
      "content-type": "text/javascript; charset=utf-8",
    }),
  );

  /** `isEverywhere`: in every browser. */
  app.post("/api/sign-out", async (context) => {
    // A form on another site can't send a JSON body.
    if (context.req.header("content-type")?.startsWith("application/json") !== true) {
      return context.text("Send application/json.\n", 415);
    }
    const body: unknown = await context.req.json().catch(() => ({}));
    const isEverywhere =
      typeof body === "object" && body !== null && "isEverywhere" in body && body.isEverywhere === true;
    try {
      const goTo = await signIn.signOut(visitorOf(context), context.get("session"), isEverywhere);
      return context.json({ goTo });
    } catch (thrown) {
      log.warn({ err: thrown }, "A sign-out could not be stored");
      const error = {
        code: "state_unavailable",
        what: "Parley can't reach its storage, so you are still signed in. Try again in a moment.",
        hint: "",
      };
      return context.json({ error }, 503);
    }
  });

  return app;
}
