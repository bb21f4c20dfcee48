/**
 * Asks the author of each added answer once, after ANSWER_REVIEW_DAYS, whether it still holds: in a direct message, else
 * where it was added. Each is a work; an answer that was edited or removed since is seen when it is due.
 */

import type { App } from "../../app.ts";
import type { AnswerAdded, Answering } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import { type Actor, type Place, workspaceKey } from "../../core/model/place.ts";
import { reviewDocument } from "../../presentation/drawing.ts";
import { alone, dueWork } from "../schedules/due-work.ts";
import { authorNow, authorOf, workspaceOf } from "./author.ts";

/** When an answer is asked about, and whom to ask. Stored with the answer's workspace and id. */
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
};

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
  const { rankings, works } = app.state;
  const store = app.state.keyValue<Review>("reviews");

  const memberOf = (answer: Pick<AddedAnswer, "by" | "id">) =>
    `${workspaceOf(answer)}/${encodeURIComponent(answer.id)}`;
  const unownedList = (workspace: string) => `answers-unowned/${workspace}`;

  async function forget(member: string, answerId: string): Promise<undefined> {
    await rankings.delete(unownedList(member.slice(0, member.lastIndexOf("/"))), answerId);
    await store.delete(member);
    return undefined;
  }

  /** The author, alone if possible. Undefined: nobody can tell now whether they are still there. */
  async function ask(review: Review, answer: AddedAnswer, dueAtMs: number): Promise<"asked" | "gone" | undefined> {
    const { author, place } = review;
    const platform = app.sites.get(place.platform)?.platform;
    if (platform === undefined) return undefined;
    const now = await authorNow(author, place, platform).catch(() => undefined);
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
    const review = await store.get(member);
    if (review === undefined || reviewMs === 0) return undefined;
    const answer = await answers.byId(review.answerId);
    if (answer === undefined || memberOf(answer) !== member) return forget(member, review.answerId);
    const dueAtMs = Math.max(answer.atMs, review.heldAtMs ?? 0) + reviewMs;
    if (dueAtMs > clock.now()) return dueAtMs;
    if (review.askedForMs === dueAtMs) return undefined;
    const asked = await ask(review, answer, dueAtMs);
    if (asked === undefined) return clock.now() + laterMs;
    if (asked === "gone") await rankings.put(unownedList(workspaceOf(answer)), answer.id, clock.now());
    await store.set(member, { ...review, askedForMs: dueAtMs });
    return undefined;
  }

  const runAlone = ({ key }: { readonly key: string }) => alone(app, "reviews", key, () => runDue(key));
  works.define("reviews", dueWork(app, "reviews", runAlone));

  return {
    /** Before its Job knows that the row is in, so a crash in between does it again. */
    added: async (added) => {
      const { answer, place } = added;
      const member = memberOf(answer);
      await store.set(member, { version: 1, answerId: answer.id, author: authorOf(added), place });
      await rankings.delete(unownedList(workspaceOf(answer)), answer.id);
      if (reviewMs > 0) await works.add("reviews", member, null, { dueAtMs: answer.atMs + reviewMs });
    },

    holds: async (answer) => {
      const member = memberOf(answer);
      return alone(app, "reviews", member, async () => {
        const review = await store.get(member);
        const heldAtMs = clock.now();
        if (review !== undefined) await store.set(member, { ...review, heldAtMs });
        await rankings.delete(unownedList(workspaceOf(answer)), answer.id);
        if (review === undefined || reviewMs === 0) return undefined;
        await works.add("reviews", member, null, { dueAtMs: heldAtMs + reviewMs });
        return heldAtMs + reviewMs;
      });
    },

    unowned: async (place, atMost) => {
      const list = unownedList(workspaceKey(place));
      const listed = await rankings.highest(list, 0, atMost);
      const found = await Promise.all(listed.map(({ member }) => answers.byId(member)));
      // Removed meanwhile.
      const gone = listed.filter((_, index) => found[index] === undefined);
      await Promise.all(gone.map(({ member }) => rankings.delete(list, member)));
      return { count: await rankings.count(list), answers: found.filter((answer) => answer !== undefined) };
    },
  };
}
