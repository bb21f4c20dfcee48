/** The author of an added answer: who that is, and what the platform says about them now. */

import type { AnswerAdded } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";

/** Another person's message can be used as the answer, and then its author isn't who added it. */
export function authorOf({ answer, actor }: Pick<AnswerAdded, "answer" | "actor">): Actor {
  const { workspace, id } = partsOf(answer);
  if (id === actor.id) return actor;
  const nothing = { isAdmin: false, isGuest: false, isExternal: false, isBot: false, roles: [] };
  return { id, workspace, name: answer.by.name, ...nothing };
}

/** The list and the records of its workspace begin with it. */
export function workspaceOf(answer: Pick<AddedAnswer, "by">): string {
  const { key } = answer.by;
  return key.slice(0, key.lastIndexOf("/"));
}

/** Undefined: it can't be found out now. */
export async function authorNow(
  author: Actor,
  place: Place,
  platform: Pick<ChatPlatform, "personNow" | "memberships">,
): Promise<Actor | "gone" | undefined> {
  const { personNow, memberships } = platform;
  if (personNow !== undefined) return personNow(author, place);
  return memberships === undefined ? author : memberships.actorNow(author, place);
}

function partsOf({ by }: Pick<AddedAnswer, "by">): { readonly workspace: string; readonly id: string } {
  const [, workspace = "", id = ""] = by.key.split("/").map(decodeURIComponent);
  return { workspace, id };
}
