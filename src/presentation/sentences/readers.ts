/** Sentences about which agents look in a knowledge base, and about letting another one look. */
import type { Inline } from "../../ports/document.ts";
import { bold, inline } from "../drawing/inline.ts";
import { numberText } from "./quantities.ts";
import { shorten } from "./step-words.ts";

const maxNamed = 3;
/** Slack allows 75 characters for a button, Discord 80. */
const maxNameChars = 24;

export const readerSentences = {
  /** Stands behind a knowledge base in a list. */
  readBy: (agents: readonly string[]): Inline =>
    agents.length === 0 ? inline("no agent reads it") : inline("read by ", listed(agents)),
  nobody: (base: string): Inline => inline("No agent that people can ask here looks in ", bold(base), " yet."),
  nobodyKnown: (base: string): Inline => inline("There is no agent yet that could look in ", bold(base), "."),
  askManager: (base: string): Inline =>
    inline("Ask someone who manages Parley here to let an agent look in ", bold(base), "."),
  letLook: (agent: string | undefined, base: string): string =>
    `Let ${agent === undefined ? "an agent" : shorten(agent, maxNameChars)} look in ${shorten(base, maxNameChars)}`,
  which: (base: string): Inline => inline("Which agent should look in ", bold(base), "?"),
  connecting: (agent: string, base: string): Inline => inline("Letting ", bold(agent), " look in ", bold(base), "…"),
  connected: (agent: string, base: string): Inline => inline(bold(agent), " now looks in ", bold(base), "."),
  already: (agent: string, base: string): Inline => inline(bold(agent), " already looks in ", bold(base), "."),
  notConnected: (agent: string, base: string): Inline =>
    inline("Couldn't let ", bold(agent), " look in ", bold(base), "."),
  announced: (person: string, agent: string, base: string): Inline =>
    inline(`${person} let `, bold(agent), " look in ", bold(base), "."),
  askNow: (agent: string, base: string): Inline => inline(bold(agent), " looks in ", bold(base), ". You can ask now."),
  notAsked: "Your question wasn't asked.",
} as const;

function listed(agents: readonly string[]): Inline {
  const named = agents.slice(0, maxNamed);
  const more = agents.length - named.length;
  const spans = named.flatMap((name, index) => (index === 0 ? [bold(name)] : [...inline(", "), bold(name)]));
  return inline(spans, more === 0 ? "" : ` and ${numberText(more)} more`);
}
