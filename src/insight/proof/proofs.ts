/**
 * Proves added answers, as works: asks the question again, closes or opens the gap, shows the result, tells those who
 * asked. Each step is stored before the next one begins and can be repeated, so another process finishes what a dead one
 * left.
 */

import type { CommandContext } from "../../core/commands.ts";
import type { AnswerAdded } from "../../core/content/answering.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import { untilDone } from "../../core/tools/until-done.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { proofSentences as says } from "../../presentation/sentences.ts";
import type { InsightApp } from "../app.ts";
import { askAgain, outdated } from "./asking.ts";
import { proofOf } from "./beginning.ts";
import { changeProof, type Proof, patienceMs, proofKey, proofsIn } from "./proof.ts";
import { asking, createWatching, drawAgain, drawProof } from "./showing.ts";
import { countAskers, gapOfProof, tellAskers } from "./telling.ts";

/** Shown at once, then replaced by what comes of it. Never rejects. */
export type Proved = { readonly progress: Document; readonly end: Promise<Document> };

type Presser = Pick<CommandContext, "actor" | "place">;

/** All of them reject with state_unavailable while storage is unreachable. */
export type Proving = {
  /**
   * For the person who waits for that Job of an added answer: call it right after the row is in. Someone who isn't waiting
   * in this process gets a message of their own. Undefined: there is no question to ask again.
   */
  readonly watch: (jobId: string, place: Pick<Place, "platform" | "workspace">) => Promise<Proved | undefined>;
  /** Once more, for that person. Throws turn_gone when it isn't theirs to see. */
  readonly again: (proofId: string, presser: Presser) => Promise<Proved>;
  /** Tells those who asked. Resolves with how many they are at most. Throws turn_gone. */
  readonly tell: (proofId: string, presser: Presser) => Promise<number>;
};

const pausesMs = [5_000, 15_000, 30_000, 60_000];
const longestPauseMs = 60_000;
/** They mostly wait for their workspace's turn. */
const concurrency = 100;

export function createProofs(app: InsightApp): Proving & {
  /** Called once an answer's row is in; durable when it resolves, and repeated after a crash. */
  readonly begin: (added: AnswerAdded) => Promise<void>;
} {
  const { gaps, clock } = app;
  const { works } = app.state;
  const proofs = proofsIn(app.state);

  const byKey = async (key: string): Promise<Proof | undefined> => (await proofs.get(key))?.record;
  const find = (place: Pick<Place, "platform" | "workspace">, id: string) => byKey(proofKey({ ...place, id }));

  /** Undefined if it isn't in progress. */
  async function unfinished(key: string): Promise<Proof | undefined> {
    const proof = await byKey(key);
    return proof?.isFinished === true ? undefined : proof;
  }

  const watching = createWatching(app, async (key) => {
    const proof = await byKey(key);
    return proof === undefined ? undefined : drawProof(app, proof);
  });

  /** Someone who asks after that is let down again, and opens the gap again. */
  async function settle(proof: Proof): Promise<void> {
    const { answer, result } = proof;
    const gap = await gapOfProof(app, proof);
    if (gap === undefined || (result?.kind !== "used" && result?.kind !== "unused")) return;
    const { atMs } = result;
    await gaps.change(gap, (newest) => {
      const isOwn = newest.answeredBy?.answerId === answer.id;
      if (result.kind === "unused")
        return isOwn && newest.state === "answered" ? { ...newest, state: "open" } : undefined;
      if ((isOwn && newest.answeredBy?.atMs === atMs) || newest.lastAtMs > atMs) return undefined;
      const { dismissedBy: _dismissed, ...rest } = newest;
      return { ...rest, state: "answered", answeredBy: { answerId: answer.id, atMs } };
    });
  }

  /** Undefined if the result is no longer that one, or if `isSame` says that the rest isn't. */
  async function mark(
    proof: Proof,
    change: Partial<Proof>,
    isSame = (_newest: Proof) => true,
  ): Promise<Proof | undefined> {
    const marked = await proofs.update(proofKey(proof), ({ record: newest }) => {
      const isCurrent = newest.isFinished !== true && newest.result?.atMs === proof.result?.atMs;
      return isCurrent && isSame(newest) ? { ...newest, ...change } : undefined;
    });
    return marked?.record;
  }

  /** Returns when to ask again. */
  async function later(key: string): Promise<number> {
    const { failingSinceMs = clock.now() } = (await unfinished(key)) ?? {};
    const forMs = clock.now() - failingSinceMs;
    const pauseMs = pausesMs.find((pause) => forMs < pause) ?? longestPauseMs;
    // Then nobody is left waiting for a private reply.
    if (pauseMs >= longestPauseMs) watching.leave(key);
    return clock.now() + pauseMs;
  }

  /** Returns when to continue; undefined: it is over. */
  async function step(key: string, signal: AbortSignal): Promise<number | undefined> {
    const proof = await unfinished(key);
    if (proof === undefined) return undefined;
    const ran = proof.result === undefined ? await askAgain(app, proof, signal) : proof;
    return ran === undefined ? later(key) : conclude(key, signal);
  }

  /** What a button has changed meanwhile is done at once. */
  async function conclude(key: string, signal: AbortSignal): Promise<number | undefined> {
    const proof = await unfinished(key);
    if (proof?.result === undefined) return proof === undefined ? undefined : clock.now();
    // An answer that was removed or replaced meanwhile closes no gap, and nobody is told about it.
    const why = await outdated(app, proof);
    const ran =
      why === undefined ? proof : await mark(proof, { result: { kind: "outdated", atMs: clock.now(), ...why } });
    if (ran === undefined) return clock.now();
    await settle(ran);
    const isNew = ran.isShown !== true && (await watching.show(ran)) === "done";
    const shown = isNew ? await mark(ran, { isShown: true }) : ran;
    if (shown?.result === undefined) return clock.now();
    const { result, tell } = shown;
    const left = tell && result.kind === "used" ? await tellAskers(app, shown, result.note, signal) : "all";
    const isLeft = left === "some-left" || shown.isShown !== true;
    if (isLeft && clock.now() - result.atMs < patienceMs) return clock.now() + longestPauseMs;
    const finished = await mark(shown, { isFinished: true }, (newest) => newest.tell === tell);
    return finished === undefined ? clock.now() : undefined;
  }

  works.define<null>("proofs", {
    ...untilDone(works, clock, "proofs"),
    concurrency,
    run: ({ key }, signal) => step(key, signal),
  });

  /** Has it done by any instance. */
  async function work(proof: Proof): Promise<void> {
    await works.add("proofs", proofKey(proof), null);
  }

  async function pressed(id: string, { actor, place }: Presser): Promise<Proof> {
    const proof = await find(place, id);
    // Only its own person ever sees it: an id that was read elsewhere shows nothing.
    if (proof?.actor.id === actor.id) return proof;
    throw new ParleyError("turn_gone", says.gone);
  }

  function watched(proof: Proof): Proved {
    return { progress: asking, end: watching.watch(proofKey(proof)) };
  }

  return {
    begin: async (added) => {
      const known = await find(added.place, added.jobId);
      const proof = known ?? (await proofOf(app, added));
      if (proof === undefined || proof.isFinished === true) return;
      if (known === undefined) await proofs.create(proofKey(proof), proof);
      await work(proof);
    },

    watch: async (jobId, place) => {
      const proof = await find(place, jobId);
      return proof === undefined || proof.isShown === true ? undefined : watched(proof);
    },

    again: async (id, { actor, place }) => {
      const proof = await pressed(id, { actor, place });
      if (proof.result !== undefined && proof.result.kind !== "failed") {
        const drawn = drawAgain(app, { ...proof, actor });
        return { progress: asking, end: drawn.catch((failure: unknown) => errorDocument(toParleyError(failure))) };
      }
      await changeProof(app, proof, (newest) => {
        const { result, isShown: _shown, isFinished: _finished, failingSinceMs: _since, ...rest } = newest;
        return result?.kind === "failed" ? { ...rest, actor, begun: 0, createdAtMs: clock.now() } : undefined;
      });
      await work(proof);
      return watched(proof);
    },

    tell: async (id, presser) => {
      const proof = await pressed(id, presser);
      if (proof.result?.kind !== "used") throw new ParleyError("turn_gone", says.gone);
      const why = await outdated(app, proof);
      if (why !== undefined) throw new ParleyError("turn_gone", why);
      const { left } = await countAskers(app, proof);
      if (left === 0) return left;
      await changeProof(app, proof, ({ isFinished: _finished, ...newest }) => ({ ...newest, tell: true }));
      await work(proof);
      return left;
    },
  };
}
