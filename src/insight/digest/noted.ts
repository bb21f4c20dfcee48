/** Adds counting to what is noted of Turns: their end, votes on them, that they are forgotten. */
import type { Clock } from "../../ports/clock.ts";
import type { DayCounting } from "../../ports/content/digest.ts";
import type { Begin, TurnNotes } from "../../ports/content/gaps.ts";
import type { Site } from "../../ports/delivery.ts";
import type { Log } from "../../ports/log.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { keepTrying } from "../../ports/tools/retry.ts";
import { soon } from "../../ports/tools/soon.ts";

/** The end is shown already; its record waits no longer for a note than this. */
const noteWithinMs = 1_000;
/** A store that is away for longer loses the count, not the answer. */
const storePatienceMs = 120_000;

const nothing: Begin = () => {};

export function withDayCounts(
  notes: TurnNotes,
  counts: DayCounting,
  deps: {
    readonly siteOf: (platform: string) => Pick<Site, "platform"> | undefined;
    readonly clock: Clock;
    readonly log: Log;
  },
): TurnNotes {
  const { siteOf, clock, log } = deps;

  /** Nobody gets a digest of direct messages, and what a schedule asks is nobody's question. */
  function isCounted({ agent, askedIn, scheduleId }: Turn): boolean {
    const { platform } = siteOf(askedIn.platform) ?? {};
    const isDirect = platform?.isDirect?.(askedIn) === true && platform.isOwnPage !== true;
    return agent !== undefined && scheduleId === undefined && !isDirect;
  }

  async function countEnd(turn: Turn): Promise<Begin> {
    if (!isCounted(turn)) return nothing;
    const noting = keepTrying(() => counts.note(turn), { clock, forMs: storePatienceMs }).catch((err: unknown) => {
      log.warn({ err, turnId: turn.id }, "A question was not counted");
      return nothing;
    });
    await soon(noting, noteWithinMs, clock);
    return () => {
      // It never rejects.
      void noting.then((begin) => begin());
    };
  }

  async function both(turn: Turn, noting: Promise<Begin>): Promise<Begin> {
    const [begin, count] = await Promise.all([noting, isCounted(turn) ? counts.note(turn) : nothing]);
    return () => {
      begin();
      count();
    };
  }

  return {
    noteEnd: async (turn, view) => {
      const [begin, count] = await Promise.all([notes.noteEnd(turn, view), countEnd(turn)]);
      return () => {
        begin();
        count();
      };
    },
    noteSignal: (turn, signal) => both(turn, notes.noteSignal(turn, signal)),
    withdrawSignal: (turn, signal) => both(turn, notes.withdrawSignal(turn, signal)),
    noteVote: (turn) => both(turn, Promise.resolve(nothing)),
    noteForgotten: async (turns) => {
      const forget = await notes.noteForgotten(turns);
      return async () => {
        await forget();
        await counts.forget(turns);
      };
    },
  };
}
