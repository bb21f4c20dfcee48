/** Records what was asked in a chaos run, on each platform, and what was done to it meanwhile. */
export type Asked = {
  readonly tag: string;
  /** Of the event that brings it, as the bridge knows it. */
  readonly eventKey: string;
  readonly platform: "slack" | "discord" | "console";
  /** Questions of one thread are answered in the order in which they were asked. */
  readonly thread: string;
  /** Whether Parley has taken it. */
  readonly isTaken: () => boolean;
  readonly settled: Promise<unknown>;
};

export type Book = {
  readonly asked: readonly Asked[];
  /** Tags that may have been asked more than once, because somebody pressed a button in their thread. */
  readonly askedAgain: ReadonlySet<string>;
  readonly counts: { readonly pressed: number; readonly repeated: number };
  /** "Q17." for the question that is added next. */
  readonly nextTag: () => string;
  readonly add: (question: Asked) => void;
  /**
   * Which question it is does not stand on a button: none of that thread counts as asked in order any more. `tag`: of a
   * command, whose thread is not known here.
   */
  readonly press: (thread: string | undefined, tag?: string) => void;
  /** An old event was delivered once more. */
  readonly repeat: () => void;
};

export function createBook(): Book {
  const asked: Asked[] = [];
  const askedAgain = new Set<string>();
  const counts = { pressed: 0, repeated: 0 };
  return {
    asked,
    askedAgain,
    counts,
    nextTag: () => `Q${asked.length}.`,
    add: (question) => void asked.push(question),
    press: (thread, tag) => {
      counts.pressed += 1;
      for (const question of asked) {
        if (question.thread === thread || question.tag === tag) askedAgain.add(question.tag);
      }
    },
    repeat: () => {
      counts.repeated += 1;
    },
  };
}

/** The people of one platform. */
export type Askers = {
  readonly ask: () => void;
  readonly press: (label: "Stop" | "Try again") => void;
  /** An old event is delivered once more. */
  readonly repeat: () => void;
};
