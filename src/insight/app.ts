/** What the parts of this room share beside the App. */

import type { App } from "../app.ts";
import type { Named } from "../core/access.ts";
import type { AnswerStore } from "../core/content/answering.ts";
import type { Gaps } from "../core/content/gaps.ts";
import type { Place } from "../core/model/place.ts";
import type { TurnView } from "../core/model/turn.ts";
import type { GapSight } from "./gaps/gap-sight.ts";

/**
 * The port to a private run: a question that nobody asked in a chat, for a proof or a check. Asks the agent once, under one
 * of the service's permits and without a Turn, a history, a lane or a channel's instructions. Resolves with the end:
 * answered, or failed with an error that is safe to show; sources are dated. Rejects only with the signal's reason.
 * `share`: the workspace whose share of the permits it takes; `isSpare`: nobody waits for it, so it leaves a permit free.
 */
export type RunOnce = (
  agent: Named,
  question: string,
  signal: AbortSignal,
  share?: Pick<Place, "platform" | "workspace"> & { readonly isSpare?: true },
) => Promise<TurnView>;

export type InsightApp = App & {
  readonly gaps: Gaps;
  /** Who may read which gap: every list, button and form asks it. */
  readonly sight: GapSight;
  readonly answerStore: AnswerStore;
  /** The knowledge bases that an agent looks in. */
  readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  readonly runOnce: RunOnce;
};
