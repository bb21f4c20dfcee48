/** Handles edited and deleted messages. */

import { isNotTaken } from "../../core/errors.ts";
import { asksForWelcome } from "../contact/welcome.ts";
import { questionOf } from "../conversation/message-content.ts";
import { asksPeople } from "../overheard/asks-people.ts";
import { beginsLikeQuestion } from "../overheard/question-words.ts";
import { forgetDeleted } from "../shown/deleted-question.ts";
import { isTakenBack, removeShown } from "../shown/withdrawn.ts";
import { isUnseen } from "../turn/record.ts";
import { type Addressed, addressedInCommand, wordsOf } from "./addressing.ts";
import { type Edited, type IntakeApp, isAddressed, type Message, type Of } from "./app.ts";
import { askEdited, noteGone, stopTurn, withdrawTurn } from "./asking.ts";
import { questionOfEdited } from "./commands.ts";
import { addressed, handleMessage, refusal, refuse } from "./messages.ts";
import { asksSomething } from "./question-marks.ts";

export async function handleEdit(app: IntakeApp, message: Edited): Promise<void> {
  const asNew = await heardAnew(app, message);
  if (asNew !== undefined) return handleMessage(app, asNew);
  if (await isNoLongerAsked(app, message)) return message.ack({ kind: "none" });
  const words = refusal(app, message) === undefined ? await editedWords(app, message) : undefined;
  // An edit that can't be stored stays unacknowledged, so that the platform resends it.
  if (words !== undefined) {
    const named = words.kind === "refused" ? { question: message.text.trim() } : wordsOf(words);
    const { question } = questionOf(named.question, message, app.settings.maxQuestionChars);
    const edited = askEdited(app, message, { ...named, question }, isAddressed(message));
    const refused = await edited.catch((failure: unknown) => {
      if (!isNotTaken(failure)) throw failure;
      return failure;
    });
    if (refused !== undefined) return refuse(app, message, refused);
  }
  await message.ack({ kind: "none" });
}

/**
 * A message that asked nothing before, and mentions Parley or asks who Parley is since it was edited, is heard like a
 * new one. Undefined: any other.
 */
async function heardAnew(app: IntakeApp, message: Edited): Promise<Message | undefined> {
  const isMeant = message.mentionsParley || (message.isDirect && asksForWelcome(message));
  if (!isMeant || (await app.state.turns.getByEventKey(message.questionKey)) !== undefined) return undefined;
  const { questionKey, ...said } = message;
  // The key of the message: the platform may send it again as a mention, and it is asked once.
  return { ...said, kind: "message", eventKey: questionKey };
}

/** A question to nobody in particular that now asks nothing, or someone else: nobody waits for its answer. */
async function isNoLongerAsked(app: IntakeApp, message: Edited): Promise<boolean> {
  const { text } = message;
  const isQuestion = (asksSomething(text) || beginsLikeQuestion(text)) && !asksPeople(text);
  const isAsked = !message.addressesOthers && isQuestion;
  if (isAddressed(message)) return false;
  const turn = await app.state.turns.getByEventKey(message.questionKey);
  if (turn === undefined || turn.actor.id !== message.actor.id || !isUnseen(turn)) return false;
  if (isAsked && (await app.overhearing.spokenTo(message)) === undefined) return false;
  await stopTurn(app, turn.id, message.actor);
  return true;
}

/** Text that begins with "/" is a command: an ask command asks its question, every other one asks nothing. */
async function editedWords(app: IntakeApp, message: Edited): Promise<Addressed | undefined> {
  if (!message.text.trimStart().startsWith("/")) return addressed(app, message);
  const asked = await questionOfEdited(app, message);
  if (asked === undefined || asked.text === "") return undefined;
  const words = await addressedInCommand(app, asked.text, asked.agent, message);
  return words.kind === "refused" ? undefined : words;
}

export async function handleDeletion(app: IntakeApp, message: Of<"message-deleted">): Promise<void> {
  // First: a question that is being stored looks at it afterwards.
  await noteGone(app, message.questionKey);
  const turn = await app.state.turns.getByEventKey(message.questionKey);
  if (turn !== undefined) {
    await withdrawTurn(app, turn.id, message.actor);
    if (!(await forgetDeleted(app, turn, message.actor))) await removeTakenBack(app, turn.id);
  }
  // Last: what isn't forgotten yet is deleted again.
  await message.ack({ kind: "none" });
}

/** An answer that ended a moment ago. */
async function removeTakenBack(app: IntakeApp, turnId: string): Promise<void> {
  const turn = await app.state.turns.get(turnId);
  const site = turn === undefined ? undefined : app.sites.get(turn.conversation.platform);
  if (turn === undefined || site === undefined) return;
  try {
    if (await isTakenBack(turn, site.platform, app.clock.now())) await removeShown(turn, site, app);
  } catch (err) {
    app.log.info({ err, turnId, ref: turn.ref }, "The answer to a deleted question stays");
  }
}
