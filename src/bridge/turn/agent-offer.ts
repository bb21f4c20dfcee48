/**
 * Lets the asker choose between several agents. This ends an attempt that asked no agent; each button asks the Turn
 * again in the same Reply.
 */

import { ParleyError } from "../../ports/errors.ts";
import { chooseAgentDocument } from "../../presentation/drawing.ts";
import { turnSentences } from "../../presentation/sentences.ts";
import { endingSignal, type Interruption, interruptionOf, type TurnDeps, type TurnWork } from "./turn-deps.ts";
import { tellElsewhere } from "./turn-place.ts";
import { clearedAtEnd } from "./turn-record.ts";
import { failWith } from "./turn-view.ts";

/** If the writer gives up showing it, the choice is announced elsewhere, once: nothing is retried forever. */
export async function offerAgents(
  work: TurnWork,
  agents: readonly string[],
  deps: TurnDeps,
): Promise<"over" | "again" | "left"> {
  const { record, picture, writer, site } = work;
  const signal = endingSignal(work);
  let unshown: ParleyError | undefined;
  try {
    await writer.finish(chooseAgentDocument(record.turn().id, agents), signal);
  } catch (failure) {
    if (signal.aborted) return interrupted(interruptionOf(signal));
    unshown = new ParleyError("agent_choice", { ...turnSentences.choiceUnshown, cause: failure });
    deps.log.warn({ err: failure, turnId: record.turn().id }, "A choice of agents could not be shown in its place");
  }
  const { clock } = deps;
  const view = failWith(picture.view(), new ParleyError("agent_choice"), clock.now());
  const written = await record.move("failed", { ...clearedAtEnd, outcome: view, endedAtMs: clock.now() });
  if (unshown === undefined || written === "refused") return "over";
  await tellElsewhere(record.turn(), unshown, site, deps);
  return "over";

  async function interrupted({ kind }: Interruption) {
    if (kind === "drain") await record.move("interrupted", { isUnderWay: false });
    // Stopped, or edited: the next round reads what was stored with it.
    return kind === "stop" || kind === "restart" ? "again" : "left";
  }
}
