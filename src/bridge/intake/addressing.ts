/**
 * Determines which agent a question names, and whether the answer is public, private or refused. It decides early, so
 * that a refusal is immediate and private. Whatever cannot be determined in time is decided when the question is about
 * to run.
 */

import { refusalError } from "../../access/refusal.ts";
import type { Named, Verdict } from "../../core/access.ts";
import type { Document, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { accessSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import type { Question } from "./asking.ts";

const says = {
  /** For a manager, about an agent that others in the channel can't reach. */
  answeredDirectly: (name: string): Inline =>
    say`${bold(name)} answers only in its own channels, so only you get its answer, in a direct message.`,
};

/** An event must be acknowledged within 3 s, after the question is stored. */
const decideMs = 1_000;

export type Addressed =
  | {
      readonly kind: "open";
      readonly question: string;
      readonly requestedAgent?: string;
      readonly requestedProject?: string;
    }
  /** Only the asker can read it: it is answered in `answerIn`. */
  | {
      readonly kind: "private";
      readonly question: string;
      readonly requestedAgent: string;
      readonly requestedProject?: string;
      readonly answerIn: Place;
    }
  | { readonly kind: "refused"; readonly error: ParleyError };

type Asked = { readonly actor: Actor; readonly place: Place };

/** A failure is treated like a late result: it is decided later. */
const inTime = <T>({ clock }: BridgeApp, work: Promise<T>) => withTimeout(work, decideMs, clock);

/** Undefined: not known in time. */
async function decide(app: BridgeApp, agent: Named, { actor, place }: Asked): Promise<Verdict | undefined> {
  return inTime(app, app.reach.mayAgent(actor, "ask", place, agent));
}

async function answered(
  app: BridgeApp,
  question: string,
  { project, name }: Named,
  verdict: Verdict | undefined,
  asked: Asked,
): Promise<Addressed> {
  const { sites } = app;
  const own = app.settings.projectOf(asked.place, asked.actor);
  if (verdict !== undefined && !verdict.allowed)
    return {
      kind: "refused",
      error: refusalError(asked.actor, verdict, project === own ? name : `${project}.${name}`),
    };
  const words = { question, requestedAgent: name, ...(project === own ? {} : { requestedProject: project }) };
  if (verdict?.isPrivate !== true) return { kind: "open", ...words };
  const { actor, place } = asked;
  const findDirect = async () => sites.get(place.platform)?.platform.directPlace?.(actor, place);
  const answerIn = await inTime(app, findDirect());
  if (answerIn === undefined) {
    return { kind: "refused", error: new ParleyError("agent_not_here", accessSentences.noDirectMessage) };
  }
  return { kind: "private", ...words, answerIn };
}

/**
 * The name as the service spells it: people ignore case and spaces. Only agents within reach are matched, since a
 * match would reveal that the name exists.
 */
async function asListed(app: BridgeApp, given: string, { actor, place }: Asked): Promise<Named> {
  const { reach } = app;
  const own = app.settings.projectOf(place, actor);
  const name = given.trim();
  const names = (await inTime(app, reach.agents(actor, place)))?.map((agent) => agent.name) ?? [];
  if (names.includes(name)) return { project: own, name };
  const [alike, another] = names.filter((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (alike !== undefined && another === undefined) return { project: own, name: alike };
  const elsewhere = await inTime(app, reach.lists(own).agentElsewhere(name));
  return elsewhere === undefined ? { project: own, name } : { project: elsewhere.project, name: elsewhere.name };
}

/** "shop.helper: how many?" asks an agent of another project where it is bound, and for people who manage. */
async function ofElsewhere(app: BridgeApp, text: string, asked: Asked): Promise<Addressed | undefined> {
  const { reach } = app;
  const [, written, question = ""] = /^\s*([^\s:,.]+\.[^:,\n]{1,63})[:,]\s*(\S.*)$/s.exec(text) ?? [];
  if (written === undefined) return undefined;
  const own = app.settings.projectOf(asked.place, asked.actor);
  const agent = await inTime(app, reach.lists(own).agentElsewhere(written));
  if (agent === undefined) return undefined;
  const named: Named = { project: agent.project, name: agent.name };
  const verdict = await decide(app, named, asked);
  return verdict?.allowed === true ? answered(app, question.trim(), named, verdict, asked) : undefined;
}

/** "sales: how many?" asks the agent sales if the person can reach it; otherwise the name is part of the question. */
export async function addressedInText(app: BridgeApp, text: string, asked: Asked): Promise<Addressed> {
  const { reach } = app;
  const { addressee } = app.commandsIn(asked).commands;
  const own = app.settings.projectOf(asked.place, asked.actor);
  const plain = { kind: "open", question: text.trim() } as const;
  // From memory; nearly every message ends here.
  if (addressee(text) === undefined) return (await ofElsewhere(app, text, asked)) ?? plain;
  const reached = await inTime(app, reach.agents(asked.actor, asked.place));
  const named =
    reached === undefined
      ? addressee(text)
      : addressee(
          text,
          reached.map(({ name }) => name),
        );
  if (named === undefined) return plain;
  const agent: Named = { project: own, name: named.agent };
  const verdict = await decide(app, agent, asked);
  if (verdict?.allowed === false) return plain;
  return answered(app, named.text.trim(), agent, verdict, asked);
}

/** `given`: the agent as typed in an option; without it, the question can begin with the name. */
export async function addressedInCommand(
  app: BridgeApp,
  question: string,
  given: string | undefined,
  asked: Asked,
): Promise<Addressed> {
  if (given === undefined) return addressedInText(app, question, asked);
  const agent = await asListed(app, given, asked);
  return answered(app, question.trim(), agent, await decide(app, agent, asked), asked);
}

type Words = Exclude<Addressed, { kind: "refused" }>;

export function wordsOf({
  question,
  requestedAgent,
  requestedProject,
}: Words): Pick<Question, "question" | "requestedAgent" | "requestedProject"> {
  return { question, requestedAgent, requestedProject };
}

/** The place for the answer. `platformData` is kept only if that is where the question was asked. */
export function placeOf(
  words: Words,
  inbound: Pick<Question, "conversation" | "platformData">,
): Pick<Question, "conversation" | "platformData" | "isPrivate"> {
  if (words.kind === "private") return { conversation: words.answerIn, isPrivate: true };
  const { conversation, platformData } = inbound;
  return platformData === undefined ? { conversation } : { conversation, platformData };
}

export function answeredDirectly({ requestedAgent }: Extract<Addressed, { kind: "private" }>): Document {
  return infoDocument(says.answeredDirectly(requestedAgent));
}
