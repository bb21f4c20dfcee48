/** Sentences about votes on answers: what the person who pressed is told, and the form behind 👎. */
import type { FeedbackReason } from "../../../ports/model/insight.ts";
import type { Thumb } from "../../../ports/model/turn.ts";
import { numberText } from "../quantities.ts";

const pictures: Readonly<Record<Thumb, string>> = { up: "👍", down: "👎" };

export const voteSentences = {
  saved: (thumb: Thumb): string => `Your ${pictures[thumb]} is saved.`,
  changed: (thumb: Thumb): string => `Your vote is now ${pictures[thumb]}.`,
  takenBack: (thumb: Thumb): string => `Your ${pictures[thumb]} is taken back.`,
  savedAndTold: "Your 👎 is saved. I'll tell you when it's fixed.",
  /** "👍 4". */
  count: (thumb: Thumb, count: number): string => `${pictures[thumb]} ${numberText(count)}`,
} as const;

export const feedbackReasons: readonly FeedbackReason[] = ["wrong", "incomplete", "outdated", "not-what-i-asked"];

export const feedbackForm = {
  title: "What was wrong?",
  submitLabel: "Send",
  reason: { label: "Reason", hint: "Your 👎 counts. The rest is up to you." },
  reasons: {
    wrong: "Wrong",
    incomplete: "Incomplete",
    outdated: "Outdated",
    "not-what-i-asked": "Not what I asked",
  } satisfies Readonly<Record<FeedbackReason, string>>,
  comment: { label: "Comment", hint: "People who add answers can read it." },
  tell: { label: "When it's fixed", choice: "Tell me when it is fixed" },
  share: {
    label: "Your question",
    choice: "Share this question with the team",
    hint: "Otherwise only you see what you asked here.",
  },
} as const;
