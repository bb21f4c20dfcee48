/**
 * Measures what people saw of an answer, from the writes a platform accepted. The measures are the same for every
 * platform.
 */

/** One write to the platform, as its bench's server read it. */
export type Write = {
  /** "status": the line that the asker reads under a thread. */
  readonly kind: "post" | "edit" | "status" | "other";
  readonly atMs: number;
  /** What was called, as the platform names it. */
  readonly call: string;
  readonly refusal?: "limited" | "other";
  /** Of the question that it answers. */
  readonly question?: number;
  /** The newest step that it shows. */
  readonly newest?: { readonly step: number; readonly isRunning: boolean };
  /** The last word that it shows of an answer that grows: word 0 is the first. */
  readonly lastWord?: number;
  /** Every step that it shows. */
  readonly steps: readonly number[];
  /** What the answer says of when it was sent. */
  readonly sentAtMs?: number;
};

/** A question: its number and when it was asked. */
export type Asked = { readonly index: number; readonly atMs: number };

/** What a platform's bench server read of everything. */
export type Report = {
  readonly writes: readonly Write[];
  /** What stands under each question: messages of the bot, and those of them that show the answer. */
  readonly standing: readonly { readonly messages: number; readonly answers: number }[];
  /** What was refused for a limit, reading too, as often as that. */
  readonly limited: readonly string[];
  /** Calls that should have waited for a limit's end. */
  readonly tooEarly: number;
  /** Edits of one message that were under way there at once, at most. */
  readonly editsAtOnce: number;
};

export type Answered = {
  readonly posts: number;
  readonly edits: number;
  readonly stepsShown: number;
  readonly placeholderMs: number;
  /** One for each chunk but the last: from its being written to the first accepted write that shows it or newer. */
  readonly staleMs: readonly number[];
  /** The same for new steps only, without their results. */
  readonly newStaleMs: readonly number[];
  /** The same, where the status line counts too. */
  readonly statusStaleMs: readonly number[];
  /** From the last byte to the accepted final. */
  readonly finalMs: number;
  /** From the question to the accepted final. */
  readonly endedMs: number;
};

/** `times`: when each chunk of the question but the last was written, two a step. What was never shown is Infinity. */
export function seen({ index, atMs }: Asked, writes: readonly Write[], times: readonly number[]): Answered {
  const own = writes.filter(({ question, refusal }) => question === index && refusal === undefined);
  const messages = own.filter(({ kind }) => kind === "post" || kind === "edit");
  const posts = messages.filter(({ kind }) => kind === "post");
  const final = messages.find(isFinal);
  const staleIn = (shown: readonly Write[]) =>
    times.map((writtenAtMs, chunk) => {
      const first = shown.find((write) => isFinal(write) || chunksShown(write) > chunk);
      return (first?.atMs ?? Number.POSITIVE_INFINITY) - writtenAtMs;
    });
  const staleMs = staleIn(messages);
  const isNewStep = (_: number, chunk: number) => chunk % 2 === 0;
  return {
    posts: posts.length,
    edits: messages.length - posts.length,
    stepsShown: new Set(messages.flatMap(({ steps }) => steps)).size,
    placeholderMs: (posts[0]?.atMs ?? Number.POSITIVE_INFINITY) - atMs,
    staleMs,
    newStaleMs: staleMs.filter(isNewStep),
    statusStaleMs: staleIn(own).filter(isNewStep),
    finalMs: (final?.atMs ?? Number.POSITIVE_INFINITY) - (final?.sentAtMs ?? 0),
    endedMs: (final?.atMs ?? Number.POSITIVE_INFINITY) - atMs,
  };
}

/** Step n is an action (2n + 1 chunks) while it runs, and an observation besides (2n + 2) when it is done. */
function chunksShown({ newest, lastWord }: Write): number {
  if (lastWord !== undefined) return lastWord + 1;
  return newest === undefined ? 0 : 2 * newest.step + (newest.isRunning ? 1 : 2);
}

export function isFinal({ refusal, sentAtMs }: Pick<Write, "refusal" | "sentAtMs">): boolean {
  return refusal === undefined && sentAtMs !== undefined;
}

/** When the answer that the text shows was sent: the streaming service writes it there. */
export function sentAtMs(text: string): { readonly sentAtMs?: number } {
  const sent = /Sent at (\d+)/.exec(text)?.[1];
  return sent === undefined ? {} : { sentAtMs: Number(sent) };
}

/** The last word of an answer that grows, as far as the text shows it. */
export function lastWordIn(text: string): { readonly lastWord?: number } {
  const at = text.lastIndexOf("word");
  const last = /^word(\d+)/.exec(text.slice(at, at + 12))?.[1];
  return last === undefined ? {} : { lastWord: Number(last) };
}

/** The number in a question's words. */
export function indexIn(text: string): number | undefined {
  const index = /question (\d+)/.exec(text)?.[1];
  return index === undefined ? undefined : Number(index);
}

type Step = { readonly step: number; readonly isRunning: boolean };

/** The steps in drawn lines: a mark, words, and what the service was asked: “s12”. */
export function stepsIn(text: string): readonly Step[] {
  return [...text.matchAll(/^(\S+) .*“s(\d+)”/gmu)].map(([, mark, step]) => ({
    step: Number(step),
    isRunning: mark === "⏳",
  }));
}

export function newestOf(steps: readonly Step[]): Pick<Write, "newest" | "steps"> {
  const newest = steps.toSorted((one, other) => one.step - other.step).at(-1);
  return { ...(newest === undefined ? {} : { newest }), steps: steps.map(({ step }) => step) };
}

/** NaN of no values. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
