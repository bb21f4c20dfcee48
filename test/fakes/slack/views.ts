/** Slack's methods for modals and the Home tab, and its check of blocks that nobody sees. */
import type { Verdict } from "./blocks/judge.ts";
import { judgeHome, judgeMessage, judgeModal } from "./check-blocks.ts";
import type { Method } from "./method.ts";
import { SlackRefusal, throwRefused, validationErrors } from "./refusal.ts";
import type { Json, View } from "./world.ts";

export const viewMethods: Readonly<Record<string, Method>> = {
  "views.open": (body, context) => {
    const { world } = context;
    const trigger = world.triggers.get(String(body["trigger_id"]));
    if (trigger === undefined) throw new SlackRefusal("invalid_trigger_id");
    if (trigger.isUsed) throw new SlackRefusal("exchanged_trigger_id");
    if (context.nowMs() - trigger.atMs > context.triggerLifeMs) throw new SlackRefusal("expired_trigger_id");
    throwRefused(judgeModal(body["view"], context.hasScope("files:read")));
    trigger.isUsed = true;
    const view = { ...(body["view"] as Json), id: world.nextId("V"), hash: "1.a", user: trigger.user } as View;
    world.views.set(view.id, view);
    world.openViews.set(trigger.user, [...(world.openViews.get(trigger.user) ?? []), view.id]);
    return { view };
  },

  "views.update": (body, { world, hasScope }) => {
    const view = world.views.get(String(body["view_id"]));
    if (view === undefined) throw new SlackRefusal("not_found");
    throwRefused(judgeModal(body["view"], hasScope("files:read")));
    Object.assign(view, body["view"]);
    return { view };
  },

  "views.publish": (body, { world, refuses }) => {
    const user = String(body["user_id"]);
    if (!world.hasHomeTab) throw new SlackRefusal("not_enabled");
    if (!world.users.has(user)) throw new SlackRefusal("invalid_arguments");
    throwRefused(judgeHome(body["view"], refuses));
    const before = world.homes.get(user);
    if (body["hash"] !== undefined && body["hash"] !== before?.hash) throw new SlackRefusal("hash_conflict");
    const published = body["view"] as Json & { readonly blocks: readonly Json[] };
    const view: View = {
      private_metadata: "",
      ...published,
      ...{ id: before?.id ?? world.nextId("V"), hash: world.nextId("hash."), user },
    };
    world.homes.set(user, view);
    return { view };
  },

  /** Knows what the workspace has not got. Its pointers begin at the list. */
  "blocks.validate": (body, { refuses, hasScope }) => {
    const given = ["blocks", "message", "view"].filter((name) => body[name] !== undefined);
    const [name] = given;
    if (name === undefined || given.length > 1) {
      throw new SlackRefusal("invalid_arguments", ["[ERROR] provide exactly one of blocks, message, view"]);
    }
    const subject = body[name] as Json;
    const { error, messages } = verdictOn(name, subject, refuses, hasScope("files:read"));
    if (error !== undefined) throw new SlackRefusal(`invalid_${name}`, messages, validationErrors(messages));
    return {};
  },
};

function verdictOn(name: string, subject: Json, refuses: readonly string[], readsFiles: boolean): Verdict {
  if (name === "blocks") return judgeMessage(subject, refuses);
  if (name === "message") return judgeMessage(subject["blocks"] ?? [], refuses);
  return subject["type"] === "home" ? judgeHome(subject, refuses) : judgeModal(subject, readsFiles);
}
