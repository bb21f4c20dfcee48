/** Handles the buttons under an answer. Any of them can be pressed twice, late, or by someone without permission. */

import { refusalDocument, refusalError } from "../../access/refusal.ts";
import { rolesOf } from "../../access/roles.ts";
import type { Named } from "../../core/access.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, Inbound, Responder } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { createPause } from "../../core/tools/pause.ts";
import {
  bold,
  csvTables,
  defaultRoom,
  fitSlowly,
  foundDocument,
  infoDocument,
  rawStepsDocument,
  say,
  stepsDocument,
  tableCsv,
  turnDocument,
} from "../../presentation/drawing.ts";
import { restFile } from "../../presentation/markdown.ts";
import { countText, errorSentences, numberText } from "../../presentation/sentences.ts";
import { currentAsker } from "../current-asker.ts";
import { sendAway, sentAway } from "../overheard/send-away.ts";
import { showAs } from "../shown/toggle.ts";
import { stepFilter } from "../turn/step-filter.ts";
import { shownWith } from "../turn/turn-end.ts";
import { turnHere } from "../turn/turn-here.ts";
import type { IntakeApp } from "./app.ts";
import { askAgain, stopTurn } from "./asking.ts";
import { askOtherAgent, offerOtherAgents } from "./second-agent.ts";

const says = {
  title: "The rest of the answer",
};

type Press = Extract<Inbound, { kind: "action" }>;

/** Maximum number of files per press. */
const maxCsvFiles = 10;

const ours: readonly string[] = [
  "stop",
  "retry",
  "steps",
  "raw-steps",
  "found",
  "not-for-you",
  "hide",
  "csv",
  "chart",
  "table",
  "rest",
  "choose-agent",
  "always-agent",
  "another-agent",
  "ask-another",
];

/** These read an answer again, and some post files for everyone, so they count as commands. */
const fetching: readonly string[] = [
  "steps",
  "raw-steps",
  "found",
  "csv",
  "chart",
  "table",
  "rest",
  "another-agent",
  "ask-another",
];

/** How a press draws what one person may see of the steps. */
const drawings: Readonly<Record<string, typeof stepsDocument>> = {
  steps: stepsDocument,
  "raw-steps": rawStepsDocument,
  found: foundDocument,
};

/** These are answered privately. */
const answering: readonly string[] = [
  "steps",
  "raw-steps",
  "found",
  "not-for-you",
  "rest",
  "another-agent",
  "ask-another",
];

/** Throws when the person who pressed can't ask that agent there. */
async function mayAsk(
  app: IntakeApp,
  turn: Turn,
  inbound: Press,
  agent: Named | undefined,
  platform: ChatPlatform,
): Promise<void> {
  const { reach } = app;
  if (agent === undefined) return;
  const { actor, place } = await currentAsker(turn, inbound, platform, app.people);
  const verdict = await reach.mayAgent(actor, "ask", place, agent);
  if (!verdict.allowed) throw refusalError(actor, verdict, agent.name);
}

function named(app: IntakeApp, name: string | undefined, project = app.settings.project): Named | undefined {
  return name === undefined ? undefined : { project, name };
}

/** Posts the tables that Get CSV stands for, one file each, into the thread. */
async function sendCsv(turn: Turn, { reply }: Press, platform: ChatPlatform): Promise<void> {
  const found = turn.outcome === undefined ? [] : csvTables(turn.outcome);
  const tables = found.slice(0, maxCsvFiles);
  if (tables.length === 0) throw new ParleyError("turn_gone");
  // First, while the press can still be answered.
  if (found.length > tables.length) {
    await reply.send(
      infoDocument(
        `The answer has ${countText(found.length, "table")}. The first ${numberText(tables.length)} are attached.`,
      ),
      "private",
    );
  }
  for (const [index, table] of tables.entries()) {
    const suffix = tables.length === 1 ? "" : `-${index + 1}`;
    await platform.uploadFile(turn.conversation, {
      name: `answer-${turn.ref}${suffix}.csv`,
      content: tableCsv(table),
      mediaType: "text/csv",
    });
  }
}

/** Sets the agent of the channel exactly like its command does. False for people who can't: they read whom to ask. */
async function setForChannel(app: IntakeApp, name: string, inbound: Press): Promise<boolean> {
  const { reach, people, commandLimit } = app;
  const { actor, place, eventKey, action, value } = inbound;
  const tooMany = await commandLimit.refuse(actor, place);
  if (tooMany !== undefined) throw tooMany;
  const verdict = reach.may(actor, "manage", place);
  if (!verdict.allowed) {
    await app.commands.refused({ kind: "action", action, value }, "manage", inbound);
    await inbound.reply.send(await refusalDocument(inbound, verdict, app.settings.roles.managers, people), "private");
    return false;
  }
  const roles = rolesOf(actor, place, app.settings.roles);
  const context = { actor, place, conversation: place, attachments: [], eventKey, roles };
  const input = { kind: "structured", path: "agent use", options: { name } } as const;
  await app.commands.run(input, context);
  return true;
}

async function steps(app: IntakeApp, turn: Turn, inbound: Press, platform: ChatPlatform): Promise<void> {
  const { reach } = app;
  const { project } = app.settings;
  if (turn.outcome === undefined) throw new ParleyError("turn_gone", { what: errorSentences.notFinished });
  const { actor, place } = await currentAsker(turn, inbound, platform, app.people);
  const isShown = await stepFilter(actor, place, turn.agent, { reach, project });
  const draw = drawings[inbound.action] ?? stepsDocument;
  return inbound.reply.send(draw(turn.outcome, isShown), "private");
}

export function isAnswerButton(action: string): boolean {
  return ours.includes(action);
}

/** Throws ParleyError, which is shown privately to the person who pressed. */
export async function pressAnswerButton(app: IntakeApp, inbound: Press, platform: ChatPlatform): Promise<void> {
  const { commandLimit, clock } = app;
  const { turns } = app.state;
  const { sourceOldMs } = app.settings;
  const isPrivate = answering.includes(inbound.action);
  await inbound.ack({ kind: isPrivate ? "defer-private" : "none" });
  // The button is in what only this person sees, whether or not its answer is still there.
  if (inbound.action === "hide") return inbound.reply.hide?.();
  const isFetching = fetching.includes(inbound.action);
  const tooMany = isFetching ? await commandLimit.refuse(inbound.actor, inbound.place) : undefined;
  if (tooMany !== undefined) throw tooMany;
  const [id = "", ...rest] = inbound.value.split(" ");
  const turn = await turnHere(turns, id, inbound);
  switch (inbound.action) {
    case "stop":
      return stopTurn(app, turn.id, inbound.actor);
    case "retry":
      await mayAsk(app, turn, inbound, named(app, turn.requestedAgent, turn.requestedProject) ?? turn.agent, platform);
      await askAgain(app, turn.id);
      return;
    case "choose-agent":
      await mayAsk(app, turn, inbound, named(app, rest.join(" ")), platform);
      await askAgain(app, turn.id, { requestedAgent: rest.join(" ") });
      return;
    case "always-agent":
      if (await setForChannel(app, rest.join(" "), inbound)) await askAgain(app, turn.id);
      return;
    case "steps":
    case "raw-steps":
    case "found":
      return steps(app, turn, inbound, platform);
    case "another-agent":
      return offerOtherAgents(app, turn, inbound, await currentAsker(turn, inbound, platform, app.people));
    case "ask-another":
      return askOtherAgent(app, turn, rest.join(" "), inbound, await currentAsker(turn, inbound, platform, app.people));
    case "not-for-you":
      await mayAsk(app, turn, inbound, turn.agent, platform);
      if (!(await sendAway(app, turn))) throw new ParleyError("turn_gone");
      return inbound.reply.send(sentAway, "private");
    case "csv":
      await mayAsk(app, turn, inbound, turn.agent, platform);
      return sendCsv(turn, inbound, platform);
    case "chart":
    case "table":
      await mayAsk(app, turn, inbound, turn.agent, platform);
      return showAs(app, turn, inbound.action, inbound);
    case "rest":
      await mayAsk(app, turn, inbound, turn.agent, platform);
      return sendRest(turn, inbound.reply, platform, { clock, sourceOldMs });
  }
}

/**
 * Sends the rest of an answer that did not fit into its messages. Attaches a file if Parley can by now, otherwise shows
 * the next part privately.
 */
async function sendRest(
  turn: Turn,
  reply: Responder,
  platform: ChatPlatform,
  { clock, sourceOldMs }: { readonly clock: Clock; readonly sourceOldMs: number },
): Promise<void> {
  if (turn.outcome === undefined) throw new ParleyError("turn_gone");
  const pause = createPause(clock);
  const { answers = defaultRoom } = platform.limits;
  const whole = turnDocument(turn.outcome, clock.now(), shownWith(turn, sourceOldMs));
  const { rest } = await fitSlowly(whole, answers, (document, atMost) => platform.render(document, atMost), pause);
  if (rest === undefined) throw new ParleyError("turn_gone");
  try {
    await platform.uploadFile(turn.conversation, await restFile(rest, pause));
    await reply.send(infoDocument("The rest is in the attached file."), "private");
  } catch (failure) {
    if (!["not_permitted", "platform_refused", "payload_refused"].includes(toParleyError(failure).code)) throw failure;
    const next: Document = {
      tone: "info",
      blocks: [{ kind: "headline", text: say`${bold(says.title)}` }, ...rest.blocks],
      actions: [],
      summary: says.title,
    };
    await reply.send(next, "private");
  }
}
