/** Lets a person choose which other agent answers a question too. */
import type { Action, Document } from "../../../core/document.ts";
import { chooseAgentSentences } from "../../sentences/commands.ts";
import { anotherAgentSentences, labels } from "../../sentences/questions.ts";
import { say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";

/** With Hide, one row of buttons on the narrowest platform. */
const maxButtons = 4;
/** A button's value holds the Turn's id and the agent's name; both must fit. */
const maxNameChars = 40;

export function anotherAgentDocument(turnId: string, agents: readonly string[]): Document {
  const offered = agents.filter((agent) => agent.length <= maxNameChars).slice(0, maxButtons);
  const others = agents.length - offered.length;
  const { which, follows } = anotherAgentSentences;
  return {
    tone: "info",
    blocks: [
      { kind: "headline", text: say`${which}` },
      { kind: "text", text: say`${follows}` },
      ...(others === 0 ? [] : [{ kind: "quiet" as const, text: say`${chooseAgentSentences.more(others)}` }]),
    ],
    actions: [
      ...offered.map(
        (agent): Action => ({
          id: "ask-another",
          label: cleanText(agent),
          value: `${turnId} ${agent}`,
          style: "plain",
        }),
      ),
      { id: "hide", label: labels.hide, value: turnId, style: "plain" },
    ],
    summary: which,
  };
}
