/** Adds deriving to what is noted of Turns: their end, votes on them, that they are forgotten. */
import type { Begin, TurnNotes } from "../../core/content/gaps.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { TurnNoting } from "./turn-projection.ts";

export function withTurnWork(notes: TurnNotes, work: TurnNoting): TurnNotes {
  async function both(turn: Turn, noting: Promise<Begin>): Promise<Begin> {
    const begins = await Promise.all([noting, work.note(turn)]);
    return () => {
      for (const begin of begins) begin();
    };
  }

  return {
    noteEnd: notes.noteEnd,
    noteFinal: work.note,
    noteSignal: (turn, signal) => both(turn, notes.noteSignal(turn, signal)),
    withdrawSignal: (turn, signal) => both(turn, notes.withdrawSignal(turn, signal)),
    noteVote: work.note,
    noteForgotten: async (turns) => {
      const forget = await notes.noteForgotten(turns);
      const begins: Begin[] = [];
      for (const turn of turns) begins.push(await work.note(turn));
      return async () => {
        await forget();
        for (const begin of begins) begin();
      };
    },
  };
}
