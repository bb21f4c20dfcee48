/**
 * Chooses the tickets whose positions are requested next. In a short queue, all of them. In a long queue, the front
 * every time and the others in turn, so that the cost doesn't depend on how many wait.
 */
type Positioned = { readonly position: number };

/** A queue with more waiting callers is long. */
export const longQueue = 100;
const perKind = 20;
const frontForMs = 1_000;

export type PositionTurns = { readonly next: (waiting: ReadonlyMap<string, Positioned>, nowMs: number) => string[] };

export function createPositionTurns(): PositionTurns {
  let front: readonly string[] = [];
  let frontAtMs = Number.NEGATIVE_INFINITY;
  let turn: Iterator<string> | undefined;

  function nextInTurn(waiting: ReadonlyMap<string, Positioned>): string | undefined {
    turn ??= waiting.keys();
    const { value, done } = turn.next();
    if (done !== true) return value;
    turn = undefined;
    return undefined;
  }

  return {
    next: (waiting, nowMs) => {
      if (waiting.size <= longQueue) return [...waiting.keys()];
      if (nowMs - frontAtMs >= frontForMs) {
        frontAtMs = nowMs;
        const known = [...waiting].filter(([, { position }]) => position > 0);
        front = known
          .sort(([, a], [, b]) => a.position - b.position)
          .slice(0, perKind)
          .map(([id]) => id);
      }
      const asked = new Set(front.filter((id) => waiting.has(id)));
      for (let count = 0; count < perKind; count += 1) {
        const id = nextInTurn(waiting);
        if (id === undefined) break;
        asked.add(id);
      }
      return [...asked];
    },
  };
}
