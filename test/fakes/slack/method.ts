/** What a method of the Web API is, and what it gets. */
import type { Repeats } from "./watch/repeats.ts";
import type { Json, World } from "./world.ts";

export type MethodContext = {
  readonly world: World;
  /** Kinds of blocks that this workspace has not got. */
  readonly refuses: readonly string[];
  readonly nowMs: () => number;
  readonly base: string;
  readonly triggerLifeMs: number;
  /** Sends an event about a message to the app. */
  readonly announce: (event: Json) => void;
  /** Names what Slack takes and a workspace would regret. */
  readonly violate: (what: string) => void;
  readonly repeats: Repeats;
  readonly hasScope: (scope: string) => boolean;
  readonly historyFrom: "latest" | "oldest";
  readonly maxPageMessages: number;
};

export type Method = (body: Json, context: MethodContext) => Json;
