/** Handles commands and their buttons. `/ask` is handled as a question. */

import type { CommandPlan } from "../../commands/contract.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { pressTyped, runTypedAction } from "../contact/typed-commands.ts";
import type { Edited, IntakeApp, Message } from "./app.ts";
import {
  acknowledgementOf,
  ask,
  contextOf,
  isTooMany,
  mayDo,
  namesInReach,
  runCommand,
  runCounted,
  runOnce,
} from "./command-steps.ts";

type Of<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

/** The button of an example on the welcome card. */
export const askExample = "ask-example";

/** False when the button asks no question. */
async function asksByButton(app: IntakeApp, inbound: Of<"action">): Promise<boolean> {
  const { commands } = app;
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
export function handleSpoken(app: IntakeApp, message: Message): Promise<void> {
  return runCommand(app, message, { kind: "typed", text: message.text.trim() }, message.attachments);
}

/** An example of the welcome card: a question like any other. */
export function handleExample(app: IntakeApp, inbound: Of<"action">): Promise<void> {
  return ask(app, inbound, {
    conversation: inbound.conversation ?? inbound.place,
    question: inbound.value,
    attachments: [],
    platformData: inbound.platformData,
  });
}

/** The question of a typed ask command that was edited; undefined for every other command. */
export async function questionOfEdited(app: IntakeApp, edited: Edited): Promise<CommandPlan["question"]> {
  const { commands } = app;
  const input = { kind: "typed", text: edited.text.trim() } as const;
  return commands.plan(input, await namesInReach(app, edited, input)).question;
}

export async function handleAction(app: IntakeApp, inbound: Of<"action">): Promise<void> {
  const { commands } = app;
  if (inbound.action === runTypedAction) return pressTyped(app, inbound);
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
