/** What Parley says of its own accord: what someone changed for a whole channel, and an answer to thanks. */
import type { Inline } from "../../../ports/document.ts";
import type { Actor, Mode } from "../../../ports/model/place.ts";
import { bold, person, say } from "../../drawing/inline.ts";
import { modeSentences } from "../commands.ts";
import { numberText } from "../quantities.ts";

type Who = Pick<Actor, "id" | "name">;

/** Names people without pinging them. */
export const announcementSentences = {
  /** Where a message can't get a reaction. */
  welcome: "You're welcome.",
  mode: (who: Who, mode: Mode): Inline =>
    say`${person(who.name, who.id)} changed when I speak here. ${modeSentences.is[mode]}`,
  agent: (who: Who, agent: string, scope: "channel" | "workspace"): Inline =>
    scope === "channel"
      ? say`${person(who.name, who.id)} set ${bold(agent)} to answer here.`
      : say`${person(who.name, who.id)} set ${bold(agent)} to answer in channels without their own agent.`,
  cleared: (who: Who, scope: "channel" | "workspace"): Inline =>
    scope === "channel"
      ? say`${person(who.name, who.id)} removed this channel's own agent.`
      : say`${person(who.name, who.id)} removed the agent that answered in channels without their own.`,
} as const;

type Counts = Readonly<Record<"answered" | "quiet" | "notForYou" | "personBelow", number>>;

/** Around what Parley says unasked. */
export const overheardSentences = {
  sentAway: "Removed. I'll keep quiet in this thread until I'm mentioned.",
  left: "I'll keep quiet here until I'm mentioned.",
  counts: (counts: Counts): string =>
    [
      `Said to nobody in seven days: ${numberText(counts.answered + counts.quiet)}`,
      `answered ${numberText(counts.answered)}`,
      `kept quiet ${numberText(counts.quiet)}`,
      `Not for you ${numberText(counts.notForYou)}`,
      `a person answered below: ${numberText(counts.personBelow)}`,
    ].join(" · "),
} as const;
