/** Draws the welcome card: who answers here, questions to try, and the next steps. */

import type { Action, Block, Document, Inline, Span } from "../../core/document.ts";
import { welcomeSentences } from "../sentences/commands.ts";
import { countText } from "../sentences/quantities.ts";
import { bold, say } from "./inline.ts";

const says = {
  /** `bases`: what the agent looks in. */
  answers: (agent: string, bases: readonly string[], more: number): Inline =>
    bases.length === 0
      ? say`Here, ${bold(agent)} answers your questions.`
      : say`Here, ${bold(agent)} answers from ${namesText(bases, more)}, and shows its sources.`,
  /** Nobody said in time who answers. */
  unknown: "I pass your questions to an agent, and show its answers with their sources.",
  whatToKnow: "What would you like to know?",
};

/** Who answers in a place, as far as anyone there can know. */
export type Answerer =
  | { readonly kind: "agent"; readonly agent: string; readonly bases: readonly string[] }
  /** Chosen for this place, and deleted since. */
  | { readonly kind: "gone"; readonly agent: string }
  | { readonly kind: "choose" }
  | { readonly kind: "none" }
  /** The service didn't say in time. */
  | { readonly kind: "unknown" };

export type Welcome = {
  readonly answerer: Answerer;
  /** Each at most 60 characters. */
  readonly examples: readonly string[];
  /** Nothing has to be mentioned there. */
  readonly isDirect: boolean;
  /** Absent: messages can't be kept by a reaction there. */
  readonly saveEmoji?: string;
};

const maxBases = 3;

export function welcomeDocument(welcome: Welcome): Document {
  return {
    tone: "info",
    blocks: [
      { kind: "text", text: say`${bold("👋 Hi, I'm Parley.")} ${answererText(welcome.answerer)}` },
      ...askingBlocks(welcome),
      { kind: "divider" },
      { kind: "actions", layout: "row", actions: nextSteps },
      { kind: "quiet", text: say`All commands: /parley help` },
    ],
    actions: [],
    isForEveryone: true,
    summary: "Hi, I'm Parley. Ask me a question.",
  };
}

/** What one person's empty conversation shows on Parley's page: no greeting, and nothing has to be mentioned. */
export function firstViewDocument({ answerer, examples }: Welcome, mayPress: (step: Action) => boolean): Document {
  const [, ...questions] = askingBlocks({ answerer, examples, isDirect: true });
  const steps = nextSteps.filter(mayPress);
  return {
    tone: "info",
    blocks: [
      { kind: "headline", text: say`${says.whatToKnow}` },
      { kind: "text", text: answererText(answerer) },
      ...questions,
      ...(steps.length === 0 ? [] : [{ kind: "actions" as const, layout: "row" as const, actions: steps }]),
    ],
    actions: [],
    summary: says.whatToKnow,
  };
}

/** One sentence, without a greeting. */
function answererText(answerer: Answerer): Inline {
  switch (answerer.kind) {
    case "agent": {
      const { agent, bases } = answerer;
      return says.answers(agent, bases.slice(0, maxBases), Math.max(0, bases.length - maxBases));
    }
    case "gone":
      return welcomeSentences.gone(answerer.agent);
    case "choose":
      return say`Several agents can answer here, so I'll ask which one should.`;
    case "none":
      return say`There are no agents yet, so nobody can answer here.`;
    case "unknown":
      return say`${says.unknown}`;
    default:
      return answerer satisfies never;
  }
}

/** How to ask, with examples. Nothing where nobody would answer. */
function askingBlocks({ answerer, examples, isDirect, saveEmoji }: Welcome): readonly Block[] {
  if (answerer.kind === "none" || answerer.kind === "gone") return [];
  const { mention, mentionOnly, ask, askOnly, keep } = welcomeSentences;
  const hasExamples = examples.length > 0;
  const lead = isDirect ? (hasExamples ? ask : askOnly) : hasExamples ? mention : mentionOnly;
  const actions = examples.map(
    (question): Action => ({
      id: "ask-example",
      label: question,
      value: question,
      style: "plain",
    }),
  );
  return [
    { kind: "text", text: say`${lead}` },
    ...(hasExamples ? [{ kind: "actions" as const, layout: "column" as const, actions }] : []),
    ...(saveEmoji === undefined ? [] : [{ kind: "quiet" as const, text: say`${keep(saveEmoji)}` }]),
  ];
}

const nextSteps: readonly Action[] = [
  { id: "choose-here", label: "Choose an agent", value: "here", style: "plain" },
  { id: "add-pages", label: "Add pages", value: "here", style: "plain" },
];

function namesText(names: readonly string[], more: number): readonly (string | Span)[] {
  const parts: Span[] = names.map((name) => bold(name));
  if (more > 0) parts.push({ text: `${countText(more, "other")}` });
  return parts.flatMap((part, index) => {
    if (index === 0) return [part];
    return [index === parts.length - 1 ? " and " : ", ", part];
  });
}
