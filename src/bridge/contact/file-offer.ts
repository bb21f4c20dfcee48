/**
 * Answers a message that wants its files saved: "add this to handbook". It gets an offer with a button instead of being
 * asked as a question; nothing is saved before someone presses it.
 */

import { refusalDocument } from "../../access/refusal.ts";
import { rolesOf } from "../../access/roles.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { claimMs, type IntakeApp, type Message } from "../intake/app.ts";
import { wishToSave } from "./file-words.ts";
import { placeOfNotice } from "./welcome.ts";

/** False: the message wants something else. */
export async function offerFiles(app: IntakeApp, message: Message): Promise<boolean> {
  const { reach, saving, notices, commands, commandLimit, people, sites, settings, log } = app;
  const { claims } = app.state;
  const { actor, place, conversation, attachments, eventKey } = message;
  if (saving === undefined || attachments.length === 0 || actor.isBot) return false;
  // A person who can't ask is refused as with every question.
  if (!reach.may(actor, "ask", place).allowed) return false;
  const wish = wishToSave(
    message.text,
    attachments.map(({ name }) => name),
  );
  if (wish === undefined) return false;
  const verdict = reach.may(actor, "ingest", place);
  const tooMany = await commandLimit.refuse(actor, place);
  if (verdict.allowed && tooMany === undefined) {
    const roles = rolesOf(actor, place, settings.roles);
    const context = { actor, place, conversation, attachments, eventKey, roles };
    const document = await saving.offerFiles(attachments, wish.base, context);
    await notices.post({ key: `save-file/${eventKey}`, place: placeOfNotice(message, sites), document });
    log.info({ eventKey, files: attachments.length }, "Saving the files of a message was offered");
    await message.ack({ kind: "none" });
    return true;
  }
  await message.ack({ kind: "none" });
  if (!(await claims.claim(eventKey, claimMs))) return true;
  if (tooMany !== undefined) await message.reply.send(errorDocument(tooMany), "private");
  else if (!verdict.allowed) {
    await message.reply.send(await refusalDocument(message, verdict, settings.roles.managers, people), "private");
    await commands.refused({ kind: "save" }, "ingest", message);
  }
  return true;
}
