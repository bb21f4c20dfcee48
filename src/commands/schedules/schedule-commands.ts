/** `/schedule`: lists, pauses, resumes, runs and deletes schedules. People see their own; managers also this channel's. */
import type { CompletionQuery } from "../../ports/chat-platform.ts";
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { ScheduleChange } from "../../ports/content/schedules.ts";
import type { Action, Block, Choice, Inline } from "../../ports/document.ts";
import { channelKey } from "../../ports/model/place.ts";
import type { Schedule } from "../../ports/model/schedule.ts";
import { refOf } from "../../ports/tools/ids.ts";
import { cleanText, code, dotted, infoDocument, inline, titledDocument } from "../../presentation/drawing.ts";
import { dueText, scheduleSentences as says, shorten } from "../../presentation/sentences.ts";
import { manages } from "../in-reach.ts";
import { matching } from "../parsing/matching.ts";
import { privately } from "../results.ts";
import { confirmation } from "./confirm.ts";
import { scheduleDefinitions } from "./schedule-definitions.ts";
import type { SchedulePorts } from "./schedule-ports.ts";

/** Each with its buttons. */
const maxShown = 10;
const maxQuestionChars = 150;
const maxChoiceChars = 90;

type Who = Pick<CommandContext, "actor" | "place">;
type Verb = "pause" | "resume" | "run" | "delete";
const verbs: readonly Verb[] = ["pause", "resume", "run", "delete"];

export function scheduleCommands(ports: SchedulePorts): CommandSet {
  const { schedules, audit } = ports;
  const confirming = confirmation(ports);

  /** What a person can see there: a question of another channel stays in that channel. */
  async function visible(who: Who): Promise<readonly Schedule[]> {
    const { actor, place } = who;
    const own = await schedules.ofPerson(place, actor);
    if (!manages(ports, who)) return own;
    const here = await schedules.inChannel(place);
    return [...own, ...here.filter(({ owner }) => owner.id !== actor.id)];
  }

  async function list(context: CommandContext): Promise<CommandResult> {
    const all = await visible(context);
    if (all.length === 0) return privately(infoDocument(says.none));
    const shown = all.slice(0, maxShown);
    const blocks = shown.flatMap((schedule): Block[] => [
      { kind: "text", text: lineOf(schedule, context) },
      { kind: "actions", layout: "row", actions: actionsOf(schedule) },
    ]);
    const quiet = all.length > shown.length ? [says.more(all.length - shown.length)] : [];
    return privately(titledDocument(says.list(all.length), blocks, { quiet }));
  }

  async function named(verb: Verb, options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const given = textOption(options, "id")?.trim().toLowerCase() ?? "";
    const found = (await visible(context)).find(({ id }) => id === given || refOf(id) === given);
    if (found === undefined) return privately(infoDocument(says.noSuch(given), { tone: "failed" }));
    return change(verb, found, context);
  }

  /** The value is untrusted. */
  async function pressed(verb: Verb, id: string, context: CommandContext): Promise<CommandResult> {
    const found = await schedules.get(context.place, id);
    if (found === undefined) return privately(infoDocument(says.gone, { tone: "failed" }));
    return change(verb, found, context);
  }

  async function change(verb: Verb, schedule: Schedule, context: CommandContext): Promise<CommandResult> {
    const { actor, place } = context;
    const isOwn = schedule.owner.id === actor.id;
    const isHere = channelKey(schedule.place) === channelKey(place);
    if (!isOwn && !(isHere && context.roles.manage.allowed)) {
      return privately(infoDocument(isHere ? says.others : says.gone, { tone: "failed" }));
    }
    const done = await perform(verb, schedule, context.eventKey);
    if (!isOwn) {
      const outcome = done === "done" ? "done" : "failed";
      await audit.record(context, {
        role: "manage",
        action: `schedule ${verb}`,
        outcome,
        about: { schedule: schedule.id, owner: schedule.owner.id },
      });
    }
    if (done === "gone") return privately(infoDocument(says.gone, { tone: "failed" }));
    if (done === "refused") return privately(infoDocument(says.isRefused, { tone: "failed" }));
    const { dueAtMs, time } = schedule;
    const due = dueText(dueAtMs, time.timeZone);
    const said: Readonly<Record<Verb, string>> = {
      pause: says.isPaused(due),
      resume: dueAtMs > ports.clock.now() ? says.isResumed(due, time.timeZone) : says.isResumedLate,
      run: runText(schedule),
      delete: says.isDeleted,
    };
    return privately(infoDocument(said[verb], { tone: "done" }));
  }

  function perform(verb: Verb, schedule: Schedule, eventKey: string): Promise<ScheduleChange> {
    if (verb === "run") return schedules.runNow(schedule, eventKey.split("/").at(-1) ?? "");
    return schedules[verb](schedule);
  }

  async function complete({ typed, place, actor }: CompletionQuery): Promise<readonly Choice[]> {
    const labels = new Map(
      (await visible({ actor, place })).map((schedule) => [
        shorten(`${refOf(schedule.id)} · ${titleOf(schedule)}`, maxChoiceChars),
        refOf(schedule.id),
      ]),
    );
    return matching(typed, [...labels.keys()]).map(({ label }) => ({ label, value: labels.get(label) ?? label }));
  }

  return {
    definitions: scheduleDefinitions,
    handlers: {
      ask: confirming.ask,
      "schedule list": { run: (_options, context) => list(context) },
      ...Object.fromEntries(
        verbs.map((verb) => [
          `schedule ${verb}`,
          { run: (options: OptionValues, context: CommandContext) => named(verb, options, context) },
        ]),
      ),
    },
    actions: {
      ...confirming.actions,
      ...Object.fromEntries(
        verbs.map((verb) => [
          `schedule-${verb}`,
          { role: "ask" as const, press: (id: string, context: CommandContext) => pressed(verb, id, context) },
        ]),
      ),
    },
    completions: { schedule: complete },
  };
}

/** Of a digest, and of an answer that is shown only if it changed, it isn't known yet. */
function runText({ what }: Schedule): string {
  if (what.kind === "digest") return says.isPosted;
  return what.onlyIfChanged === true ? says.isRunningIfChanged : says.isRunning;
}

function titleOf({ what }: Schedule): string {
  return what.kind === "question" ? shorten(cleanText(what.question), maxQuestionChars) : says.digest;
}

function lineOf(schedule: Schedule, { actor }: Who): Inline {
  const { time, state, dueAtMs, owner, what } = schedule;
  const isQuestion = what.kind === "question";
  const when = isQuestion && what.onlyIfChanged === true ? `${time.text}, ${says.ifChanged}` : time.text;
  return dotted(
    code(refOf(schedule.id)),
    inline(says.question(titleOf(schedule))),
    when,
    state === "paused" ? says.paused : says.next(dueText(dueAtMs, time.timeZone), time.timeZone),
    owner.id === actor.id ? undefined : says.by(cleanText(owner.name)),
  );
}

function actionsOf({ id, state }: Schedule): readonly Action[] {
  const isPaused = state === "paused";
  return [
    { id: "schedule-run", label: says.runLabel, value: id, style: "plain" },
    isPaused
      ? { id: "schedule-resume", label: says.resumeLabel, value: id, style: "plain" }
      : { id: "schedule-pause", label: says.pauseLabel, value: id, style: "plain" },
    { id: "schedule-delete", label: says.deleteLabel, value: id, style: "danger" },
  ];
}
