/**
 * Sends the rest of an answer that did not fit into its messages, on request. Attaches a file if Parley can by now,
 * otherwise shows the next part privately.
 */

import type { ChatPlatform, Responder } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Document } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { Turn } from "../../ports/model/turn.ts";
import { createPause } from "../../ports/tools/pause.ts";
import { present } from "../../ports/tools/present.ts";
import { bold, defaultRoom, fitSlowly, infoDocument, inline, turnDocument } from "../../presentation/drawing.ts";
import { restFile } from "../../presentation/markdown.ts";
import { restSentences } from "../../presentation/sentences.ts";

export async function sendRest(turn: Turn, reply: Responder, platform: ChatPlatform, clock: Clock): Promise<void> {
  if (turn.outcome === undefined) throw new ParleyError("turn_gone");
  const pause = createPause(clock);
  const { answers = defaultRoom } = platform.limits;
  const stopped = present({ stoppedBy: turn.stopRequestedBy });
  const whole = turnDocument(turn.outcome, clock.now(), stopped);
  const { rest } = await fitSlowly(whole, answers, (document, atMost) => platform.render(document, atMost), pause);
  if (rest === undefined) throw new ParleyError("turn_gone");
  try {
    await platform.uploadFile(turn.conversation, await restFile(rest, pause));
    await reply.send(infoDocument(restSentences.uploaded), "private");
  } catch (failure) {
    if (!["not_permitted", "platform_refused", "payload_refused"].includes(toParleyError(failure).code)) throw failure;
    const next: Document = {
      tone: "info",
      blocks: [{ kind: "headline", text: inline(bold(restSentences.title)) }, ...rest.blocks],
      actions: [],
      summary: restSentences.title,
    };
    await reply.send(next, "private");
  }
}
