/** Pauses, resumes, runs and deletes a schedule. People change their own; managers also those of the channel. */

import type { CommandContext, CommandResult, OptionDefinition } from "../../core/commands.ts";
import type { Choice } from "../../core/document.ts";
import { channelKey, isAway } from "../../core/model/place.ts";
import type { Schedule } from "../../core/model/schedule.ts";
import type { CompletionQuery } from "../../core/ports/chat-platform.ts";
import { refOf } from "../../core/tools/ids.ts";
import type { ScheduleChange } from "../../insight/schedules/schedules.ts";
import { cleanText, code, infoDocument, say } from "../../presentation/drawing.ts";
import { dueText, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { manages } from "../names/in-reach.ts";
import { matching } from "../names/matching.ts";
import { privately } from "../results.ts";

const says = {
  gone: "This schedule doesn't exist any longer.",
};

const maxQuestionChars = 150;
const maxChoiceChars = 90;

export type Who = Pick<CommandContext, "actor" | "place">;

type Verb = "pause" | "resume" | "run" | "delete";

const scheduleOption: OptionDefinition = {
  name: "id",
  summary: "The schedule",
  type: "text",
  isRequired: true,
  completes: "schedule",
};

export const schedulePause = changing("pause", "Pause a schedule");
export const scheduleResume = changing("resume", "Resume a paused schedule");
export const scheduleRun = changing("run", "Ask a schedule's question now");
export const scheduleDelete = changing("delete", "Delete a schedule");

function changing(verb: Verb, summary: string): Command {
  return {
    path: `schedule ${verb}`,
    summary,
    options: [scheduleOption],
    role: "ask",
    examples: [`schedule ${verb} k3f9`],
    run: (app, options, context) => named(app, verb, options, context),
    actions: {
      [`schedule-${verb}`]: { role: "ask", press: (app, id, context) => pressed(app, verb, id, context) },
    },
  };
}

/**
 * What a person can see there: a question of another channel stays in that channel, and someone at /admin, who is in
 * none, reads no question that others ask there.
 */
export async function visible(app: CommandApp, who: Who): Promise<readonly Schedule[]> {
  const { actor, place } = who;
  const own = await app.schedules.ofPerson(place, actor);
  if (!manages(app, who)) return own;
  const here = await app.schedules.inChannel(place);
  const isRead = ({ what }: Schedule) => !isAway(actor) || what.kind !== "question";
  return [...own, ...here.filter((schedule) => schedule.owner.id !== actor.id && isRead(schedule))];
}

async function named(
  app: CommandApp,
  verb: Verb,
  options: OptionValues,
  context: CommandContext,
): Promise<CommandResult> {
  const given = textOption(options, "id")?.trim().toLowerCase() ?? "";
  const found = (await visible(app, context)).find(({ id }) => id === given || refOf(id) === given);
  if (found === undefined)
    return privately(
      infoDocument(say`There's no schedule ${code(given)} of yours. See /schedule list.`, { tone: "failed" }),
    );
  return change(app, verb, found, context);
}

/** The value is untrusted. */
async function pressed(app: CommandApp, verb: Verb, id: string, context: CommandContext): Promise<CommandResult> {
  const found = await app.schedules.get(context.place, id);
  if (found === undefined) return privately(infoDocument(says.gone, { tone: "failed" }));
  return change(app, verb, found, context);
}

async function change(
  app: CommandApp,
  verb: Verb,
  schedule: Schedule,
  context: CommandContext,
): Promise<CommandResult> {
  const { actor, place } = context;
  const isOwn = schedule.owner.id === actor.id;
  const isHere = channelKey(schedule.place) === channelKey(place);
  if (!isOwn && !(isHere && context.roles.manage.allowed)) {
    return privately(
      infoDocument(isHere ? "It's someone else's schedule, so a manager has to do this." : says.gone, {
        tone: "failed",
      }),
    );
  }
  const done = await perform(app, verb, schedule, context.eventKey);
  if (!isOwn) {
    const outcome = done === "done" ? "done" : "failed";
    await app.audit.record(context, {
      role: "manage",
      action: `schedule ${verb}`,
      outcome,
      about: { schedule: schedule.id, owner: schedule.owner.id },
    });
  }
  if (done === "gone") return privately(infoDocument(says.gone, { tone: "failed" }));
  if (done === "refused")
    return privately(infoDocument("Its owner can't ask that there now, or I couldn't find out.", { tone: "failed" }));
  const { dueAtMs, time } = schedule;
  const due = dueText(dueAtMs, time.timeZone);
  const said: Readonly<Record<Verb, string>> = {
    pause: `Paused. If a time passes meanwhile, I'll ask once after you resume it (${due}).`,
    resume:
      dueAtMs > app.clock.now()
        ? `Resumed. Next: ${due} (${time.timeZone}).`
        : "Resumed. A time passed meanwhile, so I'll ask within a minute.",
    run: runText(schedule),
    delete: "The schedule is deleted.",
  };
  return privately(infoDocument(said[verb], { tone: "done" }));
}

function perform(app: CommandApp, verb: Verb, schedule: Schedule, eventKey: string): Promise<ScheduleChange> {
  if (verb === "run") return app.schedules.runNow(schedule, eventKey.split("/").at(-1) ?? "");
  return app.schedules[verb](schedule);
}

export async function complete(app: CommandApp, { typed, place, actor }: CompletionQuery): Promise<readonly Choice[]> {
  const labels = new Map(
    (await visible(app, { actor, place })).map((schedule) => [
      shorten(`${refOf(schedule.id)} · ${titleOf(schedule)}`, maxChoiceChars),
      refOf(schedule.id),
    ]),
  );
  return matching(typed, [...labels.keys()]).map(({ label }) => ({ label, value: labels.get(label) ?? label }));
}

/** Of a digest, and of an answer that is shown only if it changed, it isn't known yet. */
function runText({ what }: Schedule): string {
  if (what.kind === "digest")
    return "Done. If anyone asked something there in the last seven days, the digest is in the channel.";
  if (what.kind === "knowledge") return "Reading. If anything has changed, it will be in the channel.";
  return what.onlyIfChanged === true
    ? "Asked. If the answer has changed, it will be in the channel."
    : "Asked. The answer will be in the channel.";
}

export function titleOf({ what }: Schedule): string {
  if (what.kind === "digest") return "Digest";
  if (what.kind === "knowledge") return `Refresh ${cleanText(what.base.name)}`;
  return shorten(cleanText(what.question), maxQuestionChars);
}
