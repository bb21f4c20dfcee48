/**
 * Erases a person, step by step. Each step can be repeated. First goes what begins something, then what is running; what
 * says who they were goes last, so that a run after a crash finds the rest.
 */

import type { App } from "../../app.ts";
import type { TurnNotes } from "../../core/content/gaps.ts";
import type { Erasure, Person } from "../../core/content/privacy.ts";
import type { Feedback } from "../../core/model/insight.ts";
import type { Job } from "../../core/model/job.ts";
import { personKey } from "../../core/model/place.ts";
import { schedulesIn } from "../../core/model/schedule.ts";
import type { Turn } from "../../core/model/turn.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { countText } from "../../presentation/sentences.ts";
import { gapsIn } from "../gaps/gap-store.ts";
import type { Schedules } from "../schedules/schedules.ts";
import { createErasingTurns, type OfTurns, ownPageOf } from "./erasing-turns.ts";
import { createGapWords } from "./gap-words.ts";
import { isAbout, type Names } from "./mentions.ts";
import { formerActor, formerMember, isPerson, keyOfPerson } from "./person.ts";
import { type Counted, documentsOf, eraseRecords, namesInRecords } from "./records.ts";
import { everyRecord, isAsker, isRunning, jobWithout } from "./turns.ts";

/** Documents named one by one. */
const maxNamed = 20;

const says = {
  documents: (documents: readonly { readonly knowledgeBase: string; readonly title: string }[]): string => {
    const named = documents.slice(0, maxNamed).map(({ knowledgeBase, title }) => `${title} (${knowledgeBase})`);
    const more = documents.length > maxNamed ? ` and ${countText(documents.length - maxNamed, "more", "more")}` : "";
    return `${countText(documents.length, "document")} in knowledge bases, because others rely on them: ${named.join(", ")}${more}. Remove them with /kb remove.`;
  },
};

/** How long to wait until a cancelled job has ended. The lease of a dead process expires after 15 s. */
const jobEndsWithinMs = 20_000;
/** What was running may still store what belongs to its end. */
const settleMs = 1_000;

/** What others do, each with what is theirs. */
export type OfOthers = OfTurns & {
  readonly cancelJob: (job: Job, by: string) => Promise<unknown>;
  readonly notes: Pick<TurnNotes, "noteForgotten" | "withdrawSignal">;
  readonly schedules: Pick<Schedules, "delete">;
};

export function createErasing(app: App, parts: OfOthers): (person: Person) => Promise<Erasure> {
  const { clock, log } = app;
  const { keyValue, turns, jobs, coordinator } = app.state;
  const ofTurns = createErasingTurns(app, parts);
  const gapWords = createGapWords(app.state);

  /** Also from the lists they are in, and not while they run, which would store them again. */
  async function eraseSchedules(person: Person): Promise<number> {
    let removed = 0;
    for await (const { id, record: schedule } of schedulesIn(app.state).entries()) {
      if (isAbout(person, id, schedule) && (await parts.schedules.delete(schedule)) === "done") removed += 1;
    }
    return removed;
  }

  /** False: it is still being worked on. Otherwise nobody stores their name in its course any longer. */
  async function endJob(job: Job): Promise<boolean> {
    await parts.cancelJob(job, formerMember.id);
    const waiting = new AbortController();
    const cancel = clock.after(jobEndsWithinMs, () => waiting.abort());
    try {
      const lease = await coordinator.lease(`job/${job.id}`, { signal: waiting.signal });
      await lease.release();
      return true;
    } catch (failure) {
      if (!waiting.signal.aborted) throw failure;
      return false;
    } finally {
      cancel();
    }
  }

  /** Returns the ids of those that don't end. */
  async function endJobs(person: Person): Promise<ReadonlySet<string>> {
    const left = new Set<string>();
    for await (const job of everyRecord(jobs)) {
      if (isRunning(job) && isAsker(person, job) && !(await endJob(job))) left.add(job.id);
    }
    return left;
  }

  async function eraseJobs(person: Person, called: Names, left: ReadonlySet<string>): Promise<number> {
    let renamed = 0;
    for await (const job of everyRecord(jobs)) {
      if (left.has(job.id)) continue;
      const items = await gapWords.itemsOf(job);
      const changeOf = (newest: Job) =>
        jobWithout(person, items === job.items || isRunning(newest) ? newest : { ...newest, items }, called);
      if (items !== job.items && !isRunning(job)) await changeRecord(jobs, job.id, () => ({ items }));
      if (changeOf(job) === undefined) continue;
      await changeRecord(jobs, job.id, changeOf);
      renamed += 1;
    }
    return renamed;
  }

  /** Of questions whose records have expired already. */
  async function eraseGapEntries(person: Person): Promise<number> {
    let removed = 0;
    for await (const { id, record: gap } of gapsIn(app.state).entries()) {
      if (!isAbout(person, id, gap)) continue;
      const own = gap.askers.filter(({ actor, place }) => isPerson(person, actor, place));
      const forgotten = own.map(({ turnId, actor, place, atMs }) => ({
        id: turnId,
        createdAtMs: atMs,
        agent: gap.agent,
        actor: { ...formerActor(gap.workspace), ...actor },
        askedIn: place,
        conversation: place,
      }));
      if (forgotten.length > 0) await (await parts.notes.noteForgotten(forgotten))();
      removed += forgotten.length;
    }
    return removed;
  }

  /** Other people's questions that they voted on. */
  async function votedOn(person: Person): Promise<readonly Turn[]> {
    const found: Turn[] = [];
    for await (const [key, vote] of keyValue<Feedback>("feedback").entries("")) {
      const turn = isAbout(person, key, vote) ? await turns.get(vote.turnId) : undefined;
      if (turn !== undefined && turn.isForgotten !== true) found.push(turn);
    }
    return found;
  }

  /** With what the votes are counted in. */
  async function eraseSmallRecords(person: Person, called: Names): Promise<readonly Counted[]> {
    const voted = await votedOn(person);
    const begins = await Promise.all(voted.map((turn) => parts.notes.withdrawSignal(turn, "thumbs-down")));
    await ownPageOf(app, person.platform)?.forgetPerson?.(person.id);
    const records = await eraseRecords(person, called, app.state);
    await parts.derive(voted);
    for (const begin of begins) begin();
    return records;
  }

  return async (person) => {
    const schedules = await eraseSchedules(person);
    const called = new Set(await namesInRecords(person, app.state));
    const documents = await documentsOf(person, called, keyValue);
    const own = await ofTurns.forget(person, called);
    const leftJobs = await endJobs(person);
    const gapEntries = await eraseGapEntries(person);
    const others = await ofTurns.eraseFromOthers(person, called);
    const renamedJobs = await eraseJobs(person, called, leftJobs);
    await gapWords.eraseFromProofs();
    const records = [...(await eraseSmallRecords(person, called))];
    if (own.wasBusy || leftJobs.size > 0) {
      await clock.sleep(settleMs);
      records.push(...(await eraseSmallRecords(person, called)));
    }
    await ofTurns.rename(own.forgotten);
    const ownTurns = own.forgotten.filter((turn) => isAsker(person, turn));
    const askers = new Set([keyOfPerson(person), ...ownTurns.map(({ askedIn, actor }) => personKey(askedIn, actor))]);
    if (own.left === 0) {
      for (const asker of askers) await Promise.all([turns.forgetAsker(asker), jobs.forgetAsker(asker)]);
    }
    log.info({ questions: own.forgotten.length }, "A person was erased");
    const left = own.left + leftJobs.size;
    return {
      kinds: sumOf([
        { kind: "questions", removed: own.forgotten.length, renamed: others },
        { kind: "gaps", removed: gapEntries, renamed: 0 },
        { kind: "schedules", removed: schedules, renamed: 0 },
        { kind: "jobs", removed: 0, renamed: renamedJobs },
        ...records,
      ]),
      stays: [
        ...(own.inChat > 0
          ? [`${countText(own.inChat, "question")} and the answers are still in the chat. Delete these messages there.`]
          : []),
        ...(documents.length > 0 ? [says.documents(documents)] : []),
        ...(own.left > 0
          ? [
              `${countText(own.left, "question")} in a conversation where an answer is still running or waits for approval. Start Parley if it isn't running, wait until the answer ends, and erase again.`,
            ]
          : []),
        ...(leftJobs.size > 0
          ? [`${countText(leftJobs.size, "job")} that could not be cancelled yet. Erase again in a minute.`]
          : []),
      ],
      isComplete: left === 0,
    };
  };
}

function sumOf(counted: readonly Counted[]): readonly Counted[] {
  const sums = new Map<string, Counted>();
  for (const { kind, removed, renamed } of counted) {
    const before = sums.get(kind) ?? { kind, removed: 0, renamed: 0 };
    sums.set(kind, { kind, removed: before.removed + removed, renamed: before.renamed + renamed });
  }
  return [...sums.values()].filter(({ removed, renamed }) => removed + renamed > 0);
}
