/** Handles Chart and Table below an answer: its table is shown in that form for everyone, or else to who pressed. */

import { ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Responder } from "../../core/ports/chat-platform.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { tableDocument } from "../../presentation/drawing.ts";
import { errorSentences } from "../../presentation/sentences.ts";
import type { IntakeApp } from "../intake/app.ts";
import { isStanding } from "./shown-end.ts";

/** Its caller has asked whether that person may see the answer. */
export async function showAs(
  app: IntakeApp,
  turn: Turn,
  form: NonNullable<Turn["shownAs"]>,
  { reply }: { readonly reply: Responder },
): Promise<void> {
  const { turns } = app.state;
  if (turn.outcome === undefined) throw notFinished();
  // Nothing to draw: another version may have offered it.
  if (tableDocument(turn.outcome, form, "busy") === undefined) throw new ParleyError("turn_gone");
  let before: Turn["shownAs"];
  const stored = await changeRecord<Turn>(turns, turn.id, (now) => {
    before = now.shownAs;
    return isStanding(now, turn) ? { shownAs: form } : undefined;
  });
  if (stored === undefined) throw notFinished();
  const shown = await app.shownEnd.show(turn.id);
  if (shown === "shown" || shown === "same") return;
  // An answer that can no longer change is never shown in another form than it has.
  if (shown === "unfit" && before !== form) {
    const undone = await changeRecord<Turn>(turns, turn.id, (now) =>
      now.shownAs === form && isStanding(now, turn) ? { shownAs: before } : undefined,
    );
    // Someone pressed the other button meanwhile, or asked again.
    if (undone === undefined) return;
  }
  // It may have been forgotten while its edit was waited for.
  const now = await turns.get(turn.id);
  if (now === undefined || now.isForgotten === true) throw new ParleyError("turn_gone");
  if (now.outcome === undefined) throw notFinished();
  const document = tableDocument(now.outcome, form, shown);
  if (document !== undefined) await reply.send(document, "private");
}

function notFinished(): ParleyError {
  return new ParleyError("turn_gone", { what: errorSentences.notFinished });
}
