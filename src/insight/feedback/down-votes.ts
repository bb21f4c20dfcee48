/** Counts the 👎 on the answers to a question, for lists of gaps: one answer may have a hundred. */
import type { Asker, Feedback } from "../../ports/model/insight.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import type { KeyValue } from "../../ports/state.ts";

/** Of further answers only that there was a 👎 is counted: a list must be there at once. */
const maxCounted = 8;
const maxVotes = 1_000;

/** `askers`: those whose votes count. `store`: namespace "feedback". */
export async function downVotes(
  store: Pick<KeyValue<Feedback>, "entries">,
  at: Pick<Place, "platform" | "workspace">,
  askers: readonly Pick<Asker, "turnId" | "signals">[],
): Promise<number> {
  const down = askers.filter(({ signals }) => signals.includes("thumbs-down"));
  const counted = await Promise.all(down.slice(-maxCounted).map(({ turnId }) => votesOn(turnId)));
  return counted.reduce((all, count) => all + count, Math.max(0, down.length - maxCounted));

  /** Votes of earlier versions are in the Turn: there was one, or it would be no signal. */
  async function votesOn(turnId: string): Promise<number> {
    let count = 0;
    for await (const [, { thumb }] of store.entries(`${workspaceKey(at)}/${turnId}/`)) {
      if (thumb === "down") count += 1;
      if (count >= maxVotes) break;
    }
    return Math.max(1, count);
  }
}
