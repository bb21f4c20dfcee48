/** The form of an added answer: what it asks, and what is wrong with what was typed. Pure. */

import { z } from "zod";
import { maxAnsweredQuestionChars } from "../../core/content/answering.ts";
import type { FieldErrors, Form, FormValues } from "../../core/document.ts";
import { cleanText, safeUrl } from "../../presentation/drawing.ts";
import { countText, numberText, shorten } from "../../presentation/sentences.ts";
import { drawForm, field, multiline, problemsIn, select, text, typed } from "../form.ts";

const texts = {
  title: "Add the answer",
  editTitle: "Edit the answer",
  submitLabel: "Add and test",
  editLabel: "Save and test",
  question: { label: "Question", hint: "As people ask it." },
  answer: { label: "Answer", hint: "Agents quote it with your name. Markdown is fine." },
  /** Where nobody signs in. */
  namelessHint: "Agents quote it. Markdown is fine.",
  base: { label: "Knowledge base", hint: "Everyone who may ask its agents can read it there." },
  urls: { label: "URLs", hint: "Pages that say more. The first becomes the source's link." },
  tell: { label: "When it works", choice: "Tell those who asked" },
  tellHint: (people: number): string =>
    people === 1
      ? "1 person, once, after the test."
      : `${countText(people, "person", "people")}, once each, after the test.`,
  noQuestion: "Write the question that it answers.",
  noAnswer: "Write the answer.",
  noBase: "Choose a knowledge base.",
  urlsTooLong: (most: number): string =>
    `These are too long together: at most ${numberText(most)} characters, and a letter like “ü” counts as six.`,
  notUrl: (given: string): string => `“${given}” isn't a web address. Begin it with https://`,
} as const;

export const answerFormId = "kb answer";
/** Slack's limit for a field. */
export const maxFieldChars = 3_000;
const maxUrlsChars = 2_000;
const maxShownChars = 60;
const ticked = "yes";

/** What the answer is about; untrusted when it comes back. */
export type AnswerSubject = { readonly kind: "gap" | "answer" | "message"; readonly id: string };

type AnswerFormFacts = {
  readonly subject: AnswerSubject;
  readonly question: string;
  readonly answer?: string;
  readonly urls?: readonly string[];
  /** As they would be typed; the first is selected. Absent: it stays where it is. */
  readonly bases?: readonly string[];
  /** How many others asked. */
  readonly askers: number;
  /** Nobody signs in there, so the answer has no name. */
  readonly isNameless?: boolean;
};

export function subjectOf(context: string): AnswerSubject | undefined {
  const [kind, id = ""] = context.split(" ");
  return kind === "gap" || kind === "answer" ? { kind, id } : undefined;
}

const urlList = typed.transform(urlsIn).superRefine((given, { addIssue }) => {
  const wrong = given.find((url) => !/^https?:/i.test(safeUrl(url) ?? ""));
  if (wrong !== undefined) return addIssue(texts.notUrl(shorten(cleanText(wrong), maxShownChars)));
  // As they are stored, and shown when the answer is edited.
  const stored = given.map((url) => safeUrl(url) ?? url);
  if (stored.join("\n").length > maxUrlsChars) addIssue(texts.urlsTooLong(maxUrlsChars));
});
const isTicked = z
  .union([z.string(), z.array(z.string())])
  .default("")
  .transform((given) => given === ticked || (Array.isArray(given) && given.includes(ticked)));

const fields = z.object({
  question: text({ ...texts.question, maxChars: maxAnsweredQuestionChars, missing: texts.noQuestion }),
  answer: multiline({ ...texts.answer, maxChars: maxFieldChars, missing: texts.noAnswer }),
  base: select({ ...texts.base, completes: "knowledge-base", missing: texts.noBase }),
  urls: field(urlList, { ...texts.urls, type: "multiline", isRequired: false, maxChars: maxUrlsChars }),
  tell: field(isTicked, {
    type: "multiselect",
    label: texts.tell.label,
    isRequired: false,
    allowsFree: false,
    choices: [{ value: ticked, label: texts.tell.choice }],
  }),
});
/** Of an answer that stays where it is. */
const fieldsOfEdit = fields.omit({ base: true });

export function answerFormOf(facts: AnswerFormFacts): Form {
  const { subject, question, answer, urls = [], bases, askers, isNameless = false } = facts;
  const isEdit = subject.kind === "answer";
  const form = {
    id: answerFormId,
    title: isEdit ? texts.editTitle : texts.title,
    submitLabel: isEdit ? texts.editLabel : texts.submitLabel,
    context: `${subject.kind} ${subject.id}`,
  };
  const choices = (bases ?? []).map((name) => ({ value: name, label: name }));
  return drawForm(fields, form, {
    question: { initial: shorten(cleanText(question), maxAnsweredQuestionChars) },
    answer: { initial: answer, hint: isNameless ? texts.namelessHint : texts.answer.hint },
    base: bases === undefined ? "left out" : { choices, initial: bases[0] },
    urls: { initial: urls.length === 0 ? undefined : urls.join("\n") },
    tell: askers === 0 ? "left out" : { hint: texts.tellHint(askers), initial: [ticked] },
  });
}

/** Also of values with something wrong in them: a field without a value is empty. */
export function writtenAnswer(values: FormValues) {
  return {
    question: typed.parse(values["question"]),
    answer: typed.parse(values["answer"]),
    urls: urlsIn(typed.parse(values["urls"])),
    tell: isTicked.parse(values["tell"]),
  };
}

/** Undefined: nothing is wrong, as far as that can be seen without looking anything up. */
export function problemsOf(values: FormValues, hasBase: boolean): FieldErrors | undefined {
  return problemsIn(hasBase ? fields : fieldsOfEdit, values);
}

function urlsIn(text: string): readonly string[] {
  return text.split(/\s+|,(?=\s|$|https?:)/i).filter((url) => url !== "");
}
