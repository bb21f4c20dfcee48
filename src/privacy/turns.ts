/** Finds a person in questions and jobs. Their own questions are forgotten; elsewhere their name goes. */
import type { Person } from "../ports/content/privacy.ts";
import type { Job } from "../ports/model/job.ts";
import type { Turn } from "../ports/model/turn.ts";
import { type JobStore, type RecordCursor, type TurnStore, unfinishedTurnStates } from "../ports/state.ts";
import { changeRecord } from "../ports/tools/change-record.ts";
import { withoutPerson } from "./mentions.ts";
import { awayOf, formerActor, isIn, isPerson } from "./person.ts";

type Change = Parameters<TurnStore["transition"]>[3];

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

/** After it was forgotten: nobody is named as its asker. */
export async function renameAsker(turns: TurnStore, { id, askedIn }: Turn): Promise<void> {
  await changeRecord(turns, id, () => ({ actor: formerActor(askedIn.workspace), feedback: {} }));
}

export async function renameJob(jobs: JobStore, { id, askedIn }: Job): Promise<void> {
  await changeRecord(jobs, id, () => ({ actor: formerActor(askedIn.workspace) }));
}

/** What another person's question says about them. Undefined: nothing. `names`: what they were called. */
export function partsAbout(person: Person, turn: Turn, names: ReadonlySet<string>): Change {
  if (awayOf(person) === undefined && !isIn(person, turn.askedIn)) return undefined;
  const { stopRequestedBy, approval, outcome, soFar, feedback, context } = turn;
  const named = withoutPerson({ stopRequestedBy, approval, outcome, soFar }, person);
  const votes = Object.fromEntries(
    Object.entries(feedback).filter(([voter]) => voter !== person.id && voter !== awayOf(person)),
  );
  const quotes = context !== undefined && [...names].some((name) => name.trim() !== "" && context.includes(name));
  const changes = {
    ...changed({ stopRequestedBy, approval, outcome, soFar }, named),
    ...changed({ feedback }, { feedback: votes }),
    // Only for asking it again, where the thread is read anew if there is none.
    ...(quotes ? { context: undefined } : {}),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function changed<T extends object>(before: T, after: T): Partial<T> {
  const entries = Object.entries(after) as [keyof T, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  ) as Partial<T>;
}
