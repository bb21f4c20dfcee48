/** Exports and erases what Parley keeps about a person, over every store. */
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { TurnNotes } from "../ports/content/gaps.ts";
import type { LedgerDocument } from "../ports/content/ledger.ts";
import type { Erasure, KeptRecord, Person, Privacy } from "../ports/content/privacy.ts";
import type { Schedules } from "../ports/content/schedules.ts";
import type { Log } from "../ports/log.ts";
import type { Gap } from "../ports/model/insight.ts";
import type { Schedule } from "../ports/model/schedule.ts";
import type { Turn } from "../ports/model/turn.ts";
import type { ChangingKeyValueFactory, Coordinator, JobStore, TurnStore } from "../ports/state.ts";
import type { AuditIndex } from "../ports/storage/audit-index.ts";
import { changeRecord } from "../ports/tools/change-record.ts";
import { erasureSentences } from "../presentation/sentences.ts";
import { isAbout } from "./mentions.ts";
import { isPerson, keyOfPerson } from "./person.ts";
import { type Counted, eraseRecords, recordsAbout } from "./records.ts";
import { everyRecord, isAsker, isEnded, partsAbout, renameAsker, renameJob } from "./turns.ts";

export { type KeptKind, keptKinds } from "./kinds.ts";
export { parsePerson } from "./person.ts";
export { answerRequest, type PrivacyRequest } from "./requests.ts";

/** Questions forgotten with one call. */
const atOnce = 25;

export type PrivacyDeps = {
  readonly keyValue: ChangingKeyValueFactory;
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly forgetTurns: (turns: readonly Turn[]) => Promise<void>;
  readonly notes: Pick<TurnNotes, "noteForgotten">;
  readonly schedules: Pick<Schedules, "delete">;
  /** Parley's own page, where messages can be removed. Undefined for other platforms: what people wrote there is theirs. */
  readonly ownPageOf: (platform: string) => Pick<ChatPlatform, "remove" | "forgetPerson"> | undefined;
  readonly auditIndex: Pick<AuditIndex, "put" | "delete" | "forget">;
  readonly log: Log;
};

export function createPrivacy(deps: PrivacyDeps): Privacy {
  const { keyValue, turns, jobs, coordinator, auditIndex, log } = deps;

  async function* all(person: Person): AsyncGenerator<KeptRecord> {
    for await (const turn of everyRecord(turns)) {
      if (isAsker(person, turn)) yield { kind: "questions", record: ownPart(turn, person) };
    }
    for await (const job of everyRecord(jobs)) if (isAsker(person, job)) yield { kind: "jobs", record: job };
    for await (const { kind, record } of recordsAbout(person, keyValue)) {
      yield { kind, record: kind === "gaps" ? ownGap(record as Gap, person) : record };
    }
  }

  /** False: they stay in the chat. */
  async function removeMessages({ askedIn, askedMessageId, conversation, reply }: Turn): Promise<boolean> {
    const page = deps.ownPageOf(askedIn.platform);
    if (page === undefined) return false;
    for (const { messageId } of reply.parts) {
      if (messageId !== undefined) await page.remove({ place: reply.place, messageId });
    }
    if (askedMessageId !== undefined) await page.remove({ place: conversation, messageId: askedMessageId });
    return true;
  }

  /** Their own questions, page by page; what others' questions say about them once it is known what they were called. */
  async function eraseTurns(person: Person, names: Set<string>) {
    let [removed, left, inChat] = [0, 0, 0];
    const waiting: Turn[] = [];
    const forget = async () => {
      const page = waiting.splice(0, atOnce);
      await deps.forgetTurns(page);
      for (const turn of page) {
        const now = await turns.get(turn.id);
        if (now !== undefined && (now.isForgotten !== true || !isEnded(now))) left += 1;
        else {
          if (!(await removeMessages(turn))) inChat += 1;
          await renameAsker(turns, turn);
          removed += 1;
        }
      }
    };
    for await (const turn of everyRecord(turns)) {
      if (!isAsker(person, turn)) continue;
      names.add(turn.actor.name);
      waiting.push(turn);
      if (waiting.length >= atOnce) await forget();
    }
    await forget();
    return { removed, left, inChat };
  }

  async function eraseFromOthers(person: Person, names: ReadonlySet<string>): Promise<number> {
    let renamed = 0;
    for await (const turn of everyRecord(turns)) {
      if (partsAbout(person, turn, names) === undefined) continue;
      await changeRecord(turns, turn.id, (newest) => partsAbout(person, newest, names));
      renamed += 1;
    }
    return renamed;
  }

  async function eraseJobs(person: Person): Promise<number> {
    let renamed = 0;
    for await (const job of everyRecord(jobs)) {
      if (!isAsker(person, job)) continue;
      await renameJob(jobs, job);
      renamed += 1;
    }
    return renamed;
  }

  /** Of questions whose records have expired already. */
  async function eraseGapEntries(person: Person): Promise<number> {
    let removed = 0;
    for await (const [key, gap] of keyValue<Gap>("gaps").entries("")) {
      if (!isAbout(person, key, gap)) continue;
      const own = gap.askers.filter(({ actor, place }) => isPerson(person, actor, place));
      const forgotten = own.map(({ turnId, actor, place, atMs }) => ({
        id: turnId,
        createdAtMs: atMs,
        agent: gap.agent,
        actor: {
          ...actor,
          workspace: gap.workspace,
          isAdmin: false,
          isGuest: false,
          isExternal: false,
          isBot: false,
          roles: [],
        },
        askedIn: place,
        conversation: place,
      }));
      if (forgotten.length > 0) await (await deps.notes.noteForgotten(forgotten))();
      removed += forgotten.length;
    }
    return removed;
  }

  /** Also from the lists they are in, and not while they run, which would store them again. */
  async function eraseSchedules(person: Person): Promise<number> {
    let removed = 0;
    for await (const [key, schedule] of keyValue<Schedule>("schedules").entries("")) {
      if (isAbout(person, key, schedule) && (await deps.schedules.delete(schedule)) === "done") removed += 1;
    }
    return removed;
  }

  async function addedDocuments(person: Person): Promise<readonly LedgerDocument[]> {
    const found: LedgerDocument[] = [];
    for await (const [, document] of keyValue<LedgerDocument>("ledger").entries("")) {
      if (document.by.key === keyOfPerson(person)) found.push(document);
    }
    return found;
  }

  async function erase(person: Person): Promise<Erasure> {
    const documents = await addedDocuments(person);
    const names = new Set<string>();
    const own = await eraseTurns(person, names);
    const gapEntries = await eraseGapEntries(person);
    const schedules = await eraseSchedules(person);
    const renamedJobs = await eraseJobs(person);
    const others = await eraseFromOthers(person, names);
    await deps.ownPageOf(person.platform)?.forgetPerson?.(person.id);
    const records = await eraseRecords(person, keyValue, auditIndex);
    log.info({ questions: own.removed }, "A person was erased");
    return {
      kinds: sumOf([
        { kind: "questions", removed: own.removed, renamed: others },
        { kind: "gaps", removed: gapEntries, renamed: 0 },
        { kind: "schedules", removed: schedules, renamed: 0 },
        { kind: "jobs", removed: 0, renamed: renamedJobs },
        ...records,
      ]),
      stays: [
        ...(own.inChat > 0 ? [erasureSentences.inChat(own.inChat)] : []),
        ...(documents.length > 0 ? [erasureSentences.documents(documents)] : []),
        ...(own.left > 0 ? [erasureSentences.left(own.left)] : []),
      ],
      isComplete: own.left === 0,
    };
  }

  return {
    export: all,
    erase: async (person) => {
      const lease = await coordinator.lease(`erase/${keyOfPerson(person)}`);
      try {
        return await erase(person);
      } finally {
        await lease.release();
      }
    },
  };
}

/** Others' votes and what others wrote before the question are theirs. */
function ownPart(turn: Turn, { id }: Person): object {
  const { context: _others, feedback, ...own } = turn;
  return { ...own, feedback: Object.fromEntries(Object.entries(feedback).filter(([voter]) => voter === id)) };
}

function ownGap(gap: Gap, person: Person): object {
  const { askers, platform, workspace, agent, id, state } = gap;
  const own = askers.filter(({ actor, place }) => isPerson(person, actor, place));
  return { id, platform, workspace, agent, state, askers: own };
}

function sumOf(counted: readonly Counted[]): readonly Counted[] {
  const sums = new Map<string, Counted>();
  for (const { kind, removed, renamed } of counted) {
    const before = sums.get(kind) ?? { kind, removed: 0, renamed: 0 };
    sums.set(kind, { kind, removed: before.removed + removed, renamed: before.renamed + renamed });
  }
  return [...sums.values()].filter(({ removed, renamed }) => removed + renamed > 0);
}
