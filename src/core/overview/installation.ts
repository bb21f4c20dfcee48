/** The port to what only the program knows about its installation: its storage, its checks, its settings and its errors. */
import type { Problem, Status } from "./status.ts";
import type { RecentError, SettingRows } from "./system.ts";

export type Installation = {
  readonly startedAtMs: number;
  /** Name of the machine or container. */
  readonly host: string;
  /** "Slack", "Discord", "page". */
  readonly labelOf: (platform: string) => string;
  /** Several instances may share the storage. */
  readonly isShared: boolean;
  /** As last probed. */
  readonly service: () => Promise<Status["service"]>;
  readonly storage: () => Promise<Status["storage"]>;
  /** As last looked for; looks again in the background if that was long ago. */
  readonly problems: () => { readonly problems: readonly Problem[]; readonly checkedAtMs?: number };
  readonly settings: readonly SettingRows[];
  /** Of this process, newest first. */
  readonly errors: () => readonly RecentError[];
};
