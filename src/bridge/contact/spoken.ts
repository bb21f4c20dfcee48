/**
 * Handles what people tell Parley instead of asking: "stop", "new topic", and commands typed without a slash, after a
 * mention or in a direct message. A typed command that changes something asks first, with a button that only the person
 * who typed it can use.
 */

import { ParleyError } from "../../core/errors.ts";
import { type Attachment, type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { CommandInput } from "../../core/ports/chat-platform.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { keptId } from "../../core/tools/ids.ts";
import { code, errorDocument, infoDocument, say } from "../../presentation/drawing.ts";
import { shorten, spokenSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { hasMore } from "../conversation/message-content.ts";
import { claimMs, type IntakeApp, type Message, type Press } from "../intake/app.ts";
import { stopTurn } from "../intake/asking.ts";
import { contextOf, mayDo, namesInReach, runCommand, runCounted } from "../intake/commands.ts";
import { plainWords } from "../intake/pleasantries.ts";

/** In a thread its own questions; at the top of a channel or direct message all of them there. */
async function unfinishedAt(app: IntakeApp, place: Place): Promise<readonly Turn[]> {
  const { turns } = app.state;
  const found: Turn[] = [];
  if (place.thread !== undefined) {
    for await (const turn of turns.ofConversation(place)) {
      if (unfinishedTurnStates.includes(turn.state)) found.push(turn);
    }
    return found;
  }
  const isThere = ({ platform, workspace, channel }: Place) =>
    platform === place.platform && workspace === place.workspace && channel === place.channel;
  for await (const turn of turns.unfinished()) if (isThere(turn.conversation)) found.push(turn);
  return found;
}

export function isStop(message: Message): boolean {
  return !hasMore(message) && plainWords(message.text) === "stop";
}

/** Stops one's own running questions in that conversation. People who manage stop all of them. */
export async function stopRunning(app: IntakeApp, message: Message): Promise<void> {
  const { reach } = app;
  const { actor, place } = message;
  await message.ack({ kind: "none" });
  if (!(await app.state.claims.claim(message.eventKey, claimMs))) return;
  const running = await unfinishedAt(app, place);
  const mayStopAll = reach.may(actor, "manage", place).allowed;
  const stoppable = running.filter((turn) => mayStopAll || turn.actor.id === actor.id);
  // What is stopped says so itself.
  for (const turn of stoppable) await stopTurn(app, turn.id, actor);
  if (running.length === 0) await message.reply.send(infoDocument("Nothing is running here."), "private");
  else if (stoppable.length === 0) {
    await message.reply.send(errorDocument(new ParleyError("not_allowed", spokenSentences.notYourQuestion)), "private");
  }
}

export const newTopicAction = "new-topic";

export function isNewTopic(message: Message): boolean {
  return message.continuesTopic === true && !hasMore(message) && plainWords(message.text) === "new topic";
}

/**
 * The next direct message continues nothing. Once for each event: a redelivery must not end the topic that was begun
 * since.
 */
async function endTopic(app: BridgeApp, { place, eventKey, reply }: Message | Press): Promise<void> {
  if (!(await app.state.claims.claim(eventKey, claimMs))) return;
  await app.topics.end(place);
  await app.talk.endTopic(place);
  await reply.send(
    infoDocument("Your next question starts a new topic. I won't look back at what you asked before."),
    "private",
  );
}

export async function beginNewTopic(app: BridgeApp, message: Message): Promise<void> {
  await endTopic(app, message);
  await message.ack({ kind: "none" });
}

/** Of someone who may ask there. */
export async function pressNewTopic(app: BridgeApp, inbound: Press): Promise<void> {
  await inbound.ack({ kind: "defer-private" });
  await endTopic(app, inbound);
}

/** What was typed, until its button is pressed. */
type TypedCommand = {
  readonly text: string;
  readonly actorId: string;
  readonly attachments: readonly Attachment[];
};

/** Long enough to think about it. */
const typedMs = 60 * 60_000;
/** A longer message is no command, except after a slash. */
const maxSpokenChars = 4_000;
/** Of the command, in the question whether to run it. */
const maxShownChars = 300;
export const runTypedAction = "run-typed";

async function offer(app: IntakeApp, message: Message, input: Extract<CommandInput, { kind: "typed" }>): Promise<void> {
  const { commandLimit } = app;
  const { commands } = app.commandsIn(message);
  const { claims } = app.state;
  const typed = app.state.keyValue<TypedCommand>("typed");
  const { actor, place, eventKey, attachments } = message;
  const { text } = input;
  if (!(await mayDo(app, message, commands.plan(input).role, { kind: "command", input }))) return;
  await message.ack({ kind: "none" });
  if (!(await claims.claim(eventKey, claimMs))) return;
  const tooMany = await commandLimit.refuse(actor, place);
  if (tooMany !== undefined) {
    if (await commandLimit.tells(actor, place)) await message.reply.send(errorDocument(tooMany), "private");
    return;
  }
  const id = keptId(eventKey);
  await typed.set(typedKey(place, id), { text, actorId: actor.id, attachments }, typedMs);
  const actions = [{ id: runTypedAction, label: "Run it", value: id, style: "primary" } as const];
  await message.reply.send(infoDocument(say`Run ${code(shorten(text, maxShownChars))} here?`, { actions }), "private");
}

async function refuse(inbound: Press, error: ParleyError): Promise<void> {
  await inbound.ack({ kind: "defer-private" });
  await inbound.reply.send(errorDocument(error), "private");
}

/** A longer message, or one with a slash, is handled elsewhere. Whether it is a command, its names decide. */
export function mayBeTyped({ text }: Message): boolean {
  return text.length <= maxSpokenChars && !text.trimStart().startsWith("/");
}

/** False when the message is no command. */
export async function runTyped(app: IntakeApp, message: Message): Promise<boolean> {
  const { commands } = app.commandsIn(message);
  const reached = await namesInReach(app, message, { kind: "typed", text: message.text });
  const spoken = commands.spoken(message.text, reached);
  if (spoken === undefined) return false;
  const hasFiles = message.attachments.length > 0;
  const opensForm = !hasFiles && commands.plan(spoken.input, reached).acknowledgement.kind === "form";
  // A form asks anyway.
  if (spoken.isChange && !opensForm) await offer(app, message, spoken.input);
  else await runCommand(app, message, spoken.input, message.attachments);
  return true;
}

export async function pressTyped(app: IntakeApp, inbound: Press): Promise<void> {
  const { commands } = app.commandsIn(inbound);
  const { claims } = app.state;
  const typed = app.state.keyValue<TypedCommand>("typed");
  const found = await typed.get(typedKey(inbound.place, inbound.value));
  if (found === undefined) {
    const { gone: what, goneHint: hint } = spokenSentences;
    return refuse(inbound, new ParleyError("unknown_command", { what, hint }));
  }
  const input = { kind: "typed", text: found.text } as const;
  if (found.actorId !== inbound.actor.id) {
    await refuse(
      inbound,
      new ParleyError("not_allowed", { what: "Only the person who typed this command can run it." }),
    );
    const { role } = commands.named(input);
    return role === "ask" ? undefined : commands.refused({ kind: "command", input }, role, inbound);
  }
  const attempt = { kind: "command", input } as const;
  // Rights may have changed since it was typed.
  if (!(await mayDo(app, inbound, commands.named(input).role, attempt))) return;
  const reached = await namesInReach(app, inbound, input);
  if (!(await mayDo(app, inbound, commands.plan(input, reached).role, attempt))) return;
  await inbound.ack({ kind: "defer-private" });
  const conversation = inbound.conversation ?? inbound.place;
  const context = { ...contextOf(app, inbound, conversation, found.attachments), reached };
  await runCounted(app, inbound, async () => {
    // Two presses are two events, and it was asked for once.
    const isFirst = await claims.claim(`typed/${typedKey(inbound.place, inbound.value)}`, typedMs);
    if (!isFirst)
      return {
        kind: "document",
        document: infoDocument("This command has run already. Type it again to run it again."),
      };
    return commands.run(input, context);
  });
}

/** Pressed in another workspace, a button finds nothing. */
function typedKey(place: Place, id: string): string {
  return `${workspaceKey(place)}/${id}`;
}
