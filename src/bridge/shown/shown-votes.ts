/**
 * Keeps the counts of votes below an answer current with at most one edit in 30 s over all instances. The first vote is
 * shown at once, later ones together. Also adds what was not ready at the end. No other write waits for it.
 */
import type { Refreshed } from "../../ports/delivery.ts";
import type { Reply } from "../../ports/model/reply.ts";
import type { Turn } from "../../ports/model/turn.ts";
import type { Bucket } from "../../ports/state.ts";
import { changeRecord } from "../../ports/tools/change-record.ts";
import { present } from "../../ports/tools/present.ts";
import { turnDocument } from "../../presentation/drawing.ts";
import type { People } from "../access/people.ts";
import type { BridgeDeps } from "../deps.ts";
import { hasOthers, shownWith } from "../turn/turn-end.ts";

/** One edit in 30 s. */
const perAnswer: Bucket = { capacity: 1, refillPerMinute: 2 };
/** How often a busy budget is tried again; then the counts wait for the next vote. */
const maxTries = 5;

export type ShownVotes = {
  /** The votes on that answer have changed. Returns at once. */
  readonly changed: (turnId: string) => void;
  /** Something that was not ready when that answer was shown, such as a picture, follows. Returns at once. */
  readonly lacked: (turnId: string) => void;
};

export function createShownVotes(
  deps: Omit<BridgeDeps, "people"> & { readonly people: People; readonly ending: AbortSignal },
): ShownVotes {
  const { turns, voting, sites, coordinator, settings, clock, log, ending } = deps;
  /** By Turn: whether votes changed again since the counts were read. */
  const pending = new Map<string, boolean>();

  async function waitForToken(turnId: string): Promise<void> {
    for (;;) {
      const token = await coordinator.takeToken(`votes/${turnId}`, perAnswer, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs, ending);
    }
  }

  /** Only an end that stands: a question that is asked again shows its votes when that is over. */
  function isStanding(now: Turn | undefined, before: Turn): boolean {
    return now?.state === "answered" && now.attempt === before.attempt && now.isUnderWay !== true;
  }

  async function show(turnId: string): Promise<Refreshed> {
    const turn = await turns.get(turnId);
    const view = turn?.outcome;
    if (turn === undefined || view === undefined || !isStanding(turn, turn)) return "unfit";
    const delivery = sites.get(turn.conversation.platform)?.delivery;
    if (delivery === undefined) return "unfit";
    const [votes, hasOtherAgents] = await Promise.all([voting?.counts(turn), hasOthers(turn, view, deps)]);
    const options = { ...shownWith(turn, settings.sourceOldMs), hasOtherAgents, ...present({ votes }) };
    const save = async (reply: Reply): Promise<void> => {
      const saved = await changeRecord<Turn>(turns, turnId, (now) => (isStanding(now, turn) ? { reply } : undefined));
      if (saved === undefined) throw new Error("The question is being asked again.");
    };
    return delivery.refresh({
      replyId: turnId,
      reply: turn.reply,
      save,
      document: turnDocument(view, clock.now(), options),
      isWanted: async () => isStanding(await turns.get(turnId), turn),
    });
  }

  /** `isFree`: the first edit is none of those that votes may cause. */
  async function keepShown(turnId: string, isFree: boolean): Promise<void> {
    let needsToken = !isFree;
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (needsToken) await waitForToken(turnId);
      needsToken = true;
      pending.set(turnId, false);
      const shown = await show(turnId);
      const isChanged = pending.get(turnId) === true;
      if (isChanged) tries = -1;
      else if (shown !== "busy") return;
    }
  }

  function begin(turnId: string, isFree: boolean): void {
    const isRunning = pending.has(turnId);
    pending.set(turnId, true);
    if (isRunning || ending.aborted) return;
    keepShown(turnId, isFree)
      .catch((err: unknown) => {
        if (!ending.aborted) log.info({ err, turnId }, "What changed below an answer was not shown");
      })
      .finally(() => pending.delete(turnId));
  }

  return {
    changed: (turnId) => begin(turnId, false),
    lacked: (turnId) => begin(turnId, true),
  };
}
