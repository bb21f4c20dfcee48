/** Puts the pieces of text of a page together: into lines, and these into cells where there is a gap. Pure. */

/** As pdf.js gives it. `transform`: the last two are the place from the left and the bottom, in points. */
export type PlacedText = {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly transform: readonly number[];
};

export type Cell = { readonly text: string; readonly from: number; readonly to: number };

export type Line = {
  /** From left to right, at least one. */
  readonly cells: readonly Cell[];
  /** Of the base of its letters, from the bottom of the page. */
  readonly y: number;
  /** Of its largest letters, in points. */
  readonly size: number;
};

type Placed = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly size: number;
};

/** In letter sizes. Justified text has gaps between words, which are narrower. */
const cellGap = 1.4;
const wordGap = 0.15;
/** A footnote's mark stands higher than its line. */
const sameLine = 0.5;

/** In the order in which the page writes them, which is the order of reading on a page of several columns. */
export function linesOf(items: readonly PlacedText[]): readonly Line[] {
  const lines: Placed[][] = [];
  for (const item of items) {
    if (item.str.trim() === "") continue;
    const placed = placedOf(item);
    const last = lines.at(-1)?.[0];
    const isSame = last !== undefined && Math.abs(last.y - placed.y) <= sameLine * Math.max(last.size, placed.size);
    if (isSame) lines.at(-1)?.push(placed);
    else lines.push([placed]);
  }
  const isRightToLeft = items.filter(({ dir }) => dir === "rtl").length > items.length / 2;
  return lines.map((line) => lineOf(line, isRightToLeft));
}

function placedOf({ str, width, transform }: PlacedText): Placed {
  const [, , c = 0, d = 0, x = 0, y = 0] = transform;
  return { text: str, from: x, to: x + Math.abs(width), y, size: Math.hypot(c, d) || 1 };
}

function lineOf(pieces: readonly Placed[], isRightToLeft: boolean): Line {
  const size = Math.max(...pieces.map((piece) => piece.size));
  const cells: Cell[] = [];
  for (const { text, from, to } of pieces.toSorted((one, other) => one.from - other.from)) {
    const last = cells.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : from - last.to;
    if (last === undefined || gap > cellGap * size) {
      cells.push({ text, from, to });
      continue;
    }
    const [left, right] = isRightToLeft ? [text, last.text] : [last.text, text];
    const isApart = gap > wordGap * size && !/\s$/.test(left) && !/^\s/.test(right);
    cells[cells.length - 1] = {
      text: `${left}${isApart ? " " : ""}${right}`,
      from: last.from,
      to: Math.max(last.to, to),
    };
  }
  const whole = cells.map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, " ").trim() }));
  return { cells: isRightToLeft ? whole.toReversed() : whole, y: pieces[0]?.y ?? 0, size };
}

/** The size of most letters. */
export function bodySizeOf(lines: readonly Line[]): number {
  const chars = new Map<number, number>();
  for (const { cells, size } of lines) {
    const key = roundedSize(size);
    const count = cells.reduce((sum, { text }) => sum + text.length, 0);
    chars.set(key, (chars.get(key) ?? 0) + count);
  }
  return [...chars].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

export function roundedSize(size: number): number {
  return Math.round(size * 2) / 2;
}
