/** Finds a person in questions and jobs. Their own questions are forgotten; elsewhere their name goes. */
import type { Person } from "../../core/content/privacy.ts";
import type { Job } from "../../core/model/job.ts";
import type { Turn } from "../../core/model/turn.ts";
import {
  type JobStore,
  type RecordCursor,
  type TurnStore,
  unfinishedJobStates,
  unfinishedTurnStates,
} from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { type Names, withoutPerson } from "./mentions.ts";
import { awayOf, formerActor, isIn, isPerson } from "./person.ts";

type TurnChange = Parameters<TurnStore["transition"]>[3];
type JobChange = Parameters<JobStore["transition"]>[3];

/** 5 MB if each is 100 kB. */
const pageSize = 50;

/** Every record of a store, newest first. */
export async function* everyRecord<R extends RecordCursor>(store: {
  readonly recent: (limit: number, before?: RecordCursor) => Promise<readonly R[]>;
}): AsyncGenerator<R> {
  for (let before: RecordCursor | undefined; ; ) {
    const page = await store.recent(pageSize, before);
    yield* page;
    before = page.at(-1);
    if (page.length < pageSize || before === undefined) return;
  }
}

export const isAsker = (person: Person, { actor, askedIn }: Pick<Turn | Job, "actor" | "askedIn">): boolean =>
  isPerson(person, actor, askedIn);

export const isEnded = ({ state }: Pick<Turn, "state">): boolean => !unfinishedTurnStates.includes(state);

export const isRunning = ({ state }: Pick<Job, "state">): boolean => unfinishedJobStates.includes(state);

/** After it was forgotten: nobody is named as its asker. */
export async function renameAsker(turns: TurnStore, { id, askedIn }: Pick<Turn, "id" | "askedIn">): Promise<void> {
  const nobody = { actor: formerActor(askedIn.workspace), stopRequestedBy: undefined };
  await changeRecord(turns, id, () => nobody);
}

/** What another person's question says about them. Undefined: nothing. */
export function partsAbout(person: Person, turn: Turn, called: Names): TurnChange {
  if (awayOf(person) === undefined && !isIn(person, turn.askedIn)) return undefined;
  const { stopRequestedBy, approval, outcome, soFar, context } = turn;
  const before = { stopRequestedBy, approval, outcome, soFar };
  const quotes = context !== undefined && [...called].some((name) => context.includes(name));
  return someOf({
    ...changed(before, withoutPerson(before, person, called)),
    // Only for asking it again, where the thread is read anew if there is none.
    ...(quotes ? { context: undefined } : {}),
  });
}

/** What a job says about them. Undefined: nothing. */
export function jobWithout(person: Person, job: Job, called: Names): JobChange {
  if (awayOf(person) === undefined && !isIn(person, job.askedIn)) return undefined;
  const { actor, options, items } = job;
  const now = {
    actor: isAsker(person, job) ? formerActor(job.askedIn.workspace) : actor,
    options: optionsWithout(person, options, called),
    items: withoutPerson(items, person, called),
  };
  return someOf(changed({ actor, options, items }, now));
}

/** The content of items is JSON in its options. */
function optionsWithout(person: Person, options: Job["options"], called: Names): Job["options"] {
  const { payloads, ...rest } = withoutPerson(options, person, called);
  if (!Array.isArray(payloads)) return options["payloads"] === undefined ? rest : options;
  const without = (text: string): string => {
    const payload = parseJson(text);
    if (typeof payload !== "object" || payload === null) return text;
    const { said, ...kept } = payload as { said?: { readonly authorName?: unknown } };
    // What they said in one message. If it is tried again, the message is read again.
    const isTheirs = said !== undefined && called.has(String(said.authorName));
    return JSON.stringify(withoutPerson(isTheirs ? kept : payload, person, called));
  };
  return { ...rest, payloads: (payloads as readonly string[]).map(without) };
}

function changed<T extends object>(before: T, after: T): Partial<T> {
  const entries = Object.entries(after) as [keyof T, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  ) as Partial<T>;
}

function someOf<T extends object>(changes: T): T | undefined {
  return Object.keys(changes).length === 0 ? undefined : changes;
}
