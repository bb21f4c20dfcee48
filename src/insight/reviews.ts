/**
 * Asks the author of each added answer once, after ANSWER_REVIEW_DAYS, whether it still holds: in a direct message, else
 * where it was added. Each is a work; an answer that was edited or removed since is seen when it is due.
 */

import type { App } from "../app.ts";
import type { AnswerAdded, Answering } from "../core/content/answering.ts";
import type { AddedAnswer } from "../core/model/insight.ts";
import { type Actor, type Place, workspaceKey } from "../core/model/place.ts";
import type { CollectionDefinition, CollectionFactory } from "../core/ports/collection.ts";
import { untilDone } from "../core/tools/until-done.ts";
import { reviewDocument } from "../presentation/drawing.ts";
import { personNow } from "./person-now.ts";
import { alone } from "./schedules/due-work.ts";

/** When an answer is asked about, and whom to ask. */
export type Review = {
  readonly version: 1;
  readonly answerId: string;
  /** The author as they were known when they added it. */
  readonly author: Actor;
  /** Where it was added: where they are asked if they can't be reached alone. */
  readonly place: Place;
  /** When its author, or someone who manages, last said that it holds. */
  readonly heldAtMs?: number;
  /** The due time for which the author was asked. */
  readonly askedForMs?: number;
  /** Its workspace, and when its author was found to have left. */
  readonly unowned?: { readonly workspace: string; readonly sinceMs: number };
};

type ReviewField = "workspace" | "unownedSinceMs";

/** By the answer's workspace and id. */
export const reviewCollection: CollectionDefinition<Review, ReviewField> = {
  holds: "When authors are asked whether their answers still hold",
  person: { kind: "added answers", erase: "delete" },
  retain: "until it is removed",
  fields: { workspace: ({ unowned }) => unowned?.workspace, unownedSinceMs: ({ unowned }) => unowned?.sinceMs },
  indexes: [{ by: ["workspace"], order: "unownedSinceMs" }],
};

export const reviewsIn = ({ collection }: { readonly collection: CollectionFactory }) =>
  collection("reviews", reviewCollection);

/** Counting ends there. */
const maxCounted = 1_000_000;

export type Reviews = {
  /** It holds: returns when its author is asked next, or undefined if never. Rejects with state_unavailable. */
  readonly holds: (answer: AddedAnswer) => Promise<number | undefined>;
  /** Answers whose authors had left when they were to be asked, the latest first; `count` counts all. */
  readonly unowned: (
    place: Pick<Place, "platform" | "workspace">,
    atMost: number,
  ) => Promise<{ readonly count: number; readonly answers: readonly AddedAnswer[] }>;
};

/** Nobody can tell whether the author is still there. */
const laterMs = 60 * 60_000;

export function createReviews(
  app: App,
  { answers }: { readonly answers: Pick<Answering, "byId"> },
): Reviews & { readonly added: (added: AnswerAdded) => Promise<void> } {
  const { notices, clock, log } = app;
  const { answerReviewMs: reviewMs } = app.settings;
  const { works } = app.state;
  const store = reviewsIn(app.state);

  const memberOf = (answer: Pick<AddedAnswer, "by" | "id">) =>
    `${workspaceOf(answer)}/${encodeURIComponent(answer.id)}`;

  /** The author, alone if possible. Undefined: nobody can tell now whether they are still there. */
  async function ask(review: Review, answer: AddedAnswer, dueAtMs: number): Promise<"asked" | "gone" | undefined> {
    const { author, place } = review;
    const platform = app.sites.get(place.platform)?.platform;
    if (platform === undefined) return undefined;
    const now = await personNow(author, place, platform).catch(() => undefined);
    if (now === undefined || now === "gone") return now;
    const direct = await Promise.resolve(platform.directPlace?.(now, place, true)).catch((err: unknown) => {
      log.info({ err }, "The author of an added answer can't be reached by direct message");
      return undefined;
    });
    // Someone of the page, who added it for the whole workspace: nobody there can be asked.
    if (direct === undefined && place.channel === "") return "gone";
    const where = direct ?? place;
    const isAlone = direct !== undefined || platform.isDirect?.(place) === true;
    await notices.post({
      key: `review/${answer.id}/${dueAtMs}`,
      place: where,
      document: reviewDocument(answer, { author: now, isAlone, nowMs: clock.now() }),
    });
    return "asked";
  }

  /** Each step can be repeated: the notice has the due time in its key. */
  async function runDue(member: string): Promise<number | undefined> {
    const review = (await store.get(member))?.record;
    if (review === undefined || reviewMs === 0) return undefined;
    const answer = await answers.byId(review.answerId);
    if (answer === undefined || memberOf(answer) !== member) {
      await store.delete(member);
      return undefined;
    }
    const dueAtMs = Math.max(answer.atMs, review.heldAtMs ?? 0) + reviewMs;
    if (dueAtMs > clock.now()) return dueAtMs;
    if (review.askedForMs === dueAtMs) return undefined;
    const asked = await ask(review, answer, dueAtMs);
    if (asked === undefined) return clock.now() + laterMs;
    const unowned = asked === "gone" ? { workspace: workspaceOf(answer), sinceMs: clock.now() } : review.unowned;
    await store.put(member, { ...review, askedForMs: dueAtMs, unowned });
    return undefined;
  }

  const runAlone = ({ key }: { readonly key: string }) => alone(app, "reviews", key, () => runDue(key));
  works.define("reviews", { ...untilDone(works, clock, "reviews"), run: runAlone });

  return {
    /** Before its Job knows that the row is in, so a crash in between does it again. */
    added: async (added) => {
      const { answer, place } = added;
      const member = memberOf(answer);
      await store.put(member, { version: 1, answerId: answer.id, author: authorOf(added), place });
      if (reviewMs > 0) await works.add("reviews", member, null, { dueAtMs: answer.atMs + reviewMs });
    },

    holds: async (answer) => {
      const member = memberOf(answer);
      return alone(app, "reviews", member, async () => {
        const review = (await store.get(member))?.record;
        const heldAtMs = clock.now();
        if (review !== undefined) await store.put(member, { ...review, heldAtMs, unowned: undefined });
        if (review === undefined || reviewMs === 0) return undefined;
        await works.add("reviews", member, null, { dueAtMs: heldAtMs + reviewMs });
        return heldAtMs + reviewMs;
      });
    },

    unowned: async (place, atMost) => {
      const query = { order: "unownedSinceMs", where: { workspace: workspaceKey(place) } } as const;
      const { entries } = await store.query(query, atMost);
      const found = await Promise.all(entries.map(({ record }) => answers.byId(record.answerId)));
      // Removed meanwhile.
      await Promise.all(entries.map(({ id }, at) => (found[at] === undefined ? store.delete(id) : undefined)));
      const { count } = await store.count(query, maxCounted);
      return { count, answers: found.filter((answer) => answer !== undefined) };
    },
  };
}

/** Another person's message can be used as the answer, and then its author isn't who added it. */
function authorOf({ answer, actor }: Pick<AnswerAdded, "answer" | "actor">): Actor {
  const { workspace, id } = partsOf(answer);
  if (id === actor.id) return actor;
  const nothing = { isAdmin: false, isGuest: false, isExternal: false, isBot: false, roles: [] };
  return { id, workspace, name: answer.by.name, ...nothing };
}

/** The list and the records of its workspace begin with it. */
function workspaceOf(answer: Pick<AddedAnswer, "by">): string {
  const { key } = answer.by;
  return key.slice(0, key.lastIndexOf("/"));
}

function partsOf({ by }: Pick<AddedAnswer, "by">): { readonly workspace: string; readonly id: string } {
  const [, workspace = "", id = ""] = by.key.split("/").map(decodeURIComponent);
  return { workspace, id };
}
