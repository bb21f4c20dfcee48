/**
 * Measures what people saw of an answer, from the writes a platform accepted. The measures are the same for every
 * platform.
 */

/** One write to the platform, as its bench's server read it. */
export type Write = {
  readonly kind: "post" | "edit" | "other";
  readonly atMs: number;
  /** Why it was refused. */
  readonly refusal?: string;
  /** Of the question it stands under. */
  readonly thread?: string;
  /** The newest step that it shows. */
  readonly newest?: { readonly step: number; readonly isRunning: boolean };
  /** Every step that it shows. */
  readonly steps: readonly number[];
  /** What the answer says of when it was sent. */
  readonly sentAtMs?: number;
};

/** A question: its number, the thread that its answer stands in, when it was asked. */
export type Asked = { readonly index: number; readonly thread: string; readonly atMs: number };

export type Answered = {
  readonly posts: number;
  readonly edits: number;
  readonly stepsShown: number;
  readonly placeholderMs: number;
  /** One for each chunk but the last: from its being written to the first accepted write that shows it or newer. */
  readonly staleMs: readonly number[];
  /** From the last byte to the accepted final. */
  readonly finalMs: number;
};

/** `times`: when each chunk of the question but the last was written, two a step. */
export function seen({ thread, atMs }: Asked, writes: readonly Write[], times: readonly number[]): Answered {
  const own = writes.filter((write) => write.thread === thread && write.refusal === undefined);
  const posts = own.filter(({ kind }) => kind === "post");
  const final = own.find(isFinal);
  const staleMs = times.map((writtenAtMs, chunk) => {
    const shown = own.find((write) => isFinal(write) || chunksShown(write) > chunk);
    return (shown?.atMs ?? Number.POSITIVE_INFINITY) - writtenAtMs;
  });
  return {
    posts: posts.length,
    edits: own.filter(({ kind }) => kind === "edit").length,
    stepsShown: new Set(own.flatMap(({ steps }) => steps)).size,
    placeholderMs: (posts[0]?.atMs ?? Number.NaN) - atMs,
    staleMs,
    finalMs: (final?.atMs ?? Number.NaN) - (final?.sentAtMs ?? Number.NaN),
  };
}

/** Step n is an action (2n + 1 chunks) while it runs, and an observation besides (2n + 2) when it is done. */
function chunksShown({ newest }: Write): number {
  return newest === undefined ? 0 : 2 * newest.step + (newest.isRunning ? 1 : 2);
}

export function isFinal({ refusal, sentAtMs }: Write): boolean {
  return refusal === undefined && sentAtMs !== undefined;
}

/** When the answer that the text shows was sent: the streaming service writes it there. */
export function sentAtMs(text: string): { readonly sentAtMs?: number } {
  const sent = /Sent at (\d+)/.exec(text)?.[1];
  return sent === undefined ? {} : { sentAtMs: Number(sent) };
}

/** NaN of no values. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
