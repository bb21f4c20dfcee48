/** Handles presses of buttons: `presses` says what each does, and the rest are those under an answer. */

import { refusalDocument, refusalError } from "../../access/refusal.ts";
import { rolesOf } from "../../access/roles.ts";
import type { Named } from "../../core/access.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { createPause } from "../../core/tools/pause.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import {
  anotherAgentDocument,
  bold,
  csvTables,
  defaultRoom,
  fitSlowly,
  foundDocument,
  infoDocument,
  rawStepsDocument,
  say,
  showFailuresAction,
  stepsDocument,
  tableCsv,
  turnDocument,
} from "../../presentation/drawing.ts";
import { restFile } from "../../presentation/markdown.ts";
import {
  accessSentences,
  anotherAgentSentences,
  countText,
  errorSentences,
  numberText,
} from "../../presentation/sentences.ts";
import { isApprovalPress, pressApproval } from "../approval/approval-press.ts";
import { newTopicAction, pressNewTopic, pressTyped, runTypedAction } from "../contact/spoken.ts";
import { sendAway, sentAway } from "../overheard/send-away.ts";
import { showAs } from "../shown/toggle.ts";
import { otherAgents } from "../turn/agents.ts";
import { shownWith } from "../turn/end.ts";
import { currentAsker, stepFilter, turnHere } from "../turn/pressed.ts";
import { claimMs, type IntakeApp, type Press } from "./app.ts";
import { askAgain, begin, stopTurn, storeQuestion } from "./asking.ts";
import { askExample, handleAction, handleExample } from "./commands.ts";
import { pressVote } from "./votes.ts";

type Handle = (app: IntakeApp, inbound: Press) => Promise<unknown>;

/** What each button does. Those of commands are beside their commands. */
const presses: ReadonlyMap<string, Handle> = new Map([
  [askExample, handleExample],
  [newTopicAction, pressNewTopic],
  [runTypedAction, pressTyped],
  [showFailuresAction, (app, inbound) => app.showFailures(inbound)],
  ["thumb-up", pressVote],
  ["thumb-down", pressVote],
  ["hide", once(async (_app, inbound) => inbound.reply.hide?.())],
  ["stop", answered({}, ({ app, turn, inbound }) => stopTurn(app, turn.id, inbound.actor))],
  ["retry", answered({}, retry)],
  ["choose-agent", answered({}, chooseAgent)],
  ["always-agent", answered({}, alwaysAgent)],
  ["not-for-you", answered({ isPrivate: true }, notForYou)],
  ["steps", answered({ isPrivate: true, counts: true }, (pressed) => showSteps(pressed, stepsDocument))],
  ["raw-steps", answered({ isPrivate: true, counts: true }, (pressed) => showSteps(pressed, rawStepsDocument))],
  ["found", answered({ isPrivate: true, counts: true }, (pressed) => showSteps(pressed, foundDocument))],
  ["another-agent", answered({ isPrivate: true, counts: true }, offerOtherAgents)],
  ["ask-another", answered({ isPrivate: true, counts: true }, askOtherAgent)],
  ["rest", answered({ isPrivate: true, counts: true }, sendRest)],
  ["csv", answered({ counts: true }, sendCsv)],
  ["chart", answered({ counts: true }, (pressed) => show(pressed, "chart"))],
  ["table", answered({ counts: true }, (pressed) => show(pressed, "table"))],
]);

/** Throws ParleyError, which is shown privately to the person who pressed. */
export async function handlePress(app: IntakeApp, inbound: Press): Promise<void> {
  const { people, settings } = app;
  const { actor, place, action } = inbound;
  const verdict = app.reach.may(actor, "ask", place);
  if (!verdict.allowed) {
    await inbound.ack({ kind: "defer-private" });
    await inbound.reply.send(await refusalDocument(inbound, verdict, settings.roles.managers, people), "private");
    return;
  }
  const handle = presses.get(action) ?? (isApprovalPress(action) ? decide : handleAction);
  await handle(app, inbound);
}

/** Stored once without a claim: a press that was claimed, and not stored before a crash, would be lost. */
async function decide(app: IntakeApp, inbound: Press): Promise<void> {
  const platform = app.sites.get(inbound.place.platform)?.platform;
  if (platform !== undefined) await pressApproval(app, inbound, platform);
}

type Answering = {
  /** The press is answered to that person alone. */
  readonly isPrivate?: true;
  /** It reads an answer again, or posts files for everyone, so it counts as a command. */
  readonly counts?: true;
};

/** A press that was delivered again does nothing. */
function once(handle: Handle, { isPrivate }: Answering = {}): Handle {
  return async (app, inbound) => {
    const isFirst = await app.state.claims.claim(inbound.eventKey, claimMs);
    await inbound.ack({ kind: isFirst && isPrivate === true ? "defer-private" : "none" });
    return isFirst ? handle(app, inbound) : undefined;
  };
}

type Pressed = {
  readonly app: IntakeApp;
  readonly turn: Turn;
  readonly inbound: Press;
  readonly platform: ChatPlatform;
  /** What the button's value has behind the Turn's id. */
  readonly rest: string;
};

/** A button under an answer. It can be pressed twice, late, or by someone without permission. */
function answered(how: Answering, press: (pressed: Pressed) => Promise<unknown>): Handle {
  return once(async (app, inbound) => {
    const { actor, place } = inbound;
    const platform = app.sites.get(place.platform)?.platform;
    if (platform === undefined) return;
    const tooMany = how.counts === true ? await app.commandLimit.refuse(actor, place) : undefined;
    if (tooMany !== undefined) throw tooMany;
    const [id = "", ...rest] = inbound.value.split(" ");
    const turn = await turnHere(app.state.turns, id, inbound);
    await press({ app, turn, inbound, platform, rest: rest.join(" ") });
  }, how);
}

/** Throws when the person who pressed can't ask that agent there. */
async function checkAsk({ app, turn, inbound, platform }: Pressed, agent = turn.agent): Promise<void> {
  if (agent === undefined) return;
  const { actor, place } = await currentAsker(turn, inbound, platform, app.people);
  const verdict = await app.reach.mayAgent(actor, "ask", place, agent);
  if (!verdict.allowed) throw refusalError(actor, verdict, agent.name);
}

async function retry(pressed: Pressed): Promise<void> {
  const { app, turn } = pressed;
  const { requestedAgent: name, requestedProject: project = projectOf(pressed) } = turn;
  await checkAsk(pressed, name === undefined ? turn.agent : { project, name });
  await askAgain(app, turn.id);
}

async function chooseAgent(pressed: Pressed): Promise<void> {
  const { app, turn, rest } = pressed;
  await checkAsk(pressed, { project: projectOf(pressed), name: rest });
  await askAgain(app, turn.id, { requestedAgent: rest });
}

async function alwaysAgent({ app, turn, inbound, rest }: Pressed): Promise<void> {
  if (await setForChannel(app, rest, inbound)) await askAgain(app, turn.id);
}

async function notForYou(pressed: Pressed): Promise<void> {
  const { app, turn, inbound } = pressed;
  await checkAsk(pressed);
  if (!(await sendAway(app, turn))) throw new ParleyError("turn_gone");
  await inbound.reply.send(sentAway, "private");
}

async function show(pressed: Pressed, what: "chart" | "table"): Promise<void> {
  await checkAsk(pressed);
  await showAs(pressed.app, pressed.turn, what, pressed.inbound);
}

/** Sets the agent of the channel exactly like its command does. False for people who can't: they read whom to ask. */
async function setForChannel(app: IntakeApp, name: string, inbound: Press): Promise<boolean> {
  const { reach, people, commandLimit } = app;
  const { actor, place, eventKey, action, value } = inbound;
  const tooMany = await commandLimit.refuse(actor, place);
  if (tooMany !== undefined) throw tooMany;
  const verdict = reach.may(actor, "manage", place);
  if (!verdict.allowed) {
    await app.commandsIn(inbound).commands.refused({ kind: "action", action, value }, "manage", inbound);
    await inbound.reply.send(await refusalDocument(inbound, verdict, app.settings.roles.managers, people), "private");
    return false;
  }
  const roles = rolesOf(actor, place, app.settings.roles);
  const context = { actor, place, conversation: place, attachments: [], eventKey, roles };
  const input = { kind: "structured", path: "agent use", options: { name } } as const;
  await app.commandsIn(inbound).commands.run(input, context);
  return true;
}

async function showSteps({ app, turn, inbound, platform }: Pressed, draw: typeof stepsDocument): Promise<void> {
  if (turn.outcome === undefined) throw new ParleyError("turn_gone", { what: errorSentences.notFinished });
  const { actor, place } = await currentAsker(turn, inbound, platform, app.people);
  const isShown = await stepFilter(actor, place, turn.agent, app);
  await inbound.reply.send(draw(turn.outcome, isShown, app.settings.agentTokenPrices), "private");
}

/** "helper", or "shop.helper" for an agent of another project. */
function written(pressed: Pressed, agent: Named): string {
  return nameIn(agent, projectOf(pressed));
}

const projectOf = ({ app, turn }: Pressed) => app.settings.projectOf(turn.askedIn, turn.actor);

async function offerOtherAgents(pressed: Pressed): Promise<void> {
  const { app, turn, inbound, platform } = pressed;
  const asker = await currentAsker(turn, inbound, platform, app.people);
  const agents = await otherAgents(turn, asker, app);
  if (agents.length === 0) throw new ParleyError("agent_not_found", anotherAgentSentences.none);
  const names = agents.map((agent) => written(pressed, agent));
  await inbound.reply.send(anotherAgentDocument(turn.id, names), "private");
}

/**
 * The second answer is a Turn of its own in the same thread. It is stored once per answer and agent, however often and
 * by how many people the button is pressed.
 */
async function askOtherAgent(pressed: Pressed): Promise<void> {
  const { app, turn, inbound, platform, rest: wanted } = pressed;
  const asker = await currentAsker(turn, inbound, platform, app.people);
  const agent = (await otherAgents(turn, asker, app)).find((other) => written(pressed, other) === wanted);
  if (agent === undefined) {
    const what = accessSentences.agentNotHere(wanted);
    throw new ParleyError("agent_not_here", { what, hint: accessSentences.agentElsewhere });
  }
  const { place } = inbound;
  const { askedIn, conversation, question, attachments, isPrivate, topic, context, about } = turn;
  const repeats = turn.repeats ?? turn.id;
  const stored = await storeQuestion(app, {
    eventKey: `${place.platform}/${place.workspace}/ask-another/${repeats}/${turn.attempt}/${encodeURIComponent(wanted)}`,
    order: inbound.order,
    actor: asker.actor,
    via: "message",
    requestedAgent: agent.name,
    requestedProject: agent.project,
    repeats,
    askedIn,
    conversation,
    question,
    attachments,
    isPrivate,
    topic,
    context,
    about,
  });
  if (stored !== undefined) await begin(app, stored);
  const { asked, alreadyAsked } = anotherAgentSentences;
  const said = stored === undefined ? alreadyAsked(wanted) : asked(wanted);
  await inbound.reply.send(infoDocument(said), "private");
}

/** Maximum number of files per press. */
const maxCsvFiles = 10;

/** Posts the tables that Get CSV stands for, one file each, into the thread. */
async function sendCsv(pressed: Pressed): Promise<void> {
  const { turn, inbound, platform } = pressed;
  await checkAsk(pressed);
  const found = turn.outcome === undefined ? [] : csvTables(turn.outcome);
  const tables = found.slice(0, maxCsvFiles);
  if (tables.length === 0) throw new ParleyError("turn_gone");
  // First, while the press can still be answered.
  if (found.length > tables.length) {
    await inbound.reply.send(
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

const restTitle = "The rest of the answer";

/**
 * Sends the rest of an answer that did not fit into its messages. Attaches a file if Parley can by now, otherwise shows
 * the next part privately.
 */
async function sendRest(pressed: Pressed): Promise<void> {
  const { app, turn, inbound, platform } = pressed;
  const { clock, settings } = app;
  await checkAsk(pressed);
  if (turn.outcome === undefined) throw new ParleyError("turn_gone");
  const pause = createPause(clock);
  const { answers = defaultRoom } = platform.limits;
  const whole = turnDocument(turn.outcome, clock.now(), shownWith(turn, settings.sourceOldMs));
  const { rest } = await fitSlowly(whole, answers, (document, atMost) => platform.render(document, atMost), pause);
  if (rest === undefined) throw new ParleyError("turn_gone");
  try {
    await platform.uploadFile(turn.conversation, await restFile(rest, pause));
    await inbound.reply.send(infoDocument("The rest is in the attached file."), "private");
  } catch (failure) {
    if (!["not_permitted", "platform_refused", "payload_refused"].includes(toParleyError(failure).code)) throw failure;
    const next: Document = {
      tone: "info",
      blocks: [{ kind: "headline", text: say`${bold(restTitle)}` }, ...rest.blocks],
      actions: [],
      summary: restTitle,
    };
    await inbound.reply.send(next, "private");
  }
}
