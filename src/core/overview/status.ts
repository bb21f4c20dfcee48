/** The port to the state of the installation, as the overview shows it: what runs, what is connected, what is wrong. */

export type PlatformStatus = {
  readonly name: string;
  /** "Slack", "Discord", "page". */
  readonly label: string;
  readonly isConnected: boolean;
  /** What it lacks, or why it isn't connected, with the remedy. */
  readonly reason?: string;
};

/** One thing that is wrong, and what to do: a sentence of `npm run doctor`. */
export type Problem = { readonly name: string; readonly says: string };

export type Status = {
  /** Over all instances. */
  readonly now: { readonly running: number; readonly waiting: number };
  /** Those that are switched on. */
  readonly platforms: readonly PlatformStatus[];
  readonly service: {
    readonly isOk: boolean;
    /** Which service and version, in a line. */
    readonly is?: string;
    readonly reason?: string;
    /** What doesn't work although it answers. */
    readonly failing?: string;
    /** Of the last answer to "are you there?". */
    readonly latencyMs?: number;
  };
  readonly storage: {
    readonly kind: "SQLite" | "Redis";
    readonly isOk: boolean;
    readonly reason?: string;
    readonly bytes?: number;
  };
  readonly version: string;
  readonly startedAtMs: number;
  readonly problems: readonly Problem[];
  /** When `problems` were last looked for. Absent: not yet since the start. */
  readonly checkedAtMs?: number;
};

export type StatusReader = {
  /** From what is known already: waits for nothing that is down. Rejects with state_unavailable. */
  readonly now: () => Promise<Status>;
};
