/** The port to a private run: a question that nobody asked in a chat, for a proof or a check. */
import type { Named } from "../../core/access.ts";
import type { Place } from "../../core/model/place.ts";
import type { TurnView } from "../../core/model/turn.ts";

/**
 * Asks the agent once, under one of the service's permits and without a Turn, a history, a lane or a channel's
 * instructions. Resolves with the end: answered, or failed with an error that is safe to show; sources are dated. Rejects
 * only with the signal's reason. `share`: the workspace whose share of the permits it takes; `isSpare`: nobody waits for
 * it, so it leaves a permit free.
 */
export type RunOnce = (
  agent: Named,
  question: string,
  signal: AbortSignal,
  share?: Pick<Place, "platform" | "workspace"> & { readonly isSpare?: true },
) => Promise<TurnView>;
