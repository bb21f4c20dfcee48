/**
 * Sentences about roles, and about agents and knowledge bases that someone can't reach. What is out of reach reads like
 * what doesn't exist, so that nobody learns a name by trying.
 */
import type { Inline, Span } from "../../ports/document.ts";
import type { Role } from "../../ports/model/place.ts";
import { bold, code, say } from "../drawing/inline.ts";

export const accessSentences = {
  othersAsked: "Other people have asked here too, so only managers can forget this conversation.",
  agentNotHere: (name: string): string => `You can't ask “${name}” here.`,
  agentElsewhere: "Agents assigned to channels answer only there. See which ones you can ask here with /agent list.",
  guestsOnly: "Guests get their answers from this channel's agent: ask without naming another.",
  noAgentForGuests: {
    what: "No agent is set for this channel.",
    hint: "Ask a Parley manager here to set one with /agent use.",
  },
  noneInReach: {
    what: "There is no agent that you can ask here.",
    hint: "Ask in a channel that has one, or ask a Parley manager to set one here with /agent use.",
  },
  agentGone: (name: string): string => `You can no longer ask “${name}” here, so its answer isn't shown.`,
  /** For a manager, about an agent that others in the channel can't reach. */
  answeredDirectly: (name: string): Inline =>
    say`${bold(name)} answers only in its own channels, so only you get its answer, in a direct message.`,
  noDirectMessage: {
    what: "Others here can't reach that agent, and Parley can't send you a direct message.",
    hint: "Allow direct messages from Parley, or ask in one of the agent's channels.",
  },
  onlyPrivately: (name: string): string =>
    `Others here can't reach “${name}”, and everyone would read its answer. Name it in a question of your own: only you will get the answer.`,
  stepHidden: "The results of this step are hidden: they are from knowledge that you can't reach here.",
  rowsHidden: "Rows that were found are hidden for the same reason.",
  baseNotHere: (name: string): Inline => say`There is no knowledge base called ${code(name)} that you can reach here.`,
  readOnly: (base: string): string => `${base} is Parley's own manual, which comes with each version of Parley.`,
  chooseAnother: "Choose another knowledge base, or create one with /kb create.",
  basesFollow: "You can reach the knowledge bases of the agents that you can ask here, and those you have added to.",
  noBaseHere: "There is no knowledge base that you can reach here.",
  tooManyCommands: (seconds: number): string =>
    `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}. Questions don't count.`,
} as const;

/** What each role lets people do; stands behind "You can". */
const abilities = {
  ask: "ask",
  ingest: "add to knowledge bases",
  manage: "manage agents and settings",
} satisfies Record<Role, string>;

export const roleSentences = {
  title: "What you can do here",
  line: (role: Role, allowed: boolean, because: string): Inline =>
    say`${allowed ? "You can " : "You can't "}${bold(abilities[role])}: ${because}`,
  notAllowed: (role: Role, because: string): string => `You can't ${abilities[role]} here: ${because}.`,
} as const;

/** Whom to ask for what someone may not do. */
export const whomSentences = {
  admins: say`Ask a workspace admin.`,
  managers: say`Ask a Parley manager.`,
  unknown: (isAfterOthers: boolean): string => (isAfterOthers ? "another Parley manager" : "a Parley manager"),
  people: (people: readonly Span[]): Inline =>
    say`Ask ${people.flatMap((one, index) => (index === 0 ? [one] : [index === people.length - 1 ? " or " : ", ", one]))}.`,
} as const;

/** Why someone has a role or lacks it; stands behind what they can or can't do. */
export const roleReasons = {
  page: "anyone with access to this page can do everything",
  signedIn: "your sign-in allows it",
  notSignedIn: "your sign-in doesn't allow it",
  admins: "workspace admins can",
  onlyAdmins: "only workspace admins can",
  managers: "managers can",
  members: "full members can",
  onlyMembers: "only full members can",
  contributors: "everyone who can add to knowledge bases can",
  everyone: "members and guests can",
  outsiders: "people from other organisations can't",
  listed: (setting: string): string => `you are listed in ${setting}`,
  onlyListed: (setting: string): string => `only people listed in ${setting} can`,
} as const;
