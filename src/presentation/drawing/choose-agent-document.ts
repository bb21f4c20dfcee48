/**
 * Several agents could answer and none is bound: the asker chooses with a button, and the question goes on in this Reply.
 */
import type { Action, Document } from "../../ports/document.ts";
import { chooseAgentSentences } from "../sentences/sentences.ts";
import { inline } from "./inline.ts";

/** Buttons of one row on the narrowest platform. */
const maxButtons = 5;
/** A button carries the Turn's id and the agent's name; together they must fit its value. */
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
