/**
 * What the commands work with.
 */
import type { Contributions } from "../bridge/contributions.ts";
import type { Conversations } from "../bridge/conversations.ts";
import type { Forget } from "../bridge/forgetting.ts";
import type { AgentService } from "../bridge/ports/agent-service.ts";
import type { Bindings } from "../bridge/ports/bindings.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Coordinator } from "../bridge/ports/state.ts";
import type { Reach } from "../bridge/reach.ts";
import type { Mode, Place, PlatformName } from "../bridge/words.ts";
import type { Log } from "../operations/log.ts";
import type { Audit } from "./audit.ts";
import type { NameCache } from "./name-cache.ts";

export type CommandPorts = {
  readonly service: AgentService;
  readonly bindings: Bindings & { readonly modeOf: (place: Place) => Promise<Mode> };
  readonly conversations: Pick<Conversations, "get" | "replaceAgent">;
  readonly forget: Forget;
  readonly names: NameCache;
  readonly reach: Reach;
  readonly contributions: Pick<Contributions, "note">;
  readonly audit: Audit;
  readonly coordinator: Pick<Coordinator, "permit" | "lanes">;
  /** Turns in this process. */
  readonly counts: () => { readonly waiting: number; readonly running: number };
  /** What that platform lacks, in one sentence with the remedy. */
  readonly lacking: (platform: PlatformName) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    readonly project: string;
    readonly commandPrefix: string;
    /** Parley's own. */
    readonly version: string;
  };
};
