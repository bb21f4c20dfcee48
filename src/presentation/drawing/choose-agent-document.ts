/**
 * Lets the asker choose an agent with a button when several could answer. The question then continues in this Reply.
 */
import type { Action, Document } from "../../ports/document.ts";
import { chooseAgentSentences } from "../sentences/agents.ts";
import { inline } from "./inline.ts";

/** One row of buttons on the narrowest platform. */
const maxButtons = 5;
/** A button's value holds the Turn's id and the agent's name; both must fit. */
const maxNameChars = 40;

export function chooseAgentDocument(turnId: string, agents: readonly string[]): Document {
  const offered = agents.filter((agent) => agent.length <= maxNameChars).slice(0, maxButtons);
  const others = agents.length - offered.length;
  return {
    tone: "waiting",
    blocks: [
      { kind: "headline", text: inline(chooseAgentSentences.which) },
      { kind: "text", text: inline(chooseAgentSentences.remember) },
      ...(others === 0 ? [] : [{ kind: "quiet" as const, text: inline(chooseAgentSentences.more(others)) }]),
    ],
    actions: offered.map(
      (agent): Action => ({ id: "choose-agent", label: agent, value: `${turnId} ${agent}`, style: "plain" }),
    ),
    summary: chooseAgentSentences.which,
  };
}
