/**
 * The sentences for what somebody may not reach. Of an agent or a knowledge base out of reach they say the same as of one
 * that does not exist: nobody learns its name by trying.
 */
import type { Inline } from "../../ports/document.ts";
import { bold, code, inline } from "../drawing/inline.ts";

export const accessSentences = {
  othersAsked: "Other people have asked here too, so only managers can forget this conversation.",
  agentNotHere: (name: string): string => `You cannot ask “${name}” here.`,
  agentElsewhere:
    "An agent that is bound to channels answers only in those. See whom you can ask here with /agent list.",
  guestsOnly: "Guests are answered by the agent of the channel: ask without naming another.",
  noAgentForGuests: {
    what: "No agent was chosen for this channel.",
    hint: "Ask somebody who manages Parley here to choose one with /agent use.",
  },
  noneInReach: {
    what: "There is no agent that you can ask here.",
    hint: "Ask in a channel that has one, or ask somebody who manages Parley to choose one here with /agent use.",
  },
  agentGone: (name: string): string => `You cannot ask “${name}” here any more, so its answer is not shown.`,
  /** To whoever manages, about an agent that others in the channel cannot reach. */
  answeredDirectly: (name: string): Inline =>
    inline(
      bold(name),
      " answers only in the channels it is bound to, so you alone get its answer, in a direct message.",
    ),
  noDirectMessage: {
    what: "Others here cannot reach that agent, and Parley cannot write to you directly.",
    hint: "Allow direct messages from Parley, or ask in a channel that the agent is bound to.",
  },
  onlyPrivately: (name: string): string =>
    `Others here cannot reach “${name}”, and everybody would read its answer. Name it in a question of your own: the answer then comes to you alone.`,
  stepHidden: "What was found here is hidden: it is from knowledge that you cannot reach here.",
  rowsHidden: "Rows that were found are hidden for the same reason.",
  baseNotHere: (name: string): Inline => inline("There is no knowledge base ", code(name), " within your reach here."),
  basesFollow: "You reach the knowledge bases of the agents that you can ask here, and those you have added to.",
  noBaseHere: "There is no knowledge base within your reach here.",
  tooManyCommands: (seconds: number): string =>
    `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}. Questions are not counted.`,
} as const;
