/** What only the program knows about its installation: its storage, its checks, its settings and its errors. */
import type { SettingRows } from "../config/in-force.ts";
import type { RecentError } from "../operations/recent-errors.ts";

/** One thing that is wrong, and what to do: a sentence of `npm run doctor`. */
export type Problem = { readonly name: string; readonly says: string };

export type ServiceStatus = {
  readonly isOk: boolean;
  /** Which service and version, in a line. */
  readonly is?: string;
  readonly reason?: string;
  /** What doesn't work although it answers. */
  readonly failing?: string;
  /** Of the last answer to "are you there?". */
  readonly latencyMs?: number;
};

export type StorageStatus = {
  readonly kind: "SQLite" | "Redis";
  readonly isOk: boolean;
  readonly reason?: string;
  readonly bytes?: number;
};

export type Installation = {
  readonly startedAtMs: number;
  /** Name of the machine or container. */
  readonly host: string;
  /** "Slack", "Discord", "page". */
  readonly labelOf: (platform: string) => string;
  /** Several instances may share the storage. */
  readonly isShared: boolean;
  /** As last probed. */
  readonly service: () => Promise<ServiceStatus>;
  readonly storage: () => Promise<StorageStatus>;
  /** As last looked for; looks again in the background if that was long ago. */
  readonly problems: () => { readonly problems: readonly Problem[]; readonly checkedAtMs?: number };
  readonly settings: readonly SettingRows[];
  /** Of this process, newest first. */
  readonly errors: () => readonly RecentError[];
};

/** For compositions without a program around them. */
export const noInstallation: Installation = {
  startedAtMs: 0,
  host: "",
  labelOf: (platform) => platform,
  isShared: false,
  service: async () => ({ isOk: true }),
  storage: async () => ({ kind: "SQLite", isOk: true }),
  problems: () => ({ problems: [] }),
  settings: [],
  errors: () => [],
};
