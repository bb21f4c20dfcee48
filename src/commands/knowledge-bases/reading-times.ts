/** `/kb refresh NAME every monday` and `stop`: reads a knowledge base again at fixed times. One schedule for each base. */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Schedule } from "../../core/model/schedule.ts";
import { keptId } from "../../core/tools/ids.ts";
import { cronOf, maxSchedules, problemOf, recurrenceIn, timeZoneOf } from "../../insight/schedules/schedules.ts";
import { bold, cleanText, code, infoDocument, person, say } from "../../presentation/drawing.ts";
import { dueText, recurrenceText, scheduleSentences } from "../../presentation/sentences.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import { typedBase } from "../names/base-ref.ts";
import { privately } from "../results.ts";

/** What follows the name says when, or that it is to end. */
export function isTime(words: string): boolean {
  return /^(?:every\b|stop$)/i.test(words);
}

export async function changeTimes(
  app: CommandApp,
  base: Named,
  words: string,
  context: CommandContext,
): Promise<CommandResult> {
  const known = await app.schedules.get(context.place, idOf(base, context));
  if (known !== undefined && known.owner.id !== context.actor.id && !context.roles.manage.allowed)
    return failed(say`${cleanText(known.owner.name)} set this up, so a manager has to change it.`);
  return /^stop$/i.test(words) ? stop(app, base, known, context) : setUp(app, base, words, context);
}

const idOf = ({ project, name }: Named, { place }: Pick<CommandContext, "place">) =>
  keptId(`knowledge/${workspaceKey(place)}/${project}/${name}`);

async function setUp(app: CommandApp, base: Named, words: string, context: CommandContext): Promise<CommandResult> {
  const { actor, place } = context;
  const recurrence = recurrenceIn(words);
  if (recurrence === undefined)
    return failed(
      say`I can't read that time. Try: ${code(app.registry.typed(`kb refresh ${base.name} every monday 9:00`))}`,
    );
  const problem = problemOf(recurrence);
  if (problem !== undefined) return failed(say`${scheduleSentences[problem]}`);
  const timeZone = await timeZoneOf(actor, place, app);
  const time = { cron: cronOf(recurrence), timeZone, text: recurrenceText(recurrence) };
  const what = { kind: "knowledge", base: { project: base.project, name: base.name } } as const;
  const made = await app.schedules.setUp({ id: idOf(base, context), owner: actor, place, time, what });
  if (made === "too-many")
    return failed(say`You have ${maxSchedules} schedules, and that's the most I take. Delete one first.`);
  await note(app, "kb refresh every", base, context, { time: time.text });
  await announce(
    app,
    context,
    say`${person(actor.name, actor.id)} has ${bold(base.name)} read again ${bold(time.text)} (${timeZone}).`,
  );
  return privately(
    infoDocument(
      [
        say`I'll read the pages of ${bold(base.name)} again ${bold(time.text)} (${timeZone}). Next: ${dueText(made.dueAtMs, timeZone)}.`,
        "If anything was added, changed or is gone, I'll say so here in one message. Pages that are gone are removed.",
        say`To end it: ${code(app.registry.typed(`kb refresh ${typedBase(app, base)} stop`))}`,
      ],
      { tone: "done" },
    ),
  );
}

async function stop(
  app: CommandApp,
  base: Named,
  known: Schedule | undefined,
  context: CommandContext,
): Promise<CommandResult> {
  if (known === undefined || (await app.schedules.delete(known)) === "gone")
    return privately(infoDocument(say`${bold(base.name)} isn't read at fixed times.`));
  await note(app, "kb refresh stop", base, context, {});
  return privately(infoDocument(say`I no longer read ${bold(base.name)} at fixed times.`, { tone: "done" }));
}

function note(
  app: CommandApp,
  action: string,
  { project, name }: Named,
  context: CommandContext,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  const entry = { role: "ingest", action, about: { knowledgeBase: `${project}.${name}`, ...about } } as const;
  return app.audit.record(context, { ...entry, outcome: "done" });
}

function failed(sentence: ReturnType<typeof say>): CommandResult {
  return privately(infoDocument(sentence, { tone: "failed" }));
}
