/** The port to what is due at a time: each kind has its list in the store, and one instance does each thing. */

/** Does it, alone; called again after a crash. Returns when it is due next; undefined: never. */
export type DueRun = (member: string, dueAtMs: number) => Promise<number | undefined>;

export type DueWork = {
  /** `kind` names the list: "schedules", "reviews". What nobody registered is left as it is. */
  readonly register: (kind: string, run: DueRun) => void;
  /** Adds it, or changes when it is due. `member` begins with the workspace. */
  readonly put: (kind: string, member: string, dueAtMs: number) => Promise<void>;
  readonly delete: (kind: string, member: string) => Promise<void>;
  /**
   * For changes of it and of its time: meanwhile no instance does it. Rejects with state_unavailable when that can't be
   * had soon.
   */
  readonly alone: <T>(kind: string, member: string, work: () => Promise<T>) => Promise<T>;
};
