/** Contract of reviews of added answers, over every storage: each author is asked once, whatever dies in between. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnswerAdded } from "../../../../src/core/content/answering.ts";
import type { AddedAnswer } from "../../../../src/core/model/insight.ts";
import { type Actor, personKey } from "../../../../src/core/model/place.ts";
import type { Clock } from "../../../../src/core/ports/clock.ts";
import type { State } from "../../../../src/core/ports/state.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { createReviews, reviewsIn } from "../../../../src/insight/reviews.ts";
import { appOf } from "../../../doubles/app.ts";
import { createFakeClock } from "../../../doubles/fake-clock.ts";
import { look } from "../../../doubles/look.ts";
import { keptNotices } from "../../../doubles/notices.ts";
import { alice, bob, general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";

const dayMs = 86_400_000;
const reviewMs = 180 * dayMs;
const direct = { ...general, channel: "direct-alice" };

export function describeReviews(open: (clock: Clock) => Promise<State>): void {
  let clock: ReturnType<typeof createFakeClock>;
  let state: State;
  let answers: Map<string, AddedAnswer>;
  let notices: ReturnType<typeof keptNotices>;
  let author: Actor | "gone" | undefined;
  let canBeReached: boolean;

  beforeEach(async () => {
    clock = createFakeClock();
    // What waits there waits in real time.
    state = await open({ ...systemClock, now: clock.now });
    answers = new Map();
    notices = keptNotices();
    author = alice;
    canBeReached = true;
  });
  afterEach(() => state.close());

  /** One process. */
  function instance(changes: { readonly reviewMs?: number; readonly post?: typeof notices.post } = {}) {
    const { collection, works, coordinator } = state;
    const reviews = createReviews(
      appOf({
        keyValue: state.keyValue,
        collection,
        works,
        coordinator,
        clock,
        log,
        notices: { post: changes.post ?? notices.post },
        siteOf: () => ({
          platform: { personNow: async () => author, ...(canBeReached ? { directPlace: () => direct } : {}) },
        }),
        settings: { answerReviewMs: changes.reviewMs ?? reviewMs },
      }),
      {
        answers: { byId: async (id) => answers.get(id) },
      },
    );
    return { look: () => look(works), reviews };
  }

  function addedBy(actor: Actor, by = actor, atMs = clock.now()): AnswerAdded {
    const answer: AddedAnswer = {
      ...{ version: 1, id: "a1", project: "p", knowledgeBase: "handbook", question: "Who has the keys?" },
      ...{ answer: "Ana has.", urls: [], by: { key: personKey(general, by), name: by.name } },
      ...{ origin: { kind: "gap", gapId: "a1" }, atMs },
    };
    answers.set("a1", answer);
    return { answer, jobId: "j1", actor, place: general, tell: false };
  }

  describe("the review of an added answer", () => {
    it("asks its author once when it is due, in a direct message, over two instances and after a restart", async () => {
      const [one, other] = [instance(), instance()];
      await one.reviews.added(addedBy(alice));
      await clock.advance(reviewMs - 1_000);
      await Promise.all([one.look(), other.look()]);
      expect(notices.kept).toEqual([]);

      await clock.advance(2_000);
      await Promise.all([one.look(), other.look()]);
      await instance().look();
      await clock.advance(reviewMs);
      await instance().look();

      expect(notices.kept).toHaveLength(1);
      expect(notices.kept[0]?.place).toEqual(direct);
      const { document } = notices.kept[0] ?? {};
      expect(document?.actions.map(({ id, value }) => `${id} ${value}`)).toEqual([
        "answer-holds a1",
        "edit-answer a1",
        "remove-answer a1",
      ]);
      expect(JSON.stringify(document)).toContain("Who has the keys?");
    });

    it("asks once also if its process dies after the message was stored", async () => {
      const died = instance({
        post: async (notice) => {
          await notices.post(notice);
          throw new Error("Killed");
        },
      });
      await died.reviews.added(addedBy(alice));
      await clock.advance(reviewMs);
      await died.look();
      await clock.advance(120_000);
      await instance().look();
      await clock.advance(dayMs);
      await instance().look();
      expect(notices.kept).toHaveLength(1);
    });

    it("asks nobody in the chat about what someone of the page added for a whole workspace, which then has no owner", async () => {
      canBeReached = false;
      const ana: Actor = { ...alice, id: "console:ana", signedInAs: "manage" };
      author = ana;
      const { reviews, look } = instance();
      await reviews.added({ ...addedBy(ana), place: { ...general, channel: "" } });
      await clock.advance(reviewMs);
      await look();

      expect(notices.kept).toEqual([]);
      expect(await reviews.unowned(general, 5)).toMatchObject({ count: 1, answers: [{ id: "a1" }] });
    });

    it("waits again after an edit, and is dropped once the answer was removed", async () => {
      const { reviews, look } = instance();
      await reviews.added(addedBy(alice));
      await clock.advance(reviewMs - dayMs);
      addedBy(alice);
      await clock.advance(2 * dayMs);
      await look();
      expect(notices.kept).toEqual([]);
      answers.clear();
      await clock.advance(reviewMs);
      await look();
      expect(notices.kept).toEqual([]);
    });

    it("asks again that long after someone said that it holds", async () => {
      const { reviews, look } = instance();
      const { answer } = addedBy(alice);
      await reviews.added(addedBy(alice));
      await clock.advance(reviewMs);
      await look();
      expect(await reviews.holds(answer)).toBe(clock.now() + reviewMs);
      await clock.advance(reviewMs - dayMs);
      await look();
      expect(notices.kept).toHaveLength(1);
      await clock.advance(dayMs);
      await look();
      expect(notices.kept).toHaveLength(2);
    });

    it("asks where it was added, without quoting it, if its author can't be reached alone", async () => {
      canBeReached = false;
      const { reviews, look } = instance();
      await reviews.added(addedBy(alice));
      await clock.advance(reviewMs);
      await look();
      expect(notices.kept[0]?.place).toEqual(general);
      const shown = JSON.stringify(notices.kept[0]?.document);
      expect(shown).not.toContain("keys");
      expect(shown).toContain('"notifies":true');
    });

    it("asks the author of a message, not who used it as the answer", async () => {
      const asked: string[] = [];
      const { reviews, look } = instance();
      await reviews.added(addedBy(alice, bob));
      author = bob;
      await clock.advance(reviewMs);
      await look();
      for await (const { record } of reviewsIn(state).entries()) asked.push(record.author.id);
      expect(asked).toEqual([bob.id]);
    });

    it("tells people who manage about an answer whose author has left, until someone says that it holds", async () => {
      const { reviews, look } = instance();
      const { answer } = addedBy(alice);
      await reviews.added(addedBy(alice));
      author = "gone";
      await clock.advance(reviewMs);
      await look();
      expect(notices.kept).toEqual([]);
      expect(await reviews.unowned(general, 10)).toEqual({ count: 1, answers: [answer] });
      expect((await reviews.unowned({ ...general, workspace: "T2" }, 10)).count).toBe(0);
      await reviews.holds(answer);
      expect((await reviews.unowned(general, 10)).count).toBe(0);
    });

    it("waits an hour while nobody can tell whether the author has left", async () => {
      const { reviews, look } = instance();
      await reviews.added(addedBy(alice));
      author = undefined;
      await clock.advance(reviewMs);
      await look();
      author = alice;
      await clock.advance(59 * 60_000);
      await look();
      expect(notices.kept).toEqual([]);
      await clock.advance(60_000);
      await look();
      expect(notices.kept).toHaveLength(1);
    });

    it("is never due with ANSWER_REVIEW_DAYS=0, and nothing is asked of what was due before", async () => {
      await instance().reviews.added(addedBy(alice));
      await clock.advance(reviewMs);
      const { reviews, look } = instance({ reviewMs: 0 });
      await look();
      await reviews.added(addedBy(alice));
      expect(await reviews.holds(addedBy(alice).answer)).toBeUndefined();
      await clock.advance(reviewMs);
      await look();
      expect(notices.kept).toEqual([]);
    });
  });
}
