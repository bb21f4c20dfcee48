/** Questions that haven't ended: they aren't in the question log yet. */
import type { Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import type { QuestionEntry, QuestionFilter } from "../../insight/derived/question-log.ts";
import { entryOf } from "../../insight/derived/question-log.ts";
import type { OverviewApp } from "../app.ts";
import { aboutTurn } from "./listed.ts";

/** Of the newest ones; each is read to see whether a filter wants it. */
const maxRead = 200;

/** Newest first. */
export async function unfinishedIds({ state }: OverviewApp): Promise<readonly string[]> {
  const known: { readonly id: string; readonly createdAtMs: number }[] = [];
  for await (const _none of state.turns.unfinished((about) => {
    known.push(about);
    return false;
  })) {
    // None is wanted: only their ids are read.
  }
  return known.sort((one, other) => other.createdAtMs - one.createdAtMs).map(({ id }) => id);
}

/** Newest first. `unread`: earlier ones, of which nobody knows whether they match. */
export async function unfinished(
  app: OverviewApp,
  filter: QuestionFilter,
): Promise<{ readonly found: readonly Turn[]; readonly unread: number }> {
  if (wantsEnded(filter)) return { found: [], unread: 0 };
  const known = await unfinishedIds(app);
  const newest = known.slice(0, maxRead);
  const read = await Promise.all(newest.map((id) => app.state.turns.get(id)));
  const found = read
    .filter((turn) => turn !== undefined)
    .filter((turn) => unfinishedTurnStates.includes(turn.state) && matches(turn, filter));
  return { found, unread: known.length - newest.length };
}

/** Only what has ended has these. */
export function wantsEnded({ outcome, why, feedback }: QuestionFilter): boolean {
  return outcome !== undefined || why !== undefined || feedback !== undefined;
}

export function matches(turn: Turn, filter: QuestionFilter): boolean {
  const { place, askedAtMs, agent, ref, asker } = aboutTurn(turn);
  const isThen = askedAtMs >= (filter.fromMs ?? 0) && askedAtMs < (filter.untilMs ?? Number.POSITIVE_INFINITY);
  const is = <T>(wanted: T | undefined, found: T | undefined) => wanted === undefined || wanted === found;
  const isThere =
    is(filter.platform, place.platform) && is(filter.workspace, place.workspace) && is(filter.channel, place.channel);
  return isThen && isThere && is(filter.agent, agent) && is(filter.ref, ref) && is(filter.asker, asker);
}

/** As it is now: the log follows a moment later. Undefined: it hasn't ended. */
export async function entryNow({ insight }: OverviewApp, turn: Turn): Promise<QuestionEntry | undefined> {
  if (unfinishedTurnStates.includes(turn.state)) return undefined;
  return entryOf({ turn, votes: await insight.voting.counts(turn) });
}
