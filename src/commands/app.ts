/** What the commands work with. It is built once, and every handler gets it. */

import type { App, AppSettings } from "../app.ts";
import type { Contributions, Named } from "../core/access.ts";
import type { Conversations, Forget } from "../core/conversations.ts";
import type { Place } from "../core/model/place.ts";
import type { Insight } from "../insight/insight.ts";
import type { Schedules } from "../insight/schedules/schedules.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { FormDrafts } from "./agents/form-drafts.ts";
import type { Commands } from "./contract.ts";
import type { NameCache } from "./names/name-cache.ts";
import type { Registry } from "./registry.ts";
import type { Once } from "./results.ts";

/** What other rooms give it. */
export type CommandParts = Omit<App, "settings"> & {
  /** One for each project: `project`, `service` and `names` are those of the workspace. */
  readonly settings: AppSettings & { readonly project: string };
} & Pick<
    Insight,
    "gaps" | "gapList" | "sight" | "reviews" | "answering" | "voting" | "proving" | "checks" | "digests"
  > & {
    readonly conversations: Conversations;
    readonly names: NameCache;
    readonly contributions: Contributions;
    readonly knowledge: Knowledge;
    /** The knowledge bases that an agent looks in. */
    readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
    readonly schedules: Schedules;
  };

/** What became of lines that were said to nobody in a channel, in the last seven days. */
export type HeardCounts = {
  readonly answered: number;
  readonly quiet: number;
  /** Answers that were sent away. */
  readonly notForYou: number;
  /** Lines that Parley kept quiet about and a person replied to, in their thread. */
  readonly personBelow: number;
};

/** What the bridge, which is built on the commands, does for them. */
export type OfBridge = {
  readonly forget: Forget;
  /** Turns of this process. */
  readonly counts: () => { readonly running: number; readonly waiting: number };
  readonly heard: (place: Place) => Promise<HeardCounts>;
};

export type CommandApp = CommandParts & {
  readonly registry: Registry;
  readonly once: Once;
  readonly drafts: FormDrafts;
  /** For buttons that do what a typed command does. */
  readonly commands: Pick<Commands, "plan" | "run">;
  readonly bridge: () => OfBridge;
};
