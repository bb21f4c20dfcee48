/** The form of an added answer: what it asks, and what is wrong with what was typed. Pure. */
import { fieldText } from "../../ports/command-contract.ts";
import { maxAnsweredQuestionChars } from "../../ports/content/answering.ts";
import { allShown, type FieldErrors, type Form, type FormField, type FormValues } from "../../ports/document.ts";
import { cleanText, safeUrl } from "../../presentation/drawing.ts";
import { shorten, answerForm as texts } from "../../presentation/sentences.ts";

export const answerFormId = "kb answer";
/** Slack's limit for a field. */
export const maxFieldChars = 3_000;
const maxUrlsChars = 2_000;
const maxShownChars = 60;
const ticked = "yes";

/** What the answer is about; untrusted when it comes back. */
export type AnswerSubject = { readonly kind: "gap" | "answer" | "message"; readonly id: string };

export function subjectOf(context: string): AnswerSubject | undefined {
  const [kind, id = ""] = context.split(" ");
  return kind === "gap" || kind === "answer" ? { kind, id } : undefined;
}

export type AnswerFormFacts = {
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

export function answerFormOf({
  subject,
  question,
  answer,
  urls,
  bases,
  askers,
  isNameless = false,
}: AnswerFormFacts): Form {
  const isEdit = subject.kind === "answer";
  const fields: FormField[] = [
    {
      name: "question",
      type: "text",
      ...texts.question,
      isRequired: true,
      maxChars: maxAnsweredQuestionChars,
      initial: shorten(cleanText(question), maxAnsweredQuestionChars),
    },
    {
      name: "answer",
      type: "multiline",
      ...texts.answer,
      isRequired: true,
      maxChars: maxFieldChars,
      initial: answer,
      hint: isNameless ? texts.namelessHint : texts.answer.hint,
    },
  ];
  if (bases !== undefined) {
    const choices = bases.map((name) => ({ value: name, label: name }));
    fields.push({
      name: "base",
      type: "select",
      ...texts.base,
      isRequired: true,
      choices,
      ...allShown("select", choices),
      completes: "knowledge-base",
      initial: bases[0],
    });
  }
  const links = urls === undefined || urls.length === 0 ? undefined : urls.join("\n");
  fields.push({
    name: "urls",
    type: "multiline",
    ...texts.urls,
    isRequired: false,
    maxChars: maxUrlsChars,
    initial: links,
  });
  if (askers > 0) {
    const { label, choice } = texts.tell;
    fields.push({
      name: "tell",
      type: "multiselect",
      label,
      hint: texts.tellHint(askers),
      isRequired: false,
      allowsFree: false,
      showsAll: true,
      choices: [{ value: ticked, label: choice }],
      initial: [ticked],
    });
  }
  return {
    id: answerFormId,
    title: isEdit ? texts.editTitle : texts.title,
    submitLabel: isEdit ? texts.editLabel : texts.submitLabel,
    context: `${subject.kind} ${subject.id}`,
    fields,
  };
}

export function writtenAnswer(values: FormValues) {
  const { tell } = values;
  return {
    question: fieldText(values, "question"),
    answer: fieldText(values, "answer"),
    urls: urlsOf(values),
    tell: tell === ticked || (Array.isArray(tell) && tell.includes(ticked)),
  };
}

/** Undefined: nothing is wrong, as far as that can be seen without looking anything up. */
export function problemsOf(values: FormValues, hasBase: boolean): FieldErrors | undefined {
  const isEmpty = (name: string) => cleanText(fieldText(values, name)).trim() === "";
  const wrong = urlsOf(values).find((url) => !/^https?:/i.test(safeUrl(url) ?? ""));
  // As they are stored, and shown when the answer is edited.
  const stored = urlsOf(values).map((url) => safeUrl(url) ?? url);
  const tooLong = stored.join("\n").length > maxUrlsChars ? texts.urlsTooLong(maxUrlsChars) : undefined;
  const notUrl = wrong === undefined ? undefined : texts.notUrl(shorten(cleanText(wrong), maxShownChars));
  const wrongUrls = notUrl ?? tooLong;
  const errors: FieldErrors = {
    ...(isEmpty("question") && { question: texts.noQuestion }),
    ...(isEmpty("answer") && { answer: texts.noAnswer }),
    ...(hasBase && isEmpty("base") && { base: texts.noBase }),
    ...(wrongUrls !== undefined && { urls: wrongUrls }),
  };
  return Object.keys(errors).length === 0 ? undefined : errors;
}

function urlsOf(values: FormValues): readonly string[] {
  return fieldText(values, "urls")
    .split(/\s+|,(?=\s|$|https?:)/i)
    .filter((url) => url !== "");
}
