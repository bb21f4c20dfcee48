/**
 * Asks a proof's question again, for its person as they are now, and decides what the answer shows: whether the added
 * answer was used, else what ranked higher. While the service is down, it is asked later.
 */

import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { TurnError, TurnView } from "../../core/model/turn.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { errorText, proofSentences as says } from "../../presentation/sentences.ts";
import { baseOf } from "../answers/answer-store.ts";
import type { InsightApp } from "../app.ts";
import { forPersonNow } from "./beginning.ts";
import {
  changeProof,
  isOfAnswer,
  ownFirst,
  type Proof,
  type ProofResult,
  patienceMs,
  type RankedPassage,
  saidOf,
} from "./proof.ts";

/** A run that was begun and whose process died is begun again so often. */
const maxRepeats = 2;
/** These may be over in a minute. */
const passing: readonly string[] = ["service_unreachable", "service_busy", "stream_cut", "stream_silent"];
const maxShownChars = 300;
const maxNoteChars = 600;
const searched = 10;
/** Shown above the added answer. */
const maxAbove = 5;
const lookMs = 15_000;

/** Returns the proof with its result, stored. At most one of a workspace runs at a time. Undefined: later. */
export async function askAgain(app: InsightApp, proof: Proof, signal: AbortSignal): Promise<Proof | undefined> {
  const result =
    proof.begun > maxRepeats
      ? ({ kind: "failed", atMs: app.clock.now(), ...says.interrupted } as const)
      : await inTurn(app, proof, signal);
  return result === undefined ? undefined : changeProof(app, proof, (newest) => ({ ...newest, result }));
}

/** Why what was found out says nothing about the answer that is there now. Undefined: it does. */
export async function outdated(app: InsightApp, proof: Proof) {
  if (proof.result?.kind !== "used") return undefined;
  const now = await answerNow(app, proof);
  if (now === undefined) return says.removedMeanwhile;
  return now.atMs === (proof.result.answerAtMs ?? proof.answer.atMs) ? undefined : says.replacedMeanwhile;
}

/** The answer that is in the knowledge base now: it may have been removed or replaced. */
function answerNow({ answerStore }: InsightApp, { answer }: Proof): Promise<AddedAnswer | undefined> {
  return answerStore.get(baseOf(answer), answer.id);
}

async function inTurn(app: InsightApp, proof: Proof, signal: AbortSignal): Promise<ProofResult | undefined> {
  const lease = await app.state.coordinator.lease(`proofs/${workspaceKey(proof)}`, { signal });
  try {
    const newest = await answerNow(app, proof);
    // Says whose answer is asked for: someone else may have replaced it before it was its turn.
    const { question, by, atMs } = newest ?? proof.answer;
    const renewed = { ...proof, answer: { ...proof.answer, question, by, atMs } };
    return await ask(app, renewed, newest?.atMs, AbortSignal.any([signal, lease.lost]));
  } finally {
    await lease.release();
  }
}

/** `answerAtMs`: when the answer was given that is there now. Undefined: later. */
async function ask(
  app: InsightApp,
  proof: Proof,
  answerAtMs: number | undefined,
  signal: AbortSignal,
): Promise<ProofResult | undefined> {
  const { clock } = app;
  const now = await forPersonNow(app, proof).catch((failure: unknown) => {
    const error = toParleyError(failure);
    if (passing.includes(error.code)) return error;
    throw failure;
  });
  if (now instanceof ParleyError) return failed(app, proof, { code: now.code, ...errorText(now) });
  if (now === undefined) return { kind: "failed", atMs: clock.now(), ...says.notForYou };
  const { agent, question, actor, place, answer } = now;
  const begun = proof.begun + 1;
  const stored = await changeProof(app, now, (newest) => ({ ...newest, question, actor, place, answer, begun }));
  const startedAtMs = clock.now();
  const view = await app.runOnce(agent, question, signal, now).catch(async (failure: unknown) => {
    // An orderly end is none of the ends that are counted.
    if (signal.aborted) await changeProof(app, proof, uncounted(proof));
    throw failure;
  });
  if (view.error !== undefined) return failed(app, proof, view.error);
  const result = await judge(app, stored, view, clock.now() - startedAtMs);
  return result.kind === "used" ? { ...result, answerAtMs } : result;
}

const uncounted =
  ({ begun }: Proof) =>
  (newest: Proof): Proof | undefined =>
    newest.result === undefined ? { ...newest, begun } : undefined;

/** Undefined: the service is down, and it is to be asked again later. */
async function failed(
  app: InsightApp,
  proof: Proof,
  { code, what, hint }: TurnError,
): Promise<ProofResult | undefined> {
  const { clock } = app;
  const failingSinceMs = proof.failingSinceMs ?? clock.now();
  if (passing.includes(code) && clock.now() - failingSinceMs < patienceMs) {
    await changeProof(app, proof, (newest) => ({ ...newest, begun: proof.begun, failingSinceMs }));
    return undefined;
  }
  return { kind: "failed", atMs: clock.now(), what, hint };
}

async function judge(app: InsightApp, proof: Proof, view: TurnView, tookMs: number): Promise<ProofResult> {
  const atMs = app.clock.now();
  const isUsed = view.state === "answered" && view.sources.some((source) => isOfAnswer(source, proof.answer));
  if (isUsed) {
    const own = ownFirst(view, proof);
    return { kind: "used", tookMs, atMs, after: saidOf(own, maxShownChars), note: saidOf(own, maxNoteChars, true) };
  }
  const looking = withTimeout(ranked(app, proof), lookMs, app.clock);
  const [passages, isLookedIn] = await Promise.all([looking, looksIn(app, proof)]);
  return { kind: "unused", tookMs, atMs, passages, ...(isLookedIn ? {} : { isElsewhere: true as const }) };
}

/** Never rejects. Titles are content of the base: only for people who may search in it. */
async function ranked(
  { service, reach, log }: InsightApp,
  { answer, question, actor, place }: Proof,
): Promise<readonly RankedPassage[] | undefined> {
  const base = baseOf(answer);
  try {
    if (!(await reach.mayBase(actor, "search", place, base)).allowed) return undefined;
    const found = await service.search(base.project, base.name, question, searched);
    const at = found.findIndex(({ source }) => isOfAnswer(source, answer));
    const own = at < 0 ? [] : found.slice(at, at + 1);
    const titles = new Set<string>();
    const above = found.slice(0, at < 0 ? undefined : at).filter(({ source: { title } }) => {
      const isNew = !titles.has(title);
      titles.add(title);
      return isNew;
    });
    return [...above.slice(0, maxAbove), ...own].map(({ source: { title, url, relevance } }, index) => ({
      title,
      url,
      relevance,
      ...(index >= Math.min(maxAbove, above.length) ? { isOwn: true as const } : {}),
    }));
  } catch (err) {
    log.info({ err }, "What ranks higher than an added answer could not be looked up");
    return undefined;
  }
}

async function looksIn({ basesOf }: InsightApp, { agent, answer }: Proof): Promise<boolean> {
  const bases = await basesOf(agent).catch(() => undefined);
  return (
    bases === undefined ||
    bases.some(({ project, name }) => project === answer.project && name === answer.knowledgeBase)
  );
}
