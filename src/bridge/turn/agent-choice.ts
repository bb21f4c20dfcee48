/** Lets the asker choose between several agents, in place of an answer. */

import { ParleyError } from "../../core/errors.ts";
import { chooseAgentDocument } from "../../presentation/drawing.ts";
import { turnSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { offerOf } from "./turn-access.ts";
import { interruption, isQuestionGone } from "./turn-end.ts";
import { tellElsewhere } from "./turn-place.ts";
import { clearedAtEnd } from "./turn-record.ts";
import { endingSignal, type TurnWork } from "./turn-work.ts";
import { failWith } from "./view.ts";

/**
 * Ends an attempt that asked no agent; each button asks the Turn again in the same Reply. If the choice can't be shown
 * there, it is announced elsewhere, once: nothing is retried forever.
 */
export async function offerAgents(
  work: TurnWork,
  agents: readonly string[],
  app: BridgeApp,
): Promise<"over" | "again" | "left" | "withdrawn"> {
  const { record, picture, writer, site } = work;
  const signal = endingSignal(work);
  let unshown: ParleyError | undefined;
  try {
    const offer = await offerOf(record.turn(), agents, app);
    await writer.finish(chooseAgentDocument(record.turn().id, offer.agents, offer.canSet), signal);
  } catch (failure) {
    if (signal.aborted) {
      // Stopped, or edited: the next round reads what was stored with it.
      const kind = await interruption(record, signal);
      if (kind === "stop") await record.refresh(1_500).catch(() => undefined);
      if (record.turn().isWithdrawn === true) return "withdrawn";
      return kind === "stop" || kind === "restart" ? "again" : "left";
    }
    if (isQuestionGone(failure, record.turn())) return "withdrawn";
    unshown = new ParleyError("agent_choice", { ...turnSentences.choiceUnshown, cause: failure });
    app.log.warn({ err: failure, turnId: record.turn().id }, "A choice of agents could not be shown in its place");
  }
  const nowMs = app.clock.now();
  const view = failWith(picture.view(), new ParleyError("agent_choice"), nowMs);
  const written = await record.move("failed", { ...clearedAtEnd, outcome: view, endedAtMs: nowMs });
  if (unshown !== undefined && written !== "refused") await tellElsewhere(record.turn(), unshown, site, app);
  return "over";
}
