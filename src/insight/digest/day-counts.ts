/**
 * Sums questions and votes by channel and day, exactly once: applied under the day's lease, as the difference to what
 * that Turn had added before.
 */

import type { App } from "../../app.ts";
import type { DayCount } from "../../core/content/digest.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { TurnProjection } from "../../core/overview/turn-projection.ts";
import {
  cellKeyOf,
  type DayCell,
  dayMs,
  dayOf,
  emptyCell,
  exchanged,
  isSame,
  type Share,
  shareOf,
  sumOf,
} from "./day-cell.ts";

/** A digest needs eight days; more for one that was paused. */
const cellMs = 62 * dayMs;

export type DayCounts = TurnProjection & {
  /** Of a channel, to the quarter of an hour. */
  readonly between: (place: Place, fromMs: number, untilMs: number) => Promise<DayCount>;
  /** What was counted stays; which question it was does not. */
  readonly forget: (turns: readonly Pick<Turn, "id" | "askedIn">[]) => Promise<void>;
};

export function createDayCounts(
  app: App,
  {
    isCounted,
  }: {
    /** Nobody gets a digest of the others. */
    readonly isCounted: (turn: Turn) => boolean;
  },
): DayCounts {
  const { retentionMs } = app.settings;
  const cells = app.state.keyValue<DayCell>("day-counts");
  const shares = app.state.keyValue<Share>("counted");

  const shareKey = ({ askedIn, id }: Pick<Turn, "askedIn" | "id">) => `${workspaceKey(askedIn)}/${id}`;

  /** Recorded in the cell by a process that then died. */
  async function settle(cellKey: string, workspace: string, cell: DayCell): Promise<DayCell> {
    const { unsettled, ...rest } = cell;
    if (unsettled === undefined) return cell;
    const settling = Object.entries(unsettled).map(([id, share]) =>
      shares.set(`${workspace}/${id}`, share, retentionMs),
    );
    await Promise.all(settling);
    await cells.set(cellKey, rest, cellMs);
    return rest;
  }

  return {
    derive: async (cellKey, turns, _gone, isCurrent) => {
      const counted = turns.filter(({ turn }) => isCounted(turn));
      if (counted.length === 0) return;
      const workspace = cellKey.split("/").slice(0, 2).join("/");
      let cell = await settle(cellKey, workspace, (await cells.get(cellKey)) ?? emptyCell);
      const unsettled: Record<string, Share> = {};
      const known = await Promise.all(counted.map(({ turn }) => shares.get(shareKey(turn))));
      for (const [at, { turn, votes }] of counted.entries()) {
        const now = shareOf(turn, votes);
        if (now === undefined) continue;
        const before = known[at];
        if (isSame(before, now)) continue;
        cell = exchanged(cell, before, now);
        unsettled[turn.id] = now;
      }
      if (Object.keys(unsettled).length === 0) return;
      if (!isCurrent()) throw new Error("The lease of a day's counts was lost.");
      // One write changes the sums and says whose they are.
      await cells.set(cellKey, { ...cell, unsettled }, cellMs);
      await settle(cellKey, workspace, { ...cell, unsettled });
    },
    forget: async (forgotten) => {
      for (const turn of forgotten) await shares.delete(shareKey(turn));
    },
    between: async (place, fromMs, untilMs) => {
      const days = Array.from({ length: dayOf(untilMs - 1) - dayOf(fromMs) + 1 }, (_, at) => dayOf(fromMs) + at);
      const sums = await Promise.all(
        days.map(async (day) => sumOf((await cells.get(cellKeyOf(place, day))) ?? emptyCell, day, fromMs, untilMs)),
      );
      const add = (member: keyof DayCount) => sums.reduce((sum, one) => sum + one[member], 0);
      return { questions: add("questions"), withSource: add("withSource"), up: add("up"), down: add("down") };
    },
  };
}
