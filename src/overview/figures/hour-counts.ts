/**
 * Counts every Turn once, by quarter of an hour: what it adds is exchanged for what it had added before, in one write.
 * The sums know no person and no question.
 */

import type { App } from "../../app.ts";
import type { Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ProjectedTurn, TurnProjection } from "../../core/overview/turn-projection.ts";
import { tallyDays } from "../../core/ports/storage/tallies.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { changesOf, dayOf, type Share, shareOf } from "./slots.ts";

export function createHourCounts(
  app: App,
  {
    isDirect,
  }: {
    /** Whether only its asker and Parley read that place. */
    readonly isDirect: (turn: Turn) => boolean;
  },
): TurnProjection {
  const { clock } = app;
  const { tallies } = app.state;

  async function count(day: number, turns: readonly ProjectedTurn[], isCurrent: () => boolean): Promise<void> {
    const known = await tallies.contributions(
      day,
      turns.map(({ turn }) => turn.id),
    );
    const contributions = turns.flatMap((projected) => {
      const before = known.get(projected.turn.id);
      const share = shareOf(projected, isDirect(projected.turn));
      const now = JSON.stringify(share);
      if (now === before) return [];
      const changes = changesOf(readShare(before), share);
      // What adds nothing and never did leaves no trace.
      if (before === undefined && changes.length === 0) return [];
      return [{ by: projected.turn.id, now, changes, before }];
    });
    if (contributions.length === 0) return;
    if (!isCurrent()) throw new Error("The lease of a day's counts was lost.");
    const refused = await tallies.exchange(day, contributions);
    if (refused.length > 0) throw new Error("Another instance counted the same questions.");
  }

  return {
    derive: async (cell, turns, gone, isCurrent) => {
      const day = dayOfCell(cell);
      // Its counters are removed, or would be at once.
      if (day <= dayOf(clock.now()) - tallyDays) return;
      const forgotten = turns.filter(({ turn }) => turn.isForgotten === true).map(({ turn }) => turn.id);
      const counted = turns.filter(({ turn }) => turn.isForgotten !== true);
      if (counted.length > 0) await count(day, counted, isCurrent);
      const left = [...forgotten, ...gone];
      if (left.length > 0) await tallies.forget(day, left);
    },
  };
}

/** What is damaged had added nothing that could be taken back. */
function readShare(text: string | undefined): Share | undefined {
  const share = parseJson(text ?? "");
  return typeof share === "object" && share !== null ? (share as Share) : undefined;
}

/** The last part of "PLATFORM/WORKSPACE/CHANNEL/DAY". */
function dayOfCell(cell: string): number {
  return Number(cell.slice(cell.lastIndexOf("/") + 1));
}

/** Whether a channel's name would say whose questions are counted. */
export function isOnesOwn(
  { askedIn, visibility }: Pick<Turn, "askedIn" | "visibility">,
  platform: { readonly isOwnPage?: true; readonly isDirect?: (place: Place) => boolean } | undefined,
): boolean {
  if (visibility === "direct") return true;
  return platform?.isOwnPage !== true && platform?.isDirect?.(askedIn) === true;
}
