/** Writes a made-up month into an empty store, as a Parley that ran for a month would have left it. */

import { createAudit } from "../../src/access/audit.ts";
import type { LedgerDocument } from "../../src/core/content/ledger.ts";
import type { Feedback, Signal } from "../../src/core/model/insight.ts";
import { channelKey, workspaceKey } from "../../src/core/model/place.ts";
import type { Turn } from "../../src/core/model/turn.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { State } from "../../src/core/ports/state.ts";
import { createAnswerStore } from "../../src/insight/answers/answer-store.ts";
import { scopeKeyOf } from "../../src/insight/gaps/gap-store.ts";
import type { Note } from "../../src/insight/gaps/gap-work.ts";
import { answerSignals } from "../../src/insight/gaps/signals.ts";
import { createSchedules } from "../../src/insight/schedules/schedules.ts";
import { createLedger } from "../../src/knowledge/ledger/ledger.ts";
import { appOf } from "../../test/doubles/app.ts";
import { type Company, onPage } from "./company.ts";
import { createDeriving } from "./derive.ts";
import { type AskedTurn, channelsOf, type MonthOptions, monthOf } from "./month.ts";
import { createRandom } from "./random.ts";
import { answersOf, auditOf, documentsOf, jobsOf, rowIdOf, schedulesOf } from "./records.ts";
import { idAt } from "./turn.ts";

/** Written at once: a commit takes many. */
const atOnce = 64;
/** Derived at once: those of a channel and day share a write. */
const derivedAtOnce = 2_000;
const dayMs = 86_400_000;
const keptMs = 90 * dayMs;
/** Newest questions that a running Parley groups into gaps at its start; more would hide what else it takes. */
const maxNotes = 2_000;

export type Filled = { readonly turns: number; readonly votes: number };

/** `clock`: of the entries, so that it is set to their times. */
export async function fill(state: State, options: MonthOptions, clock: Clock, log: Log): Promise<Filled> {
  const random = createRandom(options.seed + 1);
  const filled = await fillQuestions(state, options, clock, log);
  for (const job of jobsOf(options.company, options.untilMs, random)) await state.jobs.create(job);
  await fillPlaces(state, options);
  await fillAnswers(state, options, filled.ids);
  await fillSchedules(state, options.company, clock, log);
  await fillAudit(state, options, clock, log);
  return { turns: filled.ids.length, votes: filled.votes };
}

async function fillQuestions(state: State, options: MonthOptions, clock: Clock, log: Log) {
  const { turns, keyValue } = state;
  const work = createDeriving(state, clock, log);
  const feedback = keyValue<Feedback>("feedback");
  const notes = keyValue<Note>("open-signals");
  const random = createRandom(options.seed + 2);
  const ids: string[] = [];
  const noted: Note[] = [];
  let derivable: Turn[] = [];
  let votes = 0;
  let writing: Promise<unknown>[] = [];

  async function put(asked: AskedTurn): Promise<void> {
    const { turn } = asked;
    await turns.create(turn);
    for (const vote of asked.votes) {
      const key = `${workspaceKey(turn.conversation)}/${turn.id}/${encodeURIComponent(vote.voter)}`;
      await feedback.set(key, vote, keptMs);
    }
  }

  for (const asked of monthOf(options)) {
    ids.push(asked.turn.id);
    votes += asked.votes.length;
    const note = noteOf(asked);
    if (note !== undefined) noted.push(note);
    writing.push(put(asked));
    derivable.push(asked.turn);
    if (writing.length < atOnce) continue;
    await Promise.all(writing);
    writing = [];
    if (derivable.length < derivedAtOnce) continue;
    await work.derive(derivable);
    derivable = [];
  }
  await Promise.all(writing);
  await work.derive(derivable);
  await work.drain();
  for (const note of noted.slice(-maxNotes)) {
    await notes.set(`${scopeKeyOf(note.scope)}/${idAt(note.atMs, random)}`, note);
  }
  return { ids, votes };
}

/** Of a question that was not answered well: a running Parley groups it into a gap. */
function noteOf({ turn, votes }: AskedTurn): Note | undefined {
  const { agent, outcome } = turn;
  if (agent === undefined || outcome === undefined) return undefined;
  const isDown = votes.some(({ thumb }) => thumb === "down");
  const signals: readonly Signal[] = [
    ...answerSignals(turn, outcome, () => true),
    ...(isDown ? ["thumbs-down" as const] : []),
  ];
  if (signals.length === 0) return undefined;
  const { platform, workspace } = turn.askedIn;
  const scope = { platform, workspace, agent };
  return { version: 1, scope, atMs: endOf(turn), kind: "answer", turnId: turn.id, signals };
}

const endOf = ({ endedAtMs, createdAtMs }: Turn) => endedAtMs ?? createdAtMs;

async function fillPlaces({ keyValue }: State, options: MonthOptions): Promise<void> {
  const { company, untilMs, days } = options;
  const names = keyValue("channel-names");
  const bindings = keyValue("bindings");
  for (const { place, name, agent, mode, isGone } of company.channels) {
    await names.set(channelKey(place), { version: 1, name, ...(isGone === true ? { isGone } : {}) }, keptMs);
    await bindings.set(channelKey(place), { project: "mindsdb", agent, mode });
  }
  if (company !== onPage) return;
  const pageChannels = keyValue("console-channels");
  const createdAtMs = untilMs - days * dayMs;
  for (const { place, name, isGone } of channelsOf(options)) {
    const { workspace, channel: id } = place;
    const removed = isGone === true ? { removedAtMs: untilMs } : {};
    await pageChannels.set(`${workspace}/${id}`, { version: 1, id, name, createdAtMs, ...removed });
  }
}

async function fillAnswers(
  { keyValue, collection }: State,
  { company, untilMs }: MonthOptions,
  turnIds: readonly string[],
): Promise<void> {
  const ledger = createLedger({ documents: keyValue<LedgerDocument>("ledger"), rows: keyValue("ledger-rows") });
  for (const document of documentsOf(company, untilMs)) await ledger.put(document, [rowIdOf(document.id)]);
  const store = createAnswerStore({ collection });
  if (turnIds.length > 0) for (const answer of answersOf(company, untilMs, turnIds)) await store.put(answer);
}

async function fillSchedules(state: State, company: Company, clock: Clock, log: Log): Promise<void> {
  const schedules = createSchedules(
    appOf({
      ...{ ...state, clock, log },
      notices: { post: async () => true },
      reach: { may: () => ({ allowed: true, isPrivate: false }) },
    }),
  );
  for (const { isPaused, ...schedule } of schedulesOf(company)) {
    const created = await schedules.create(schedule);
    if (isPaused && typeof created !== "string") await schedules.pause(created);
  }
}

async function fillAudit(
  state: State,
  { company, untilMs, seed }: MonthOptions,
  clock: Clock,
  log: Log,
): Promise<void> {
  let atMs = untilMs;
  const audit = createAudit(appOf({ ...state, clock: { ...clock, now: () => atMs }, log }));
  for (const { actor, place, atMs: thenMs, ...entry } of auditOf(company, untilMs, createRandom(seed + 3))) {
    atMs = thenMs;
    const person = {
      workspace: place.workspace,
      isAdmin: false,
      isGuest: false,
      isExternal: false,
      isBot: false,
      roles: [],
    };
    await audit.record({ actor: { ...person, ...actor }, place }, entry);
  }
}
