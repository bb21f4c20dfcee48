/** `/parley digest`: sets up a channel's weekly digest, switches it off, shows whether it is on, and posts one now. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { Schedule } from "../../core/model/schedule.ts";
import { keptId } from "../../core/tools/ids.ts";
import { clockTimeOf, cronOf, maxSchedules, timeZoneOf } from "../../insight/schedules/schedules.ts";
import { bold, cleanText, infoDocument, person, say } from "../../presentation/drawing.ts";
import { countText, dueText, recurrenceText } from "../../presentation/sentences.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { privately } from "../results.ts";

const says = {
  covers: "Each one covers the seven days before its day: what's asked on that day is in the next one.",
  isOff: "This channel has no digest.",
};

const monday = 1;

const atNine = { hour: 9, minute: 0 };

const numbers = [0, 1, 2, 3, 4, 5, 6] as const;
const digestSwitches = ["on", "off", "now"] as const;
/** Sunday is 0, as in schedules. */
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const parleyDigest: Command = {
  path: "parley digest",
  summary: "Post a digest in this channel each week: questions, votes, what is still open, what was added",
  options: [
    {
      name: "digest",
      summary: "on, off, or now: once, at once (default: show whether it is on)",
      type: "choice",
      isRequired: false,
      choices: digestSwitches,
    },
    {
      name: "weekday",
      summary: "On which day (default: Monday)",
      type: "choice",
      isRequired: false,
      choices: [...weekdays.slice(1), weekdays[0]],
    },
    {
      name: "time",
      summary: "At what time: 9:00 or 2pm (default: 9:00)",
      type: "text",
      isRequired: false,
      takesBareWord: true,
    },
  ],
  role: "manage",
  examples: ["parley digest", "parley digest on", "parley digest on friday 16:00", "parley digest now"],
  run,
};

/** One of each channel. */
const idOf = (place: Place) => keptId(`digest/${channelKey(place)}`);

/** A thread of the page is where it is read. */
function channelOf(app: CommandApp, { thread, ...channel }: Place): Place {
  return thread !== undefined && app.sites.get(channel.platform)?.platform.isOwnPage === true
    ? { ...channel, thread }
    : channel;
}

async function status(app: CommandApp, { place }: CommandContext): Promise<CommandResult> {
  const found = await app.schedules.get(place, idOf(place));
  if (found === undefined)
    return privately(
      infoDocument([says.isOff, `To get one every Monday at 9:00: ${app.registry.typed("parley digest on")}`]),
    );
  return privately(infoDocument(found.state === "paused" ? statusText(found) : [statusText(found), says.covers]));
}

async function turnOn(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const { actor, place } = context;
  const given = textOption(options, "time");
  const clockTime = given === undefined ? atNine : clockTimeOf(given);
  if (clockTime === undefined)
    return failed(`“${cleanText(given ?? "")}” isn't a time that I understand. Try 9:00 or 2pm.`);
  const named = numberOf(textOption(options, "weekday"));
  const recurrence = { kind: "weekdays", days: [named ?? monday], ...clockTime } as const;
  const timeZone = await timeZoneOf(actor, place, app);
  const time = { cron: cronOf(recurrence), timeZone, text: recurrenceText(recurrence) };
  const schedule = {
    id: idOf(place),
    owner: actor,
    place: channelOf(app, place),
    time,
    what: { kind: "digest" },
  } as const;
  const made = await app.schedules.setUp(schedule);
  if (made === "too-many")
    return failed(`You have ${countText(maxSchedules, "schedule")}, and that's the most I take.`);
  await note(app, context, "parley digest on", { time: time.text });
  await announce(
    app,
    context,
    say`${person(actor.name, actor.id)} set up a digest of this channel: ${bold(time.text)} (${timeZone}).`,
  );
  const next = dueText(made.dueAtMs, timeZone);
  return privately(
    infoDocument(
      [
        say`I'll post a digest of this channel ${bold(time.text)} (${timeZone}). Next: ${next}.`,
        says.covers,
        "If nobody asked anything in these seven days, I post nothing.",
      ],
      { tone: "done" },
    ),
  );
}

async function turnOff(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  const { actor, place } = context;
  const found = await app.schedules.get(place, idOf(place));
  if (found === undefined || (await app.schedules.delete(found)) === "gone") return privately(infoDocument(says.isOff));
  await note(app, context, "parley digest off", {});
  await announce(app, context, say`${person(actor.name, actor.id)} switched off the digest of this channel.`);
  return privately(infoDocument("This channel gets no digest any longer.", { tone: "done" }));
}

async function postNow(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  const { actor, place, eventKey } = context;
  const key = `digest/now/${eventKey}`;
  const timeZone = await timeZoneOf(actor, place, app);
  const posted = await app.digests.post({ key, actor, place: channelOf(app, place), timeZone });
  if (posted === "lost") return failed("I can't post in this channel. Add me to it, then try again.");
  if (posted === "nothing")
    return privately(infoDocument("Nobody asked anything here in the last seven days, so there's nothing to post."));
  await note(app, context, "parley digest now", {});
  return privately(infoDocument("The digest is in the channel now.", { tone: "done" }));
}

function note(
  app: CommandApp,
  context: CommandContext,
  action: string,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  return app.audit.record(context, { role: "manage", action, about, outcome: "done" });
}

async function run(app: CommandApp, options: OptionValues, context: CommandContext): Promise<CommandResult> {
  const { place } = context;
  if (app.reach.isDirect(place) && app.sites.get(place.platform)?.platform.isOwnPage !== true)
    return failed("A digest is about a channel. Use this command in the channel that should get it.");
  const wanted = textOption(options, "digest");
  if (wanted === "on") return turnOn(app, options, context);
  if (wanted === "off") return turnOff(app, context);
  return wanted === "now" ? postNow(app, context) : status(app, context);
}

function numberOf(weekday: string | undefined) {
  return numbers.find((day) => weekdays[day] === weekday);
}

function statusText({ time, state, dueAtMs, owner }: Schedule) {
  if (state === "paused") return say`The digest of this channel is paused (${bold(time.text)}).`;
  const next = dueText(dueAtMs, time.timeZone);
  return say`The digest of this channel is on: ${bold(time.text)} (${time.timeZone}), set up by ${cleanText(owner.name)}. Next: ${next}.`;
}

function failed(sentence: string): CommandResult {
  return privately(infoDocument(sentence, { tone: "failed" }));
}
