/** Compares what a check found with the time before: what is lost, what is as it was, what holds again. Pure. */
import type { JobItem } from "../../../core/model/job.ts";

/** `beforeMs`: when that was checked. */
export type ComparedLine = {
  readonly kind: "lost" | "still-lost" | "first-lost" | "healed";
  /** Undefined: not to be named where the check is shown. */
  readonly question: string | undefined;
  readonly result: "held" | "other-source" | "no-source";
  readonly before?: { readonly result: "held" | "other-source" | "no-source"; readonly atMs: number };
};

export type ComparedChecks = {
  /** Asked, and their answers were still there. */
  readonly asked: number;
  readonly held: number;
  /** Their answers are gone. */
  readonly gone: number;
  /** Could not be asked, by reason. */
  readonly failed: ReadonlyMap<string, number>;
  /** Those that don't hold, or hold again: what is newly lost first. */
  readonly lines: readonly ComparedLine[];
  /** Of the same questions the last time, if any of them was checked before. */
  readonly before?: { readonly asked: number; readonly held: number; readonly atMs: number };
};

const order: readonly ComparedLine["kind"][] = ["lost", "first-lost", "still-lost", "healed"];

export function compareChecks(items: readonly JobItem[]): ComparedChecks {
  const done = items.flatMap(({ state, title, checked }) =>
    state === "done" && checked !== undefined ? [{ title, ...checked }] : [],
  );
  const asked = done.flatMap(({ result, ...rest }) => (result === "gone" ? [] : [{ ...rest, result }]));
  const lines = asked.flatMap(({ title: question, result, before }): ComparedLine[] => {
    const kind = kindOf(result, before?.result);
    return kind === undefined ? [] : [{ kind, question, result, before }];
  });
  const known = asked.flatMap(({ before }) => (before === undefined ? [] : [before]));
  const failed = new Map<string, number>();
  for (const { state, reason = "" } of items) {
    if (state === "failed") failed.set(reason, (failed.get(reason) ?? 0) + 1);
  }
  return {
    asked: asked.length,
    held: asked.filter(({ result }) => result === "held").length,
    gone: done.length - asked.length,
    failed,
    lines: lines.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
    ...(known.length === 0
      ? {}
      : {
          before: {
            asked: known.length,
            held: known.filter(({ result }) => result === "held").length,
            atMs: Math.max(...known.map(({ atMs }) => atMs)),
          },
        }),
  };
}

function kindOf(
  result: ComparedLine["result"],
  before: ComparedLine["result"] | undefined,
): ComparedLine["kind"] | undefined {
  if (result === "held") return before === undefined || before === "held" ? undefined : "healed";
  if (before === undefined) return "first-lost";
  return before === "held" ? "lost" : "still-lost";
}
