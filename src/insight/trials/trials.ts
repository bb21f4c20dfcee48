/**
 * Proves added answers: asks the question again, shows before and after to the person who added it, and tells those who
 * asked. Each step is stored before the next one begins and can be repeated, so another process finishes what a dead one
 * left.
 */
import type { Named, Reach } from "../../ports/access.ts";
import type { AgentService } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AnswerAdded, AnswerStore } from "../../ports/content/answering.ts";
import type { Gaps } from "../../ports/content/gaps.ts";
import type { Proved, Proving } from "../../ports/content/proving.ts";
import type { RunOnce } from "../../ports/content/run-once.ts";
import type { Site } from "../../ports/delivery.ts";
import type { Document } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import { personKey, workspaceKey } from "../../ports/model/place.ts";
import type { TurnError } from "../../ports/model/turn.ts";
import type { Notices } from "../../ports/notices.ts";
import type { Coordinator, KeyValueFactory, TurnStore } from "../../ports/state.ts";
import { present } from "../../ports/tools/present.ts";
import { errorDocument, infoDocument, proofDocument } from "../../presentation/drawing.ts";
import { errorText, proofSentences as says } from "../../presentation/sentences.ts";
import type { GapSight } from "../gap-sight.ts";
import { createBeginning } from "./beginning.ts";
import { createJudging } from "./judging.ts";
import { createTelling } from "./telling.ts";
import { type Trial, type TrialResult, trialKey } from "./trial.ts";
import { createWatching } from "./watching.ts";

/** A run that was begun and whose process died is begun again so often. */
const maxRepeats = 2;
/** How long a service that is down is asked again, and an asker of whom nothing is known is looked up again. */
const patienceMs = 30 * 60_000;
const pausesMs = [5_000, 15_000, 30_000, 60_000];
/** Then nobody is left waiting for a private reply. */
const slowMs = 60_000;
/** For its buttons. */
const keptMs = 30 * 86_400_000;
/** These may be over in a minute. */
const passing: readonly string[] = ["service_unreachable", "service_busy", "stream_cut", "stream_silent"];

const asking = infoDocument(says.asking, { tone: "running" });

export type TrialDeps = {
  readonly keyValue: KeyValueFactory;
  readonly turns: Pick<TurnStore, "get" | "ofConversation">;
  readonly gaps: Gaps;
  readonly answerStore: Pick<AnswerStore, "get">;
  readonly sight: GapSight;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly notices: Pick<Notices, "post">;
  readonly service: Pick<AgentService, "search">;
  readonly reach: Pick<Reach, "mayAgent" | "mayBase" | "isDirect" | "resolve">;
  readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  readonly siteOf: (platform: string) => Site | undefined;
  readonly runOnce: RunOnce;
  readonly clock: Clock;
  readonly log: Log;
};

export type Trials = Proving & {
  /** Called once an answer's row is in; durable when it resolves, and repeated after a crash. */
  readonly begin: (added: AnswerAdded) => Promise<void>;
  /** Continues what dead processes left. Never rejects. */
  readonly recover: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

export function createTrials(deps: TrialDeps): Trials {
  const { keyValue, gaps, answerStore, coordinator, runOnce, clock, log } = deps;
  /** In progress, by workspace and id. */
  const open = keyValue<Trial>("open-trials");
  const done = keyValue<Trial>("trials");
  const beginning = createBeginning(deps);
  const judge = createJudging(deps);
  const telling = createTelling(deps);
  const watching = createWatching(deps);
  const ending = new AbortController();
  const working = new Map<string, Promise<void>>();

  async function underLease<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const lease = await coordinator.lease(key, { signal: ending.signal });
    try {
      return await work(AbortSignal.any([ending.signal, lease.lost]));
    } finally {
      await lease.release();
    }
  }

  async function keep(trial: Trial): Promise<Trial> {
    await open.set(trialKey(trial), trial);
    return trial;
  }

  /** When the answer was given that is in the knowledge base now. */
  async function answerAtMs({ answer: { project, knowledgeBase: name, id } }: Trial): Promise<number | undefined> {
    return (await answerStore.get({ project, name }, id))?.atMs;
  }

  /** Why what was found out says nothing about the answer that is there now. Undefined: it does. */
  async function outdated(trial: Trial) {
    if (trial.result?.kind !== "used") return undefined;
    const now = await answerAtMs(trial);
    if (now === undefined) return says.removedMeanwhile;
    return now === (trial.result.answerAtMs ?? trial.answer.atMs) ? undefined : says.replacedMeanwhile;
  }

  /** Says whose answer is asked for: someone else may have replaced it before it was its turn. */
  async function renewed(trial: Trial): Promise<Trial> {
    const { project, knowledgeBase: name, id } = trial.answer;
    const newest = await answerStore.get({ project, name }, id);
    if (newest === undefined) return trial;
    const { question, by, atMs } = newest;
    return { ...trial, answer: { ...trial.answer, question, by, atMs } };
  }

  /** Undefined: the service is down, and it is to be asked again later. */
  async function failed(trial: Trial, { code, what, hint }: TurnError): Promise<TrialResult | undefined> {
    const failingSinceMs = trial.failingSinceMs ?? clock.now();
    if (passing.includes(code) && clock.now() - failingSinceMs < patienceMs) {
      await keep({ ...trial, failingSinceMs });
      return undefined;
    }
    return { kind: "failed", atMs: clock.now(), what, hint };
  }

  /** Asks once, for that person as they are now. Undefined: later. */
  async function ask(trial: Trial, signal: AbortSignal): Promise<TrialResult | undefined> {
    const now = await beginning.forPersonNow(trial).catch((failure: unknown) => {
      const error = toParleyError(failure);
      if (passing.includes(error.code)) return error;
      throw failure;
    });
    if (now instanceof ParleyError) return failed(trial, { code: now.code, ...errorText(now) });
    if (now === undefined) return { kind: "failed", atMs: clock.now(), ...says.notForYou };
    const begun = await keep({ ...now, begun: trial.begun + 1 });
    const askedAbout = await answerAtMs(trial);
    const startedAtMs = clock.now();
    const view = await runOnce(now.agent, now.question, signal, now).catch(async (failure: unknown) => {
      // An orderly end is none of the ends that are counted.
      if (ending.signal.aborted) await keep(trial);
      throw failure;
    });
    if (view.error !== undefined) return failed(trial, view.error);
    const result = await judge(begun, view, clock.now() - startedAtMs);
    return result.kind === "used" ? { ...result, ...present({ answerAtMs: askedAbout }) } : result;
  }

  /** At most one of a workspace runs at a time. */
  async function run(trial: Trial): Promise<Trial | undefined> {
    if (trial.begun > maxRepeats) {
      return keep({ ...trial, result: { kind: "failed", atMs: clock.now(), ...says.interrupted } });
    }
    const result = await underLease(`trials/${workspaceKey(trial)}`, async (signal) =>
      ask(await renewed(trial), signal),
    );
    return result === undefined ? undefined : keep({ ...((await open.get(trialKey(trial))) ?? trial), result });
  }

  /** Someone who asks after that is let down again, and opens the gap again. */
  async function settle({ gapId, answer, result, ...at }: Trial): Promise<void> {
    const gap = gapId === undefined ? undefined : await gaps.get(at, gapId);
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

  async function draw(trial: Trial): Promise<Document> {
    const [before, question, people] = await Promise.all([
      beginning.before(trial),
      beginning.question(trial),
      telling.count(trial),
    ]);
    const { id, gapId, answer, result, tell } = trial;
    if (result === undefined) return asking;
    const { knowledgeBase, id: answerId } = answer;
    const author = answer.by.key === personKey(trial, trial.actor) ? undefined : answer.by.name;
    const about = { author, id, gapId, answerId, question, knowledgeBase, agent: trial.agent.name, nowMs: clock.now() };
    return proofDocument({ ...about, before, result, people, tell });
  }

  /** Perhaps later, for a person who has left the channel since, or lost the agent. */
  async function redraw(trial: Trial): Promise<Document> {
    const now = await beginning.forPersonNow(trial);
    if (now === undefined) throw new ParleyError("turn_gone", says.gone);
    return draw(now);
  }

  async function finish(trial: Trial): Promise<void> {
    await done.set(trialKey(trial), trial, keptMs);
    await open.delete(trialKey(trial));
  }

  /** An answer that was removed or replaced meanwhile closes no gap, and nobody is told about it. */
  async function current(trial: Trial | undefined): Promise<Trial | undefined> {
    const why = trial === undefined ? undefined : await outdated(trial);
    return trial === undefined || why === undefined
      ? trial
      : keep({ ...trial, result: { kind: "outdated", atMs: clock.now(), ...why } });
  }

  /** Returns when to continue; undefined: it is over. */
  async function step(key: string): Promise<number | undefined> {
    const trial = await open.get(key);
    if (trial === undefined) return undefined;
    const ran = await current(trial.result === undefined ? await run(trial) : trial);
    if (ran?.result === undefined) {
      const { failingSinceMs = clock.now() } = (await open.get(key)) ?? {};
      const forMs = clock.now() - failingSinceMs;
      return pausesMs.find((pause) => forMs < pause) ?? pausesMs.at(-1);
    }
    const { result } = ran;
    await settle(ran);
    let shown = ran;
    if (ran.isShown !== true && (await watching.show(ran, await draw(ran))) === "done") {
      shown = await keep({ ...ran, isShown: true });
    }
    const isTelling = shown.tell && result.kind === "used";
    const left = isTelling ? await telling.tell(shown, result.note, ending.signal) : "all";
    const isLeft = left === "some-left" || shown.isShown !== true;
    if (isLeft && clock.now() - result.atMs < patienceMs) return pausesMs.at(-1);
    await finish(shown);
    return undefined;
  }

  /** Keeps the lease while it waits: the person waits for it in this process. */
  async function workOff(key: string): Promise<void> {
    await underLease(`trial/${key}`, async (signal) => {
      for (;;) {
        const pauseMs = await step(key);
        if (pauseMs === undefined) return;
        if (pauseMs >= slowMs) watching.leave(key);
        await clock.sleep(pauseMs, signal);
      }
    });
  }

  function inBackground(key: string): void {
    if (working.has(key) || ending.signal.aborted) return;
    const work = workOff(key)
      .catch((err: unknown) => {
        if (!ending.signal.aborted) log.warn({ err, key }, "A proof is not finished yet");
      })
      .finally(() => working.delete(key));
    working.set(key, work);
  }

  async function pressed(id: string, viewer: Parameters<Proving["tell"]>[1]): Promise<Trial> {
    const key = trialKey({ ...viewer.place, id });
    const trial = (await open.get(key)) ?? (await done.get(key));
    // Only its own person ever sees it: an id that was read elsewhere shows nothing.
    if (trial?.actor.id === viewer.actor.id) return trial;
    throw new ParleyError("turn_gone", says.gone);
  }

  /** Undefined leaves it. */
  async function changed(trial: Trial, change: (newest: Trial) => Trial | undefined): Promise<void> {
    const key = trialKey(trial);
    await underLease(`trial/${key}`, async () => {
      const next = change((await open.get(key)) ?? (await done.get(key)) ?? trial);
      if (next !== undefined) await keep(next);
    });
    inBackground(key);
  }

  function watched(trial: Trial): Proved {
    return { progress: asking, end: watching.watch(trialKey(trial)) };
  }

  return {
    begin: async (added) => {
      const key = trialKey({ ...added.place, id: added.jobId });
      if ((await open.get(key)) !== undefined || (await done.get(key)) !== undefined) return;
      const trial = await beginning.trialOf(added, clock.now());
      if (trial === undefined) return;
      await keep(trial);
      inBackground(key);
    },

    watch: async (jobId, place) => {
      const key = trialKey({ ...place, id: jobId });
      const trial = (await open.get(key)) ?? (await done.get(key));
      return trial === undefined || trial.isShown === true ? undefined : watched(trial);
    },

    again: async (id, viewer) => {
      const trial = await pressed(id, viewer);
      if (trial.result === undefined) return watched(trial);
      const { actor } = viewer;
      if (trial.result.kind !== "failed")
        return {
          progress: asking,
          end: redraw({ ...trial, actor }).catch((failure: unknown) => errorDocument(toParleyError(failure))),
        };
      await changed(trial, (newest) => {
        const { result, isShown: _shown, failingSinceMs: _since, ...rest } = newest;
        return result?.kind === "failed" ? { ...rest, actor, begun: 0 } : undefined;
      });
      return watched(trial);
    },

    tell: async (id, viewer) => {
      const trial = await pressed(id, viewer);
      if (trial.result?.kind !== "used") throw new ParleyError("turn_gone", says.gone);
      const why = await outdated(trial);
      if (why !== undefined) throw new ParleyError("turn_gone", why);
      const people = await telling.count(trial);
      if (people > 0 && !trial.tell) await changed(trial, (newest) => ({ ...newest, tell: true }));
      return people;
    },

    recover: async () => {
      try {
        for await (const [key] of open.entries("")) inBackground(key);
      } catch (err) {
        log.warn({ err }, "Can't look for unfinished proofs");
      }
    },

    drain: async () => {
      ending.abort(new Error("The process is ending."));
      await Promise.all(working.values());
    },
  };
}
