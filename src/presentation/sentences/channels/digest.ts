/** Sentences about the weekly digest of a channel. */
import type { Inline } from "../../../ports/document.ts";
import type { Actor, Place } from "../../../ports/model/place.ts";
import { bold, person, say } from "../../drawing/inline.ts";
import { countText, numberText } from "../quantities.ts";

type Who = Pick<Actor, "id" | "name">;

const channelSpan = ({ channel }: Pick<Place, "channel">) => ({ text: "this channel", channelId: channel });

export const digestSentences = {
  title: (place: Pick<Place, "channel">, isName: boolean): Inline =>
    say`This week in ${isName ? `#${place.channel}` : channelSpan(place)}`,
  questions: (questions: number, withSource: number): Inline => {
    const rounded = Math.round((100 * withSource) / questions);
    // 100% only if it is all of them.
    const share = withSource < questions ? Math.min(99, rounded) : rounded;
    const asked = say`${bold(numberText(questions))}${questions === 1 ? " question" : " questions"}`;
    return questions === 0 ? asked : say`${asked} · ${bold(numberText(withSource))} with a source (${share}%)`;
  },
  votes: (up: number, down: number): Inline => say`${bold(numberText(up))} 👍 · ${bold(numberText(down))} 👎`,
  stillOpen: "Still open",
  added: "Added",
  addedBy: (name: string, day: string): string => `${name}, ${day}`,
  moreAdded: (count: number): string => `And ${numberText(count)} more.`,
  period: (fromMs: number, untilMs: number, timeZone: string): string => periodText(fromMs, untilMs - 1, timeZone),

  on: (time: string, timeZone: string, next: string): Inline =>
    say`I'll post a digest of this channel ${bold(time)} (${timeZone}). Next: ${next}.`,
  covers: "Each one covers the seven days before its day: what's asked on that day is in the next one.",
  onNothing: "If nobody asked anything in these seven days, I post nothing.",
  changed: (who: Who, time: string, timeZone: string): Inline =>
    say`${person(who.name, who.id)} set up a digest of this channel: ${bold(time)} (${timeZone}).`,
  isOn: (time: string, timeZone: string, next: string, by: string): Inline =>
    say`The digest of this channel is on: ${bold(time)} (${timeZone}), set up by ${by}. Next: ${next}.`,
  isPaused: (time: string): Inline => say`The digest of this channel is paused (${bold(time)}).`,
  isOff: "This channel has no digest.",
  turnOn: (command: string): string => `To get one every Monday at 9:00: ${command}`,
  off: "This channel gets no digest any longer.",
  switchedOff: (who: Who): Inline => say`${person(who.name, who.id)} switched off the digest of this channel.`,
  posted: "The digest is in the channel now.",
  nothing: "Nobody asked anything here in the last seven days, so there's nothing to post.",
  notHere: "I can't post in this channel. Add me to it, then try again.",
  inDirect: "A digest is about a channel. Use this command in the channel that should get it.",
  noSuchTime: (given: string): string => `“${given}” isn't a time that I understand. Try 9:00 or 2pm.`,
  tooMany: (most: number): string => `You have ${countText(most, "schedule")}, and that's the most I take.`,

  /** To the person who set it up, directly. */
  ended: (place: Pick<Place, "channel">): Inline => say`I switched off the digest of ${channelSpan(place)}.`,
  endedByPlace: "I can't post there now: I was removed from the channel, or it was archived.",
  endedByRole: "You can't manage me there now. Someone else who can manage me may set it up again.",
} as const;

type Day = { readonly day: string; readonly month: string; readonly year: string };

/** "9 to 15 Nov", "30 Nov to 6 Dec". */
function periodText(fromMs: number, lastMs: number, timeZone: string): string {
  const [from, last] = [dayIn(fromMs, timeZone), dayIn(lastMs, timeZone)];
  const isOneMonth = from.month === last.month && from.year === last.year;
  return `${from.day}${isOneMonth ? "" : ` ${from.month}`} to ${last.day} ${last.month}`;
}

function dayIn(ms: number, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" });
  const found = parts.formatToParts(new Date(ms));
  const part = (type: Intl.DateTimeFormatPartTypes) => found.find((one) => one.type === type)?.value ?? "";
  return { day: part("day"), month: part("month"), year: part("year") };
}

/** "12 Nov". */
export function dayAndMonth(ms: number, timeZone: string): string {
  const { day, month } = dayIn(ms, timeZone);
  return `${day} ${month}`;
}
