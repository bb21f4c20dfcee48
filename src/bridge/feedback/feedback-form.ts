/** The form behind 👎: why, in which words, and whether to hear when it is fixed. Pure. */

import type { Form, FormField, FormValues } from "../../core/document.ts";
import type { FeedbackReason } from "../../core/model/insight.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";

const feedbackReasons: readonly FeedbackReason[] = ["wrong", "incomplete", "outdated", "not-what-i-asked"];

const feedbackForm = {
  title: "What was wrong?",
  submitLabel: "Send",
  reason: { label: "Reason" },
  reasons: {
    wrong: "Wrong",
    incomplete: "Incomplete",
    outdated: "Outdated",
    "not-what-i-asked": "Not what I asked",
  } satisfies Readonly<Record<FeedbackReason, string>>,
  comment: { label: "Comment", hint: "People who add answers can read it." },
  tell: { label: "Follow-up", choice: "Tell me when it's fixed" },
  share: {
    label: "Your question",
    choice: "Share this question with the team",
    hint: "Otherwise only you see what you asked here.",
  },
} as const;

export const formId = "feedback";
const maxCommentChars = 1_000;
const ticked = "yes";

/** Who didn't ask has no thread in which they could be told. Only the question of a direct message can be shared. */
export function formOf(
  context: string,
  { isAsker, canShare }: { readonly isAsker: boolean; readonly canShare: boolean },
): Form {
  const { title, submitLabel, reasons, reason, comment, tell, share } = feedbackForm;
  const choices = feedbackReasons.map((value) => ({ value, label: reasons[value] }));
  const asked: FormField[] = [
    { name: "reason", type: "select", ...reason, isRequired: false, showsAll: true, choices },
    { name: "comment", type: "multiline", ...comment, isRequired: false, maxChars: maxCommentChars },
  ];
  const own = [...(isAsker ? [tick("tell", tell, true)] : []), ...(canShare ? [tick("share", share, false)] : [])];
  return { id: formId, title, submitLabel, context, fields: [...asked, ...own] };
}

type TickWords = { readonly label: string; readonly choice: string; readonly hint?: string };

function tick(name: string, { label, choice, hint }: TickWords, isOn: boolean): FormField {
  return {
    name,
    type: "multiselect",
    label,
    isRequired: false,
    allowsFree: false,
    showsAll: true,
    hint,
    choices: [{ value: ticked, label: choice }],
    initial: isOn ? [ticked] : [],
  };
}

export function isTicked(values: FormValues, name: string): boolean {
  const value = values[name];
  return value === ticked || (Array.isArray(value) && value.includes(ticked));
}

/** Values are untrusted: a form can be sent with anything in it. */
export function written({ reason, comment }: FormValues) {
  const text = typeof comment === "string" ? shorten(cleanText(comment).trim(), maxCommentChars) : "";
  return {
    reason: feedbackReasons.find((known) => known === reason),
    comment: text === "" ? undefined : text,
  };
}
