/** `/schedule list`: a person's schedules, and for managers also those of the channel. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, Block, Inline } from "../../core/document.ts";
import type { Schedule } from "../../core/model/schedule.ts";
import { refOf } from "../../core/tools/ids.ts";
import { bold, cleanText, code, dotted, infoDocument, say, titledDocument } from "../../presentation/drawing.ts";
import { countText, dueText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { privately } from "../results.ts";
import { complete, titleOf, visible, type Who } from "./change.ts";

/** Each with its buttons. */
const maxShown = 10;

export const scheduleList: Command = {
  path: "schedule list",
  summary: "List your schedules, and as a manager those of this channel",
  options: [],
  role: "ask",
  examples: ["schedule list"],
  run: (app, _options, context) => list(app, context),
  completions: { schedule: complete },
};

async function list(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  const all = await visible(app, context);
  if (all.length === 0)
    return privately(
      infoDocument("You have no schedules. End a question with when: /ask how many orders came in? every monday 9:00"),
    );
  const shown = all.slice(0, maxShown);
  const blocks = shown.flatMap((schedule): Block[] => [
    { kind: "text", text: lineOf(schedule, context) },
    { kind: "actions", layout: "row", actions: actionsOf(schedule) },
  ]);
  const quiet = all.length > shown.length ? [`And ${all.length - shown.length} more.`] : [];
  return privately(titledDocument(countText(all.length, "schedule"), blocks, { quiet }));
}

function lineOf(schedule: Schedule, { actor }: Who): Inline {
  const { time, state, dueAtMs, owner, what } = schedule;
  const isQuestion = what.kind === "question";
  const when = isQuestion && what.onlyIfChanged === true ? `${time.text}, only if it changed` : time.text;
  return dotted(
    code(refOf(schedule.id)),
    say`${bold(titleOf(schedule))}`,
    when,
    state === "paused" ? "paused" : `next ${dueText(dueAtMs, time.timeZone)} (${time.timeZone})`,
    owner.id === actor.id ? undefined : `by ${cleanText(owner.name)}`,
  );
}

function actionsOf({ id, state }: Schedule): readonly Action[] {
  const isPaused = state === "paused";
  return [
    { id: "schedule-run", label: "Run now", value: id, style: "plain" },
    isPaused
      ? { id: "schedule-resume", label: "Resume", value: id, style: "plain" }
      : { id: "schedule-pause", label: "Pause", value: id, style: "plain" },
    { id: "schedule-delete", label: "Delete", value: id, style: "danger" },
  ];
}
