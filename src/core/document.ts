/**
 * The neutral document: what Parley wants to show, before any platform's markup, escaping or limits. Adapters turn it
 * into payloads in their pure `render`. There are two kinds of text: `Inline` is a list of literal spans (an adapter
 * escapes them, so nothing in them is markup), `markdown` is what an agent wrote (an adapter sanitises it: no ping, no
 * image, no forged link, no bidi control).
 */
import type { Chart } from "./model/chart.ts";
import type { Source, Table } from "./model/turn.ts";

export type Span = {
  readonly text: string;
  readonly style?: "bold" | "code" | "italic";
  /** http or https. */
  readonly url?: string;
  /** Mentions a person without pinging them, where the platform can (else shows `text`). */
  readonly actorId?: string;
  /** With `actorId`: that person alone is notified. Only in notices of Parley's own. */
  readonly notifies?: true;
  /** Shows a channel by its name, where the platform can (else shows `text`). */
  readonly channelId?: string;
  /** Shows that time in the reader's own time zone, where the platform can (else shows `text`). */
  readonly moment?: { readonly atMs: number; readonly unit: "day" | "minute" | "second" };
};

export type Inline = readonly Span[];

export type StepLine = {
  readonly state: "done" | "running" | "failed";
  readonly title: Inline;
  /** What was found: "5 passages, best 0.82". */
  readonly detail?: Inline;
  /** The passages it found, best first. */
  readonly sources?: readonly Source[];
};

export type Block =
  /** One bold sentence at the top: who is working, or what happened. */
  | { readonly kind: "headline"; readonly text: Inline }
  /** A plain paragraph in Parley's own words. */
  | { readonly kind: "text"; readonly text: Inline }
  /** The agent's words: CommonMark with tables, untrusted, of any length. */
  | { readonly kind: "markdown"; readonly text: string }
  /** `earlier` is the number of oldest steps that were folded away. */
  | { readonly kind: "steps"; readonly earlier: number; readonly steps: readonly StepLine[] }
  | { readonly kind: "table"; readonly table: Table; readonly caption?: Inline }
  /** `table` holds the same data, and is shown where the chart can't be drawn. */
  | { readonly kind: "chart"; readonly chart: Chart; readonly table: Table }
  | Fold
  /** Fixed-width text, e.g. SQL. The author of the document cuts it and adds a note. */
  | { readonly kind: "code"; readonly text: string; readonly language?: string }
  /** One line per item, after its `mark`. */
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | {
      readonly kind: "sources";
      readonly sources: readonly {
        readonly number: number;
        readonly title: string;
        readonly url?: string;
        /** Who said so, beside the title: "from Ana, 12 Nov". */
        readonly from?: Inline;
        /** The beginning of the passage, where the platform can show it beside the number. */
        readonly excerpt?: string;
      }[];
    }
  /** Small print: agent, steps, time, reference. */
  | { readonly kind: "quiet"; readonly text: Inline }
  /**
   * Buttons between paragraphs. "column": one below the other, so that a phone cuts none. "menu": what can be done with
   * the last line of the list before it, in a menu where the platform has one; `accessibleLabel` says with what.
   */
  | { readonly kind: "actions"; readonly layout: "row" | "column" | "menu"; readonly actions: readonly Action[] }
  | { readonly kind: "divider" };

/** Details under a title that opens them, with small print below. Not nested. */
export type Fold = {
  readonly kind: "fold";
  /** "1 source · 3 steps". */
  readonly title: Inline;
  readonly blocks: readonly Block[];
  /** Buttons inside it. They are among the document's buttons too, for platforms that can't fold. */
  readonly actions: readonly Action[];
  /** Below it, always visible. */
  readonly quiet: Inline;
  /** Shown instead of all of it where the platform can't fold. */
  readonly flat: readonly Block[];
};

export type ListItem = {
  readonly mark?: "done" | "running" | "waiting" | "failed" | "bullet";
  readonly text: Inline;
};

/** Ids that the bridge understands. */
const actionIds = [
  "stop",
  "retry",
  // A Turn's id and the key of a request: tool calls that people decide about.
  "approve",
  "deny",
  "approval-input",
  "steps",
  "found",
  "not-for-you",
  "csv",
  // A Turn's id: shows the answer's table as a chart, and back.
  "chart",
  "table",
  "rest",
  "thumb-up",
  "thumb-down",
  "cancel-job",
  "retry-job",
  "use-agent",
  "ask-about",
  "confirm",
  "dismiss",
  "choose-agent",
  "open-form",
  "remove-saved",
  // The question itself, at most 60 characters.
  "ask-example",
  // Choose an agent, and Add pages: buttons of the welcome card. No value.
  "choose-here",
  "add-pages",
  // A command typed without a slash that changes something: the id of what was typed.
  "run-typed",
  // A base's name and an agent's.
  "connect-base",
  // A Turn's id: which other agents; then a Turn's id and a name.
  "another-agent",
  "ask-another",
  "always-agent",
  // A Turn's id.
  "raw-steps",
  "hide",
  // A Turn's id; what counts is the direct message that it is pressed in.
  "new-topic",
  // A base's name and a page's number, or a document's id.
  "kb-page",
  // In Parley's own tab: the id of a Turn that failed.
  "show-failures",
  "refresh-document",
  "remove-document",
  // The id of a refresh: its pages that are gone.
  "remove-gone",
  "save-file",
  // A gap's id; a page's number and an agent.
  "gap-show",
  "gap-page",
  "gap-dismiss",
  "gap-reopen",
  // A gap's id; the ids of a gap and of one that was merged into it.
  "gap-merge",
  "gap-split",
  "add-answer",
  // The id of the stored message that a person may use as an answer.
  "adopt-answer",
  // An added answer's id.
  "edit-answer",
  "restore-answer",
  "remove-answer",
  "answer-holds",
  // The id of a proof; an agent.
  "tell-askers",
  "prove-again",
  "run-checks",
  // The id of what waits to be scheduled; a schedule's id.
  "schedule-once",
  "schedule-confirm",
  "schedule-pause",
  "schedule-resume",
  "schedule-run",
  "schedule-delete",
] as const;

export type ActionId = (typeof actionIds)[number];

/** Where actions are typed, this tells them from commands. */
export function isActionId(word: string): word is ActionId {
  return (actionIds as readonly string[]).includes(word);
}

export type Action = {
  readonly id: ActionId;
  /** As on screen: Stop, Try again, Show steps, Get CSV, Delete, Cancel, 👍 … */
  readonly label: string;
  /** For screen readers where the label is a picture. */
  readonly accessibleLabel?: string;
  /** The id of a Turn or Job, or chosen by the command: at most 60 characters, which can include spaces. */
  readonly value: string;
  readonly style: "primary" | "danger" | "plain";
  /** Of Stop: id of the person who asked. Others can press it too, but it is only that person's own. */
  readonly asker?: string;
};

/** Sets the colour of the frame where the platform has one. */
export type Tone = "running" | "done" | "failed" | "stopped" | "waiting" | "partial" | "info";

export type Document = {
  readonly tone: Tone;
  /** The agent that speaks, where the platform can show a name of its own for a message. */
  readonly byline?: string;
  readonly blocks: readonly Block[];
  readonly actions: readonly Action[];
  /** Offered when part of the document is not shown and could not be attached. */
  readonly whenCut?: Action;
  /**
   * It holds nothing personal and nothing that the channel can't see, so it can be shown publicly where a private reply
   * is impossible.
   */
  readonly isForEveryone?: true;
  /** For notifications and screen readers: plain text, at most 150 characters, never empty. */
  readonly summary: string;
  /** The running step in plain words, at most 100 characters, for a status line. */
  readonly now?: string;
  /** What it is about: the question, at most 200 characters, as the title of a conversation. */
  readonly topic?: string;
};

/** Maximum length of `Form.context`. */
export const maxFormContextChars = 2_000;

/** A form, shown as a modal or dialog. Labels at most 45 characters, hints at most 100 (Discord's limits). */
export type Form = {
  /** The command it belongs to ("agent create"), or a name the bridge knows ("ask-about"). */
  readonly id: string;
  readonly title: string;
  readonly submitLabel: string;
  readonly fields: readonly FormField[];
  /** Returned with the submission: the form's subject. At most `maxFormContextChars` characters, never a secret. */
  readonly context: string;
};

export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired: boolean;
  /** Few people need it: where a form has several pages, such fields are on a page of their own. */
  readonly isAdvanced?: true;
  /** Its 2 to 10 choices (1 to 10 of a multiselect) are all shown, as radio buttons or boxes to tick: `allShown`. */
  readonly showsAll?: true;
  readonly initial?: string | readonly string[];
} & (
  | { readonly type: "text"; readonly maxChars?: number }
  | { readonly type: "multiline"; readonly maxChars?: number }
  /** Never echoed, logged or stored. */
  | { readonly type: "secret" }
  /** `allowsFree`, with `showsAll`: another entry can be typed, and then counts instead of the choice. */
  | {
      readonly type: "select";
      readonly choices: readonly Choice[];
      readonly completes?: Completion;
      readonly allowsFree?: true;
    }
  /** Several of the choices. `allowsFree` also accepts other entries, comma separated where there is no better way. */
  | {
      readonly type: "multiselect";
      readonly choices: readonly Choice[];
      readonly completes?: Completion;
      readonly allowsFree: boolean;
    }
  /** Files come as the submission's `attachments`. A platform that can't ask for files leaves the field out. */
  | { readonly type: "file"; readonly maxFiles: number }
);

export type Choice = { readonly value: string; readonly label: string };

/** Shows all choices where they are few enough: on every platform up to ten, and one alone is nothing to choose. */
export function allShown(type: "select" | "multiselect", choices: readonly Choice[]): { readonly showsAll?: true } {
  return choices.length >= (type === "select" ? 2 : 1) && choices.length <= 10 ? { showsAll: true } : {};
}

/** The kinds of names to complete in an option or field. */
export const completions = ["agent", "project", "knowledge-base", "table", "command", "job", "schedule"] as const;
export type Completion = (typeof completions)[number];

/** Values of a submitted form by field name; a multiselect gives a list. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** Errors of a submitted form by field name. */
export type FieldErrors = Readonly<Record<string, string>>;
