/**
 * Small documents that are no Turn and no Job: something that failed, a sentence, a list.
 */

import type { Action, Document, Inline, ListItem, Tone } from "../../ports/document.ts";
import type { ParleyError } from "../../ports/errors.ts";
import { noticeSentences, turnSentences } from "../sentences/sentences.ts";
import { shorten } from "../sentences/step-words.ts";
import { dotted, inline, inlineText } from "./inline.ts";
import { cleanText } from "./sanitise.ts";

const maxSummaryChars = 150;

/** What happened in bold, what to do, and the reference that the log has too. */
export function errorDocument(error: Pick<ParleyError, "what" | "hint">, ref?: string): Document {
  const quiet = ref === undefined ? [] : [{ kind: "quiet" as const, text: turnSentences.reference(ref) }];
  return {
    tone: "failed",
    blocks: [
      { kind: "headline", text: inline(error.what) },
      ...(error.hint === "" ? [] : [{ kind: "text" as const, text: inline(error.hint) }]),
      ...quiet,
    ],
    actions: [],
    summary: summaryOf(inline(error.what)),
  };
}

const maxRepeatedChars = 200;

/** For somewhere far from the question: says which one it was, and why its end is not there. */
export function unshownDocument(
  turn: { readonly actor: { readonly name: string }; readonly question: string; readonly ref: string },
  error: Pick<ParleyError, "what" | "hint">,
): Document {
  const { blocks, ...rest } = errorDocument(error, turn.ref);
  const asked = turnSentences.asked(cleanText(turn.actor.name), shorten(cleanText(turn.question), maxRepeatedChars));
  return { ...rest, blocks: [{ kind: "text", text: asked }, ...blocks] };
}

/** The end itself, where it can be read only by whoever asked: without buttons, which belong to where it was asked. */
export function sentDocument(
  turn: { readonly actor: { readonly name: string }; readonly question: string },
  error: Pick<ParleyError, "what">,
  end: Document,
): Document {
  const asked = turnSentences.asked(cleanText(turn.actor.name), shorten(cleanText(turn.question), maxRepeatedChars));
  const { whenCut: _offered, ...rest } = end;
  const why = inline(turnSentences.sentBecause(error.what));
  return { ...rest, blocks: [{ kind: "text", text: asked }, { kind: "text", text: why }, ...end.blocks], actions: [] };
}

export type NoticeOptions = {
  readonly tone?: Tone;
  /** Small print below, parts joined by " · ". */
  readonly quiet?: readonly (string | Inline)[];
  readonly actions?: readonly Action[];
};

/** One paragraph, or several. */
export function infoDocument(
  sentences: string | Inline | readonly (string | Inline)[],
  options: NoticeOptions = {},
): Document {
  const paragraphs = typeof sentences === "string" ? [sentences] : isInline(sentences) ? [sentences] : sentences;
  const texts = paragraphs.map((paragraph) => inline(paragraph));
  return {
    tone: options.tone ?? "info",
    blocks: [...texts.map((text) => ({ kind: "text" as const, text })), ...quietBlock(options)],
    actions: options.actions ?? [],
    summary: summaryOf(texts[0] ?? []),
  };
}

/** A bold title and a line per item. */
export function listDocument(
  title: string | Inline,
  items: readonly (string | Inline | ListItem)[],
  options: NoticeOptions & { readonly whenEmpty?: string } = {},
): Document {
  const headline = inline(title);
  const lines = items.map((item): ListItem => {
    if (typeof item === "string") return { mark: "bullet", text: inline(item) };
    return "text" in item ? item : { mark: "bullet", text: item };
  });
  return {
    tone: options.tone ?? "info",
    blocks: [
      { kind: "headline", text: headline },
      lines.length === 0
        ? { kind: "text", text: inline(options.whenEmpty ?? noticeSentences.empty) }
        : { kind: "list", items: lines },
      ...quietBlock(options),
    ],
    actions: options.actions ?? [],
    summary: summaryOf(headline),
  };
}

function quietBlock(options: NoticeOptions): readonly { readonly kind: "quiet"; readonly text: Inline }[] {
  const quiet = dotted(...(options.quiet ?? []));
  return quiet.length === 0 ? [] : [{ kind: "quiet", text: quiet }];
}

function isInline(value: Inline | readonly (string | Inline)[]): value is Inline {
  return value.length > 0 && value.every((part) => typeof part === "object" && "text" in part);
}

function summaryOf(spans: Inline): string {
  const said = shorten(inlineText(spans), maxSummaryChars);
  return said === "" ? noticeSentences.empty : said;
}
