/** What every bench returns: a figure and its target. A bench never fails, because machines differ. */
export type Measure = {
  readonly name: string;
  readonly value: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
  /** The same figure of a naive bot, in the same run. */
  readonly naive?: number;
};

/** "ok      edits: 22 edits (at most 25: 0.88 times; naive bot: 41)" */
export function lineOf({ name, value, target, unit, naive }: Measure): string {
  const beside = [
    ...(target === undefined ? [] : [wanted(value, target)]),
    ...(naive === undefined ? [] : [`naive bot: ${figure(naive)}`]),
  ].join("; ");
  return `${mark(value, target)} ${name}: ${figure(value)} ${unit}${beside === "" ? "" : ` (${beside})`}`.trimEnd();
}

/** A row of a table: what, its target, the result, and that of a naive bot. */
export function rowOf({ name, value, target, unit, naive }: Measure): string {
  const bound = target === undefined ? "" : wanted(Number.NaN, target);
  const cells = [name, bound, `${figure(value)} ${unit}`, naive === undefined ? "" : figure(naive)];
  return `| ${cells.map((cell) => cell.trim()).join(" | ")} |`;
}

function mark(value: number, target: Measure["target"]): string {
  if (target === undefined) return "       ";
  return ("atLeast" in target ? value >= target.atLeast : value <= target.atMost) ? "ok     " : "MISSED ";
}

function wanted(value: number, target: NonNullable<Measure["target"]>): string {
  const [words, bound] = "atLeast" in target ? ["at least", target.atLeast] : ["at most", target.atMost];
  const ratio = bound === 0 || !Number.isFinite(value) ? "" : `: ${(value / bound).toFixed(2)} times`;
  return `${words} ${bound}${ratio}`;
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return "never";
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}
