/**
 * Stores votes on answers, one record per person and answer: a hundred people who press at once don't wait for each
 * other. Nothing about a vote is in memory.
 */

import type { App } from "../app.ts";
import type { TurnNotes } from "../core/content/gaps.ts";
import type { Explanation, VoteCounts, Voted, Voter, Voting } from "../core/content/voting.ts";
import type { Feedback } from "../core/model/insight.ts";
import { workspaceKey } from "../core/model/place.ts";
import type { Thumb, Turn } from "../core/model/turn.ts";

/** Of further answers only that there was a 👎 is counted: a list must be there at once. */
const maxCounted = 8;
/** One answer may have a hundred. */
const maxVotes = 1_000;

/** `store`: namespace "feedback". */
export function createVotes(
  app: App,
  {
    notes,
  }: {
    readonly notes: Pick<TurnNotes, "noteSignal" | "withdrawSignal" | "noteVote">;
  },
): Voting {
  const { metrics, clock } = app;
  const { retentionMs } = app.settings;
  const store = app.state.keyValue<Feedback>("feedback");

  async function own(turn: Voted, voter: string): Promise<Thumb | undefined> {
    return (await store.get(keyOf(turn, voter)))?.thumb;
  }

  async function downOn(turn: Voted): Promise<number> {
    let count = 0;
    for await (const [, { thumb }] of store.entries(votesPrefix(turn))) {
      if (thumb === "down") count += 1;
      if (count >= maxVotes) break;
    }
    return count;
  }

  const put = (turn: Turn, feedback: Feedback) => store.set(keyOf(turn, feedback.voter), feedback, retentionMs);

  /** Noted first, so that no stored 👎 is overlooked if the process dies in between. */
  async function putDown(turn: Turn, { id, actor }: Voter, explanation: Explanation): Promise<void> {
    const begin = await notes.noteSignal(turn, "thumbs-down");
    await put(turn, newFeedback(turn, id, actor, "down", explanation));
    begin();
  }

  /** What is noted looks at all votes: others may still say so. */
  async function withdrawing(turn: Turn, change: () => Promise<void>): Promise<void> {
    const begin = await notes.withdrawSignal(turn, "thumbs-down");
    await change();
    begin();
  }

  /** 👍 says nothing about what is missing, and is only counted. */
  async function counting(turn: Turn, change: () => Promise<void>): Promise<void> {
    const begin = await notes.noteVote?.(turn);
    await change();
    begin?.();
  }

  function newFeedback(
    turn: Turn,
    voter: string,
    { id, name }: Voter["actor"],
    thumb: Thumb,
    explanation: Explanation,
  ): Feedback {
    const { id: turnId } = turn;
    return { version: 1, turnId, voter, actor: { id, name }, thumb, ...explanation, atMs: clock.now() };
  }

  return {
    own,
    give: async (turn, voter, thumb) => {
      const before = await store.get(keyOf(turn, voter.id));
      if (before?.thumb === thumb) return;
      if (thumb === "down") await putDown(turn, voter, {});
      else {
        const change = () => put(turn, newFeedback(turn, voter.id, voter.actor, thumb, {}));
        await (before?.thumb === "down" ? withdrawing(turn, change) : counting(turn, change));
      }
      metrics.voted(turn.agent?.name ?? "", thumb);
    },
    takeBack: async (turn, voter) => {
      const thumb = await own(turn, voter);
      const remove = () => store.delete(keyOf(turn, voter));
      await (thumb === "down" ? withdrawing(turn, remove) : counting(turn, remove));
    },
    explain: async (turn, voter, explanation) => {
      const before = await own(turn, voter.id);
      await putDown(turn, voter, explanation);
      if (before !== "down") metrics.voted(turn.agent?.name ?? "", "down");
    },
    counts: async (turn): Promise<VoteCounts> => {
      const all = await Array.fromAsync(store.entries(votesPrefix(turn)), ([, { thumb }]) => thumb);
      const up = all.filter((thumb) => thumb === "up").length;
      return { up, down: all.length - up };
    },
    down: async (at, askers) => {
      const down = askers.filter(({ signals }) => signals.includes("thumbs-down"));
      const counted = down.slice(-maxCounted).map(({ turnId }) => downOn({ id: turnId, conversation: at }));
      return (await Promise.all(counted)).reduce((all, count) => all + count, Math.max(0, down.length - maxCounted));
    },
  };
}

/** Keys of all votes on an answer begin with it. */
function votesPrefix({ id, conversation }: Voted): string {
  return `${workspaceKey(conversation)}/${id}/`;
}

function keyOf(turn: Voted, voter: string): string {
  return votesPrefix(turn) + encodeURIComponent(voter);
}
