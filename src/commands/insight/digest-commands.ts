/** `/parley digest`: sets up a channel's weekly digest, switches it off, shows whether it is on, and posts one now. */
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Digests } from "../../ports/content/digest.ts";
import type { Schedules } from "../../ports/content/schedules.ts";
import { type Actor, channelKey, type Place } from "../../ports/model/place.ts";
import type { Schedule } from "../../ports/model/schedule.ts";
import { keptId } from "../../ports/tools/ids.ts";
import { cleanText, infoDocument } from "../../presentation/drawing.ts";
import { dueText, recurrenceText, digestSentences as says } from "../../presentation/sentences.ts";
import { clockTimeOf, cronOf, maxSchedules } from "../../schedules/schedules.ts";
import { announce } from "../announce.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";
import { digestDefinitions, weekdays } from "./digest-definitions.ts";

const monday = 1;
const atNine = { hour: 9, minute: 0 };

export type DigestPorts = CommandPorts & {
  readonly schedules: Pick<Schedules, "get" | "setUp" | "delete">;
  readonly digests: Digests;
  /** The page is one room, although nobody else is in it. */
  readonly isOwnPage: (platform: string) => boolean;
  /** The person's where the platform knows it, else TIME_ZONE. Never rejects. */
  readonly timeZoneOf: (actor: Actor, place: Place) => Promise<string>;
};

export function digestCommands(ports: DigestPorts): CommandSet {
  const { schedules, digests, reach, audit, isOwnPage, settings } = ports;
  const typed = `/${settings.commandPrefix}parley digest on`;

  /** One of each channel. */
  const idOf = (place: Place) => keptId(`digest/${channelKey(place)}`);

  /** A thread of the page is where it is read. */
  function channelOf({ thread, ...channel }: Place): Place {
    return thread !== undefined && isOwnPage(channel.platform) ? { ...channel, thread } : channel;
  }

  async function status({ place }: CommandContext): Promise<CommandResult> {
    const found = await schedules.get(place, idOf(place));
    if (found === undefined) return privately(infoDocument([says.isOff, says.turnOn(typed)]));
    return privately(infoDocument(found.state === "paused" ? statusText(found) : [statusText(found), says.covers]));
  }

  async function turnOn(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const { actor, place } = context;
    const given = textOption(options, "time");
    const clockTime = given === undefined ? atNine : clockTimeOf(given);
    if (clockTime === undefined) return failed(says.noSuchTime(cleanText(given ?? "")));
    const named = numberOf(textOption(options, "weekday"));
    const recurrence = { kind: "weekdays", days: [named ?? monday], ...clockTime } as const;
    const timeZone = await ports.timeZoneOf(actor, place);
    const time = { cron: cronOf(recurrence), timeZone, text: recurrenceText(recurrence) };
    const schedule = {
      id: idOf(place),
      owner: actor,
      place: channelOf(place),
      time,
      what: { kind: "digest" },
    } as const;
    const made = await schedules.setUp(schedule);
    if (made === "too-many") return failed(says.tooMany(maxSchedules));
    await note(context, "parley digest on", { time: time.text });
    await announce(ports, context, says.changed(actor, time.text, timeZone));
    const next = dueText(made.dueAtMs, timeZone);
    return privately(infoDocument([says.on(time.text, timeZone, next), says.covers, says.onNothing], { tone: "done" }));
  }

  async function turnOff(context: CommandContext): Promise<CommandResult> {
    const { actor, place } = context;
    const found = await schedules.get(place, idOf(place));
    if (found === undefined || (await schedules.delete(found)) === "gone") return privately(infoDocument(says.isOff));
    await note(context, "parley digest off", {});
    await announce(ports, context, says.switchedOff(actor));
    return privately(infoDocument(says.off, { tone: "done" }));
  }

  async function postNow(context: CommandContext): Promise<CommandResult> {
    const { actor, place, eventKey } = context;
    const key = `digest/now/${eventKey}`;
    const timeZone = await ports.timeZoneOf(actor, place);
    const posted = await digests.post({ key, actor, place: channelOf(place), timeZone });
    if (posted === "lost") return failed(says.notHere);
    if (posted === "nothing") return privately(infoDocument(says.nothing));
    await note(context, "parley digest now", {});
    return privately(infoDocument(says.posted, { tone: "done" }));
  }

  function note(context: CommandContext, action: string, about: Readonly<Record<string, string>>): Promise<void> {
    return audit.record(context, { role: "manage", action, about, outcome: "done" });
  }

  async function run(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const { place } = context;
    if (reach.isDirect(place) && !isOwnPage(place.platform)) return failed(says.inDirect);
    const wanted = textOption(options, "digest");
    if (wanted === "on") return turnOn(options, context);
    if (wanted === "off") return turnOff(context);
    return wanted === "now" ? postNow(context) : status(context);
  }

  return { definitions: digestDefinitions, handlers: { "parley digest": { run } } };
}

const numbers = [0, 1, 2, 3, 4, 5, 6] as const;

function numberOf(weekday: string | undefined) {
  return numbers.find((day) => weekdays[day] === weekday);
}

function statusText({ time, state, dueAtMs, owner }: Schedule) {
  if (state === "paused") return says.isPaused(time.text);
  const next = dueText(dueAtMs, time.timeZone);
  return says.isOn(time.text, time.timeZone, next, cleanText(owner.name));
}

function failed(sentence: string): CommandResult {
  return privately(infoDocument(sentence, { tone: "failed" }));
}
