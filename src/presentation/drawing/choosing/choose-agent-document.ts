/**
 * Lets the asker choose an agent with a button when several could answer. The question then continues in this Reply.
 */

import type { Action, Block, Document, Inline } from "../../../core/document.ts";
import { chooseAgentSentences } from "../../sentences/commands.ts";
import { numberText } from "../../sentences/quantities.ts";
import { bold, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";

/** Named in one line; the rest are counted. */
const maxBases = 3;

const says = {
  /** "looks in handbook and pricing". */
  looksIn: (bases: readonly string[]): string => {
    const shown = bases.slice(0, maxBases).map((base) => base.replace(/^(.+)\.\*$/, "everything in $1"));
    const more = bases.length - shown.length;
    const names = more > 0 ? [...shown, `${numberText(more)} more`] : shown;
    return `looks in ${[names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ")}`;
  },
  which: "Which agent should answer?",
};

/** One row of buttons on the narrowest platform. */
const maxButtons = 5;
/** A button's value holds the Turn's id and the agent's name; both must fit. */
const maxNameChars = 40;

/** `knowledgeBases`: as the agent names them. Never its prompt, which only managers can read. */
export type OfferedAgent = { readonly name: string; readonly knowledgeBases: readonly string[] };

/** `canSet`: the asker may choose one for the whole channel. */
export function chooseAgentDocument(turnId: string, agents: readonly OfferedAgent[], canSet: boolean): Document {
  const offered = agents.filter(({ name }) => name.length <= maxNameChars).slice(0, maxButtons);
  const others = agents.length - offered.length;
  const choose = (name: string): Action => action("choose-agent", name, turnId, name);
  const always = (name: string): Action => ({
    ...action("always-agent", "Always this one", turnId, name),
    accessibleLabel: `Always ask ${name} in this channel`,
  });
  const lines: readonly Block[] = canSet
    ? offered.flatMap((agent): Block[] => [
        { kind: "text", text: lineOf(agent) },
        { kind: "actions", layout: "row", actions: [choose(agent.name), always(agent.name)] },
      ])
    : [{ kind: "list", items: offered.map((agent) => ({ mark: "bullet", text: lineOf(agent) })) }];
  return {
    tone: "waiting",
    blocks: [
      { kind: "headline", text: say`${says.which}` },
      ...lines,
      ...(canSet ? [] : [{ kind: "text" as const, text: say`Managers can set a default with /agent use.` }]),
      ...(others === 0 ? [] : [{ kind: "quiet" as const, text: say`${chooseAgentSentences.more(others)}` }]),
    ],
    actions: canSet ? [] : offered.map(({ name }) => choose(name)),
    summary: says.which,
  };
}

function action(id: "choose-agent" | "always-agent", label: string, turnId: string, name: string): Action {
  return { id, label, value: `${turnId} ${name}`, style: "plain" };
}

function lineOf({ name, knowledgeBases }: OfferedAgent): Inline {
  const known = bold(cleanText(name));
  return knowledgeBases.length === 0 ? say`${known}` : say`${known} ${says.looksIn(knowledgeBases.map(cleanText))}`;
}
