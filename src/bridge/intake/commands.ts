/**
 * Handles commands and their buttons: how a command, a form or a question of a command is checked, run and answered. A
 * command's name decides who may give it; it is claimed (so that a redelivery does nothing) and counted, and only then
 * parsed, acknowledged, run and answered. `/ask` is handled as a question.
 */

import { refusalDocument } from "../../access/refusal.ts";
import { rolesOf } from "../../access/roles.ts";
import type { Attempt, CommandPlan } from "../../commands/contract.ts";
import type { NamesInReach } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { isNotTaken, ParleyError } from "../../core/errors.ts";
import type { Attachment, Place, Role } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { CommandInput, Inbound } from "../../core/ports/chat-platform.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { continuesOf } from "../conversation/topics.ts";
import { addressedInCommand, answeredDirectly, placeOf, wordsOf } from "./addressing.ts";
import { claimMs, type Edited, type IntakeApp, type Message, type Of, type Press } from "./app.ts";
import { begin, storeQuestion } from "./asking.ts";

export type AskedQuestion = {
  readonly conversation: Place;
  readonly question: string;
  /** As typed in an option. */
  readonly agent?: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly platformData?: Readonly<Record<string, string>> | undefined;
  /** What the agent gets before the question. */
  readonly context?: string | undefined;
  /** The message that it is about. */
  readonly about?: Turn["about"];
};

/** Of the 3 s that platforms wait for. */
const storedWithinMs = 1_000;
const workingShownAfterMs = 1_000;
/** Part of the 3 s in which a command must be acknowledged. */
const namesMs = 1_000;

export function contextOf(
  app: IntakeApp,
  inbound: Inbound,
  conversation: Place,
  attachments: readonly Attachment[] = [],
): CommandContext {
  const { settings } = app;
  const { actor, place, eventKey } = inbound;
  return { actor, place, conversation, attachments, eventKey, roles: rolesOf(actor, place, settings.roles) };
}

/**
 * False, after a private refusal, when the actor lacks the role. Refused `ask`s aren't audited; everything else is.
 * `isCounted`: the event is claimed and counted already.
 */
export async function mayDo(
  app: IntakeApp,
  inbound: Inbound,
  role: Role,
  attempt?: Attempt,
  isCounted = false,
): Promise<boolean> {
  const { reach, commandLimit, people, settings } = app;
  const { claims } = app.state;
  const verdict = reach.may(inbound.actor, role, inbound.place);
  if (verdict.allowed) return true;
  await inbound.ack({ kind: "defer-private" });
  // A mention can arrive as two events with one key.
  if (!isCounted && !(await claims.claim(inbound.eventKey, claimMs))) return false;
  const tooMany = isCounted ? undefined : await commandLimit.refuse(inbound.actor, inbound.place);
  const refusal =
    tooMany === undefined
      ? await refusalDocument(inbound, verdict, settings.roles.managers, people)
      : errorDocument(tooMany);
  await inbound.reply.send(refusal, "private");
  if (tooMany === undefined && attempt !== undefined && role !== "ask") {
    await app.commandsIn(inbound).commands.refused(attempt, role, inbound);
  }
  return false;
}

/**
 * True, after a private refusal, when the person has sent too many commands. For events that are not acknowledged
 * yet.
 */
export async function isTooMany(app: IntakeApp, inbound: Inbound): Promise<boolean> {
  const { commandLimit } = app;
  const tooMany = await commandLimit.refuse(inbound.actor, inbound.place);
  if (tooMany === undefined) return false;
  await inbound.ack({ kind: "defer-private" });
  await inbound.reply.send(errorDocument(tooMany), "private");
  return true;
}

async function answer(app: IntakeApp, inbound: Inbound, result: CommandResult): Promise<void> {
  const { clock } = app;
  switch (result.kind) {
    case "document":
      return inbound.reply.send(result.document, "private");
    case "working": {
      // Show the working message only if the result takes a while: where private messages can't be replaced, it would
      // stay.
      const ended = await withTimeout(result.result, workingShownAfterMs, clock);
      if (ended === undefined) await inbound.reply.send(result.document, "private");
      return answer(app, inbound, ended ?? (await result.result));
    }
    case "nothing":
      return;
    default:
      return result satisfies never;
  }
}

export async function ask(app: IntakeApp, inbound: Inbound, asked: AskedQuestion): Promise<void> {
  const { reach } = app;
  const { claims } = app.state;
  const { conversation, question, agent, attachments, platformData, context, about } = asked;
  const refuse = async (error: ParleyError): Promise<void> => {
    await inbound.ack({ kind: "defer-private" });
    if (await claims.claim(inbound.eventKey, claimMs)) await inbound.reply.send(errorDocument(error), "private");
  };
  const error = questionError(app, question, attachments);
  if (error !== undefined) return refuse(error);
  const words = await addressedInCommand(app, question, agent, inbound);
  if (words.kind === "refused") return refuse(words.error);
  const stored = storeQuestion(app, {
    eventKey: inbound.eventKey,
    askedIn: inbound.place,
    order: inbound.order,
    actor: inbound.actor,
    ...wordsOf(words),
    attachments,
    askedMessageId: inbound.kind === "message" ? inbound.messageId : undefined,
    context,
    about,
    continues: words.kind === "private" ? undefined : continuesOf(inbound, reach.isDirect(inbound.place)),
    via: inbound.kind === "message" || inbound.kind === "command" ? inbound.kind : "shortcut",
    ...placeOf(words, { conversation, platformData }),
  });
  const turn = await stored.catch(async (failure: unknown) => {
    if (!isNotTaken(failure)) throw failure;
    await refuse(failure);
    return "refused" as const;
  });
  if (turn === "refused") return;
  await inbound.ack({ kind: words.kind === "private" ? "defer-private" : "defer" });
  if (turn === undefined) return;
  if (words.kind === "private") await inbound.reply.send(answeredDirectly(words), "private");
  await begin(app, turn);
}

function questionError(app: IntakeApp, question: string, attachments: readonly Attachment[]): ParleyError | undefined {
  const { settings } = app;
  if (question.trim() === "" && attachments.length === 0) return new ParleyError("question_empty");
  return question.length > settings.maxQuestionChars ? new ParleyError("question_too_long") : undefined;
}

/** Runs what is already acknowledged. */
export async function runOnce(app: IntakeApp, inbound: Inbound, work: () => Promise<CommandResult>): Promise<void> {
  const { claims } = app.state;
  if (!(await claims.claim(inbound.eventKey, claimMs))) return;
  await answer(app, inbound, await work());
}

/** Runs first, so that what it stores is stored when the platform is told; but the platform isn't kept waiting. */
export async function runThenAck(app: IntakeApp, inbound: Inbound, work: () => Promise<CommandResult>): Promise<void> {
  const { clock } = app;
  const { claims } = app.state;
  const once = async () => ((await claims.claim(inbound.eventKey, claimMs)) ? await work() : undefined);
  const done = once();
  await withTimeout(done, storedWithinMs, clock);
  await inbound.ack({ kind: "defer-private" });
  const result = await done;
  if (result !== undefined) await answer(app, inbound, result);
}

/** The same for what counts as a command here. Forms were counted when they were opened or checked. */
export async function runCounted(app: IntakeApp, inbound: Inbound, work: () => Promise<CommandResult>): Promise<void> {
  const { commandLimit } = app;
  const { claims } = app.state;
  if (!(await claims.claim(inbound.eventKey, claimMs))) return;
  const tooMany = await commandLimit.refuse(inbound.actor, inbound.place);
  if (tooMany !== undefined) return tell(app, inbound, tooMany);
  await answer(app, inbound, await work());
}

async function tell(app: IntakeApp, inbound: Inbound, tooMany: ParleyError): Promise<void> {
  const { commandLimit } = app;
  if (inbound.kind === "message" && !(await commandLimit.tells(inbound.actor, inbound.place))) return;
  await inbound.reply.send(errorDocument(tooMany), "private");
}

/**
 * Claims and counts a command before anything of it is parsed. Undefined: it isn't to be run, which is acknowledged and
 * told. The platform isn't kept waiting: what had to be acknowledged meanwhile isn't acknowledged again.
 */
async function counted<T extends Of<"command"> | Message>(app: IntakeApp, inbound: T): Promise<T | undefined> {
  const { commandLimit, clock } = app;
  const { claims } = app.state;
  const counting = (async () => {
    if (!(await claims.claim(inbound.eventKey, claimMs))) return { isFirst: false };
    return { isFirst: true, tooMany: await commandLimit.refuse(inbound.actor, inbound.place) };
  })();
  const ack = () => inbound.ack({ kind: "defer-private" });
  // A message that isn't acknowledged is resent.
  const isLate = inbound.kind === "command" && (await withTimeout(counting, storedWithinMs, clock)) === undefined;
  if (isLate) await ack();
  const { isFirst, tooMany } = await counting;
  if (isFirst && tooMany === undefined) return isLate ? { ...inbound, ack: async () => undefined } : inbound;
  if (!isLate) await ack();
  if (tooMany !== undefined) await tell(app, inbound, tooMany);
  return undefined;
}

/**
 * "… in docs" at the end of free text is an option if that name exists, else part of the text. Names out of reach
 * must not make a visible difference.
 */
export async function namesInReach(
  app: IntakeApp,
  { actor, place }: Pick<Inbound, "actor" | "place">,
  input: CommandInput,
): Promise<NamesInReach | undefined> {
  const { reach, clock } = app;
  if (input.kind !== "typed" || !/\s(?:agent|in|into)\s/i.test(input.text)) return undefined;
  if (reach.may(actor, "manage", place).allowed) return undefined;
  const names = await withTimeout(reach.names(actor, place), namesMs, clock);
  return names ?? { agents: [], knowledgeBases: [] };
}

/** A form that can't be filled in time is not opened: its empty fields would overwrite what is stored. */
async function acknowledgementOf(
  app: IntakeApp,
  { acknowledgement, acknowledgeIn }: Pick<CommandPlan, "acknowledgement" | "acknowledgeIn">,
  { actor, place }: Inbound,
): Promise<CommandPlan["acknowledgement"]> {
  const { clock } = app;
  if (acknowledgeIn === undefined) return acknowledgement;
  return (await withTimeout(acknowledgeIn({ actor, place }), namesMs, clock)) ?? acknowledgement;
}

export async function runCommand(
  app: IntakeApp,
  inbound: Of<"command"> | Message,
  input: CommandInput,
  attachments: readonly Attachment[],
): Promise<void> {
  const { commands } = app.commandsIn(inbound);
  const attempt = { kind: "command", input } as const;
  const named = commands.named(input);
  if (!(await mayDo(app, inbound, named.role, attempt))) return;
  // Questions have a limit of their own.
  const counts = named.asks !== true;
  let event = counts ? await counted(app, inbound) : inbound;
  if (event === undefined) return;
  const reached = await namesInReach(app, event, input);
  const plan = commands.plan(input, reached);
  if (!(await mayDo(app, event, plan.role, attempt, counts))) return;
  const { platformData, conversation } = inbound;
  if (plan.question !== undefined) {
    const { text, agent } = plan.question;
    return ask(app, event, { conversation, question: text, agent, attachments, platformData });
  }
  if (!counts) event = await counted(app, inbound);
  if (event === undefined) return;
  // A message cannot open a form; the command then answers with a button that can. Nobody is asked for a file that
  // came with the command.
  const canOpenForm = event.kind === "command" && attachments.length === 0 && event === inbound;
  const acknowledgement = await acknowledgementOf(app, plan, event);
  const opensForm = acknowledgement.kind === "form" && canOpenForm;
  const without = { kind: event.kind === "command" ? "defer-private" : "none" } as const;
  await event.ack(acknowledgement.kind === "form" && !canOpenForm ? without : acknowledgement);
  if (opensForm) return;
  const context = { ...contextOf(app, event, conversation, attachments), reached };
  await answer(app, event, await commands.run(input, context));
}

/** The button of an example on the welcome card. */
export const askExample = "ask-example";

/** False when the button asks no question. */
async function asksByButton(app: IntakeApp, inbound: Press): Promise<boolean> {
  const { commands } = app.commandsIn(inbound);
  const { action, value, place, conversation = place, platformData } = inbound;
  const asked = await commands.askedByButton(action, value, contextOf(app, inbound, conversation));
  if (asked === undefined) return false;
  if (asked.kind === "ask") await ask(app, inbound, { conversation, platformData, agent: undefined, ...asked });
  else {
    await inbound.ack({ kind: "defer-private" });
    await runOnce(app, inbound, async () => ({ kind: "document", document: asked.document }));
  }
  return true;
}

export function handleCommand(app: IntakeApp, inbound: Of<"command">): Promise<void> {
  return runCommand(app, inbound, inbound.input, inbound.attachments);
}

/** The same text after a mention, where slash commands cannot be used. */
export function runSpoken(app: IntakeApp, message: Message): Promise<void> {
  return runCommand(app, message, { kind: "typed", text: message.text.trim() }, message.attachments);
}

/** An example of the welcome card: a question like any other. */
export function handleExample(app: IntakeApp, inbound: Press): Promise<void> {
  return ask(app, inbound, {
    conversation: inbound.conversation ?? inbound.place,
    question: inbound.value,
    attachments: [],
    platformData: inbound.platformData,
  });
}

/** The question of a typed ask command that was edited; undefined for every other command. */
export async function questionOfEdited(app: IntakeApp, edited: Edited): Promise<CommandPlan["question"]> {
  const { commands } = app.commandsIn(edited);
  const input = { kind: "typed", text: edited.text.trim() } as const;
  return commands.plan(input, await namesInReach(app, edited, input)).question;
}

export async function handleAction(app: IntakeApp, inbound: Press): Promise<void> {
  const { commands } = app.commandsIn(inbound);
  const plan = commands.planAction(inbound.action, inbound.value);
  if (!(await mayDo(app, inbound, plan.role, inbound))) return;
  if (await asksByButton(app, inbound)) return;
  const acknowledgement = await acknowledgementOf(app, plan, inbound);
  const opensForm = acknowledgement.kind === "form";
  if (opensForm && (await isTooMany(app, inbound))) return;
  await inbound.ack(acknowledgement);
  if (opensForm) return;
  await runCounted(app, inbound, () =>
    commands.pressAction(inbound.action, inbound.value, contextOf(app, inbound, inbound.place)),
  );
}
