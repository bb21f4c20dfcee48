/**
 * Removes the progress that an end was posted beside, after that end. The Reply says what to remove; a work with its
 * Turn is stored before it, so that any instance finds it after a crash. Removing twice does no harm.
 */

import type { App } from "../../app.ts";
import type { Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { answeredBelowDocument } from "../../presentation/drawing.ts";

export type Tidying = {
  /** Before a Reply that has such messages for the first time is stored. Never rejects. */
  readonly note: (turn: Pick<Turn, "id">) => Promise<void>;
  /** That Turn is over here: due now, also if a process that died had noted it long ago. Returns at once. */
  readonly begin: (turn: Pick<Turn, "id" | "reply">) => void;
};

/** After that, a message stays as it is. */
const giveUpAfterMs = 24 * 3_600_000;
const retryMs = { first: 5_000, longest: 3_600_000 };
/** They mostly wait for the budget of their workspace. */
const concurrency = 100;

export function createTidying({ state, sites, clock, log }: App): Tidying {
  const { works, turns } = state;
  async function store(turnId: string, dueAtMs: number): Promise<void> {
    try {
      await works.add("tidying", turnId, null, { dueAtMs });
    } catch (err) {
      log.warn({ err, turnId }, "Progress may stay beside an answer");
    }
  }

  async function remove(turn: Turn, isTooOld: boolean, signal: AbortSignal): Promise<void> {
    const { id: turnId, reply } = turn;
    const superseded = (reply.superseded ?? []).map(({ messageId }) => messageId);
    // What is part of the Reply is never removed.
    const removable = superseded.filter((one) => !reply.parts.some((part) => part.messageId === one));
    if (isTooOld && superseded.length > 0) {
      log.warn({ turnId }, "Progress beside an answer could not be removed for a day");
    } else {
      for (const messageId of removable) {
        const about = { place: reply.place, messageId, instead: answeredBelowDocument(), signal };
        const done = await sites.get(turn.conversation.platform)?.delivery.removeSuperseded(about);
        if (done === "later") throw new Error("The platform refuses it now.");
      }
    }
    if (superseded.length > 0) await forget(turnId, superseded);
  }

  async function forget(turnId: string, removed: readonly string[]): Promise<void> {
    await changeRecord<Turn>(turns, turnId, (now) => {
      const { superseded = [], ...reply } = now.reply;
      const left = superseded.filter(({ messageId }) => !removed.includes(messageId));
      if (!isOver(now)) return undefined;
      return { reply: { ...reply, superseded: left.length === 0 ? undefined : left } };
    });
  }

  function hindranceOf(turn: Turn): string | undefined {
    const { platform } = turn.conversation;
    if (!isOver(turn)) return "Its end comes first.";
    return sites.get(platform) === undefined ? `The platform ${platform} is switched off.` : undefined;
  }

  works.define<null>("tidying", {
    concurrency,
    attempts: 1_000,
    backoff: (attempt) => Math.min(retryMs.longest, retryMs.first * 2 ** Math.min(attempt - 1, 20)),
    // The run gives up before that.
    giveUpAfterMs: 2 * giveUpAfterMs,
    run: async ({ key, dueAtMs }, signal) => {
      const turn = await turns.get(key);
      if (turn === undefined) return undefined;
      const isTooOld = clock.now() - dueAtMs > giveUpAfterMs;
      const hindrance = hindranceOf(turn);
      // As a failure, so that the next attempt is later: returning a time would reset the backoff.
      if (hindrance !== undefined && !isTooOld) throw new Error(hindrance);
      await remove(turn, isTooOld, signal);
      return undefined;
    },
  });

  return {
    note: ({ id }) => store(id, clock.now() + retryMs.first),
    begin: ({ id, reply }) => {
      if (reply.superseded !== undefined) void store(id, clock.now());
    },
  };
}

function isOver({ state }: Turn): boolean {
  return !unfinishedTurnStates.includes(state);
}
