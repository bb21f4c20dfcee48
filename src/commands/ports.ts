/** The ports that commands work with. */

import type { Bindings, Contributions, Reach } from "../ports/access.ts";
import type { AgentService } from "../ports/agent-service.ts";
import type { Audit } from "../ports/audit.ts";
import type { Clock } from "../ports/clock.ts";
import type { Checks } from "../ports/content/checks.ts";
import type { Conversations, Forget } from "../ports/conversations.ts";
import type { Log } from "../ports/log.ts";
import type { Place, PlatformName } from "../ports/model/place.ts";
import type { Notices } from "../ports/notices.ts";
import type { HeardCounts } from "../ports/overview/agents.ts";
import type { Coordinator } from "../ports/state.ts";
import type { NameCache } from "./name-cache.ts";

export type CommandPorts = {
  readonly service: AgentService;
  readonly bindings: Bindings;
  readonly conversations: Pick<Conversations, "get" | "replaceAgent">;
  readonly forget: Forget;
  readonly names: NameCache;
  readonly reach: Reach;
  readonly contributions: Contributions;
  readonly audit: Audit;
  readonly notices: Pick<Notices, "post">;
  readonly coordinator: Pick<Coordinator, "permit" | "lanes" | "lease">;
  /** Turns of this process. */
  readonly counts: () => { readonly waiting: number; readonly running: number };
  /** What became of lines that were said to nobody in that channel, in the last seven days. */
  readonly heard: (place: Place) => Promise<HeardCounts>;
  /** Answered questions of an agent that can be asked again. */
  readonly countChecks: Checks["count"];
  /** What is missing on that platform, in one sentence with the remedy. */
  readonly lacking: (platform: PlatformName) => string | undefined;
  /** Whether several people read the channels of that platform, so that a change for all is told there. */
  readonly isRead: (platform: PlatformName) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    readonly project: string;
    readonly commandPrefix: string;
    readonly version: string;
    /** The knowledge base of the built-in service that holds Parley's own manual. */
    readonly ownDocsBase?: string;
  };
};
