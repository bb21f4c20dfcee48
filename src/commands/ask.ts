/**
 * `/ask`. A question with a time at its end is offered as a schedule first: nothing is scheduled, and nothing asked,
 * before its asker says so.
 */

import type { CommandContext, CommandResult, OptionDefinition } from "../core/commands.ts";
import type { Action, Block, Document } from "../core/document.ts";
import { ParleyError } from "../core/errors.ts";
import { workspaceKey } from "../core/model/place.ts";
import { keptId } from "../core/tools/ids.ts";
import { cronOf, maxSchedules, problemOf, scheduledQuestion, timeZoneOf } from "../insight/schedules/schedules.ts";
import { bold, cleanText, errorDocument, infoDocument, say, titledDocument } from "../presentation/drawing.ts";
import { dueText, recurrenceText, scheduleSentences, shorten } from "../presentation/sentences.ts";
import type { CommandApp } from "./app.ts";
import { type Command, textOption } from "./command.ts";
import type { AskedByButton } from "./contract.ts";
import { agentInReach } from "./names/in-reach.ts";
import { type PendingSchedule, pendingSchedulesIn } from "./pending.ts";
import { privately } from "./results.ts";

const says = {
  manage: "See your schedules with /schedule list.",
};

const agentOption: OptionDefinition = {
  name: "agent",
  summary: "The agent to ask (default: this channel's)",
  type: "text",
  isRequired: false,
  completes: "agent",
};

/** Long enough to think about it. */
const pendingMs = 86_400_000;
const maxShownChars = 300;

export const ask: Command = {
  path: "ask",
  summary: "Ask an agent a question",
  options: [
    {
      name: "question",
      summary: "What you want to know",
      type: "text",
      isRequired: true,
      isRest: true,
      hasOwnLimit: true,
    },
    agentOption,
  ],
  role: "ask",
  asks: { question: "question", agent: "agent" },
  examples: [
    "ask how do I connect Slack?",
    "ask how many orders came in today? agent:sales",
    "ask how many orders came in? every monday 9:00",
  ],
  run: async (app, options, context) =>
    offer(app, textOption(options, "question") ?? "", textOption(options, "agent"), context),
  actions: {
    "schedule-confirm": { role: "ask", press: confirm },
    "schedule-once": { role: "ask", asks: asked, press: async () => ({ kind: "nothing" }) },
  },
};

const keyOf = ({ place }: Pick<CommandContext, "place">, id: string) => `${workspaceKey(place)}/${id}`;

async function offer(
  app: CommandApp,
  text: string,
  agent: string | undefined,
  context: CommandContext,
): Promise<CommandResult> {
  const { actor, place, attachments, eventKey } = context;
  const found = scheduledQuestion(text);
  if (found === undefined) throw new ParleyError("unknown_command");
  const { question, recurrence, onlyIfChanged } = found;
  const problem = problemOf(recurrence);
  const timeZone = await timeZoneOf(actor, place, app);
  const time = { cron: cronOf(recurrence), timeZone, text: recurrenceText(recurrence) };
  const id = keptId(eventKey);
  const schedule = problem === undefined ? { place, question, onlyIfChanged, ...time } : undefined;
  const waiting: PendingSchedule = { actorId: actor.id, text, attachments, agent, schedule };
  await pendingSchedulesIn(app).set(keyOf(context, id), waiting, pendingMs);
  const askNow: Action = { id: "schedule-once", label: "Ask now instead", value: id, style: "plain" };
  if (problem !== undefined) {
    return privately(infoDocument([scheduleSentences[problem], "Or ask it as you typed it."], { actions: [askNow] }));
  }
  const confirm: Action = { id: "schedule-confirm", label: "Confirm", value: id, style: "primary" };
  const how = app.reach.isDirect(place)
    ? "I'll send you each answer here."
    : "I'll post each answer in this channel, with your access at that time.";
  const blocks: Block[] = [
    { kind: "text", text: say`${shorten(cleanText(question), maxShownChars)}` },
    { kind: "text", text: say`${onlyIfChanged === true ? `${how} Only if the answer has changed.` : how}` },
  ];
  return privately(titledDocument(say`Ask ${bold(time.text)} (${timeZone})?`, blocks, { actions: [confirm, askNow] }));
}

/** The value is untrusted: only the person who asked finds something. */
async function waiting(app: CommandApp, id: string, context: CommandContext): Promise<PendingSchedule | Document> {
  const found = await pendingSchedulesIn(app).get(keyOf(context, id));
  if (found === undefined) return errorDocument({ what: "This waited for more than a day. Ask it again.", hint: "" });
  return found.actorId === context.actor.id
    ? found
    : errorDocument({ what: "Only the person who asked can confirm this.", hint: "" });
}

async function confirm(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const found = await waiting(app, id, context);
  if ("blocks" in found) return privately(found);
  if (found.schedule === undefined) throw new ParleyError("unknown_command");
  const { place, question, onlyIfChanged, cron, timeZone, text } = found.schedule;
  const { actor } = context;
  const agent = found.agent === undefined ? undefined : await agentInReach(app, found.agent, { actor, place });
  const named = agent === undefined ? undefined : { project: agent.project, name: agent.name };
  const verdict = named === undefined ? undefined : await app.reach.mayAgent(actor, "ask", place, named);
  if (named !== undefined && verdict?.allowed === true && verdict.isPrivate) {
    return privately(
      infoDocument(
        say`${bold(named.name)} answers you only in private here. Set this up in a direct message with me.`,
        { tone: "failed" },
      ),
    );
  }
  const created = await app.schedules.create({
    id,
    owner: actor,
    place,
    time: { cron, timeZone, text },
    what: { kind: "question", question, agent: named, onlyIfChanged },
  });
  if (created === "known") return privately(infoDocument(["This schedule was already set up.", says.manage]));
  if (created === "too-many")
    return privately(
      infoDocument(`You have ${maxSchedules} schedules, and that's the most I take. Delete one first.`, {
        tone: "failed",
      }),
    );
  const next = dueText(created.dueAtMs, timeZone);
  return privately(
    infoDocument([say`I'll ask ${bold(text)} (${timeZone}). Next: ${next}.`, says.manage], { tone: "done" }),
  );
}

async function asked(app: CommandApp, id: string, context: CommandContext): Promise<AskedByButton> {
  const found = await waiting(app, id, context);
  if ("blocks" in found) return { kind: "refused", document: found };
  return { kind: "ask", question: found.text, attachments: found.attachments, agent: found.agent };
}
