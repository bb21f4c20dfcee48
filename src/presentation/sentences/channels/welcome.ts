/** Sentences of first contact: the welcome card, commands typed without a slash, and Parley's own tab. */
import type { Inline, Span } from "../../../ports/document.ts";
import { bold, code, say } from "../../drawing/inline.ts";
import { countText, momentText, numberText } from "../quantities.ts";

export const welcomeSentences = {
  hello: "👋 Hi, I'm Parley.",
  /** `bases`: what the agent looks in. */
  answers: (agent: string, bases: readonly string[], more: number): Inline =>
    bases.length === 0
      ? say`Here, ${bold(agent)} answers your questions.`
      : say`Here, ${bold(agent)} answers from ${namesText(bases, more)}, and shows its sources.`,
  gone: (agent: string): Inline => say`${bold(agent)} was chosen here but no longer exists.`,
  choose: "Several agents can answer here, so I'll ask which one should.",
  none: "There are no agents yet, so nobody can answer here.",
  /** Nobody said in time who answers. */
  unknown: "I pass your questions to an agent, and show its answers with their sources.",
  mention: "Mention me with a question. For example:",
  mentionOnly: "Mention me with a question.",
  ask: "Ask me a question. For example:",
  askOnly: "Ask me a question.",
  keep: (emoji: string): string => `Tip: react ${emoji} to keep a message.`,
  whatToKnow: "What would you like to know?",
  commands: "All commands: /parley help",
  summary: "Hi, I'm Parley. Ask me a question.",
  /** For agents whose knowledge has no titles. */
  examples: ["What can you help me with?", "Which topics do you know about?", "Where do your answers come from?"],
} as const;

/** Questions about a document, from its title. */
export const titleSentences = {
  howDoI: (instruction: string): string => `How do I ${instruction}?`,
  tellMeAbout: (topic: string): string => `Tell me about ${topic}`,
  /** For a title in any language. */
  only: (topic: string, isWide: boolean): string => `${topic}${isWide ? "？" : "?"}`,
} as const;

/** Parley's own tab. */
export const homeSentences = {
  channels: "Channels we share",
  running: "Running now",
  problem: "Needs attention",
  failures: "Problems in the last day",
  /** A code that this version doesn't know. */
  unknownFailure: "Questions failed.",
  times: (count: number, lastMs: number, ref: string): Inline =>
    say`${count === 1 ? "Once, " : `${numberText(count)} times, last `}${momentText(lastMs)} · ref ${code(ref)}`,
  show: "Show",
  gone: "These problems are older than a day, or were deleted.",
  moreRunning: (count: number): string => `${countText(count, "more job")}: see /kb jobs in their channels.`,
  moreFailures: (count: number): string => `${countText(count, "other problem")}: see /parley status and the log.`,
  findIn: "The log has each question's reference.",
} as const;

export const welcomeLabels = { chooseAgent: "Choose an agent", addPages: "Add pages" } as const;

/** Commands typed without a slash. */
export const spokenSentences = {
  ask: (command: string): Inline => say`Run ${code(command)} here?`,
  run: "Run it",
  notYours: "Only the person who typed this command can run it.",
  alreadyRun: "This command has run already. Type it again to run it again.",
  gone: "This command was typed too long ago.",
  goneHint: "Type it again.",
  nothingRuns: "Nothing is running here.",
  notYourQuestion: {
    what: "Only the person who asked, or a Parley manager, can stop that.",
    hint: "See what you can do with /parley roles.",
  },
} as const;

function namesText(names: readonly string[], more: number): readonly (string | Span)[] {
  const parts: Span[] = names.map((name) => bold(name));
  if (more > 0) parts.push({ text: `${countText(more, "other")}` });
  return parts.flatMap((part, index) => {
    if (index === 0) return [part];
    return [index === parts.length - 1 ? " and " : ", ", part];
  });
}
