/** A language model's double that knows which section answers, but only if it is given that section. */
import type { LanguageModel } from "../../src/agent-service/built-in/model/language-model.ts";
import { unknownSentence } from "../../src/agent-service/built-in/model/prompt.ts";
import { say } from "./endpoints.ts";
import { even } from "./match.ts";
import type { Question } from "./score.ts";
import { quotes } from "./written.ts";

/** What it says where it wasn't given that section: that it doesn't know, or, as the worst case, the first passage. */
export type Otherwise = "says so" | "quotes";

type Read = { readonly passage: number; readonly text: string };

/** `read`: gets what it was sent with each question. */
export function knowingModel(
  questions: readonly Question[],
  otherwise: Otherwise,
  read: (question: Question, text: string) => void = () => {},
): LanguageModel {
  return {
    name: "knowing",
    limitMs: 60_000,
    write: async function* ({ instructions, messages }) {
      const text = messages.at(-1)?.text ?? "";
      const asked = text.slice(text.lastIndexOf("Question:\n") + "Question:\n".length);
      const question = questions.find((one) => one.question === asked);
      const isAnswer = instructions.includes("passages of its knowledge bases");
      if (question !== undefined && isAnswer) read(question, text);
      const reply = isAnswer
        ? answerTo(question, passagesIn(text), otherwise)
        : say([
            { role: "system", text: instructions },
            { role: "user", text },
          ]);
      yield { type: "whole", text: reply };
    },
  };
}

function answerTo(question: Question | undefined, passages: readonly Read[], otherwise: Otherwise): string {
  const right = passages.find(({ text }) => question !== undefined && isOf(question, text));
  if (right !== undefined) return cited(right);
  const [first] = passages;
  return otherwise === "says so" || first === undefined ? unknownSentence : cited(first);
}

function cited({ passage, text }: Read): string {
  return `${text.replaceAll(/\n+/g, " ")} [${passage}]`;
}

function isOf({ base, answer, mustContain }: Question, text: string): boolean {
  if (answer === null) return false;
  if (answer.section !== null) return quotes(base, answer, text);
  return mustContain.every((demanded) => even(text).includes(even(demanded)));
}

function passagesIn(text: string): readonly Read[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith('{"passage":'))
    .map((line) => JSON.parse(line) as Read);
}
