/** Draws small documents: an error, a sentence, a list. */
import type { Action, Block, Document, Inline, ListItem, Tone } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Actor } from "../../core/model/place.ts";
import { type ErrorText, errorText } from "../sentences/errors.ts";
import { fallbackSentences } from "../sentences/notices.ts";
import { readySentences, turnSentences } from "../sentences/questions.ts";
import { shorten } from "../sentences/steps.ts";
import { dotted, inlineText, person, say } from "./inline.ts";
import { cleanText } from "./sanitise.ts";

const says = {
  empty: "Nothing.",
};

const maxSummaryChars = 150;

/** What happened, what to do, and the reference that the log has too. Only questions have one. */
export function errorDocument(error: ParleyError | ErrorText, ref?: string): Document {
  const { what, hint } = errorText(error, { hasQuestion: ref !== undefined });
  const quiet = ref === undefined ? [] : [turnSentences.reference(ref)];
  const said = titledDocument(what, hint === "" ? [] : [{ kind: "text", text: say`${hint}` }], {
    tone: "failed",
    quiet,
  });
  return isForEveryone(error) ? { ...said, isForEveryone: true } : said;
}

/** The sentences of a code are constant. Those of a refusal name only what the person typed, and what anyone there sees. */
function isForEveryone(error: ParleyError | ErrorText): boolean {
  if (!(error instanceof ParleyError)) return false;
  const isRefusal = error.code === "not_allowed" || error.code === "agent_not_here";
  return isRefusal || (error.what === undefined && error.hint === undefined && error.reason === undefined);
}

/** What a platform without private replies shows to everyone instead of a private document. */
export function publicVersion(document: Document): Document {
  return document.isForEveryone === true ? document : errorDocument(fallbackSentences.notPrivate);
}

const maxRepeatedChars = 200;

/** For another place than the question's: repeats the question and says why its answer isn't there. */
export function unshownDocument(
  turn: { readonly actor: { readonly name: string }; readonly question: string; readonly ref: string },
  error: ParleyError,
): Document {
  const { blocks, ...rest } = errorDocument(error, turn.ref);
  const asked = turnSentences.asked(cleanText(turn.actor.name), shorten(cleanText(turn.question), maxRepeatedChars));
  return { ...rest, blocks: [{ kind: "text", text: asked }, ...blocks] };
}

/** The answer itself for the asker alone, without buttons, which only work where the question was asked. */
export function sentDocument(
  turn: { readonly actor: { readonly name: string }; readonly question: string },
  error: ParleyError,
  end: Document,
): Document {
  const asked = turnSentences.asked(cleanText(turn.actor.name), shorten(cleanText(turn.question), maxRepeatedChars));
  const { whenCut: _offered, ...rest } = end;
  const why = say`This answer couldn't be shown where you asked. ${errorText(error).what}`;
  // Its buttons work only where the answer was asked for.
  const shown = end.blocks.map((block) => (block.kind === "fold" ? { ...block, actions: [] } : block));
  return { ...rest, blocks: [{ kind: "text", text: asked }, { kind: "text", text: why }, ...shown], actions: [] };
}

export type NoticeOptions = {
  readonly tone?: Tone;
  /** Small print below; its parts are joined by " · ". */
  readonly quiet?: readonly (string | Inline)[];
  readonly actions?: readonly Action[];
};

/** One or more paragraphs. */
export function infoDocument(
  sentences: string | Inline | readonly (string | Inline)[],
  options: NoticeOptions = {},
): Document {
  const paragraphs = typeof sentences === "string" ? [sentences] : isInline(sentences) ? [sentences] : sentences;
  const texts = paragraphs.map((paragraph) => say`${paragraph}`);
  return {
    tone: options.tone ?? "info",
    blocks: [...texts.map((text) => ({ kind: "text" as const, text })), ...quietBlock(options)],
    actions: options.actions ?? [],
    summary: summaryOf(texts[0] ?? []),
  };
}

/** A bold title over other blocks. */
export function titledDocument(
  title: string | Inline,
  blocks: readonly Block[],
  options: NoticeOptions = {},
): Document {
  const headline = say`${title}`;
  return {
    tone: options.tone ?? "info",
    blocks: [{ kind: "headline", text: headline }, ...blocks, ...quietBlock(options)],
    actions: options.actions ?? [],
    summary: summaryOf(headline),
  };
}

/** A bold title and a line for each item. */
export function listDocument(
  title: string | Inline,
  items: readonly (string | Inline | ListItem)[],
  options: NoticeOptions & { readonly whenEmpty?: string } = {},
): Document {
  const lines = items.map((item): ListItem => {
    if (typeof item === "string") return { mark: "bullet", text: say`${item}` };
    return "text" in item ? item : { mark: "bullet", text: item };
  });
  const shown: Block =
    lines.length === 0
      ? { kind: "text", text: say`${options.whenEmpty ?? says.empty}` }
      : { kind: "list", items: lines };
  return titledDocument(title, [shown], options);
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
  return said === "" ? says.empty : said;
}

/** Tells the asker, and nobody else, that an answer which took long has ended. */
export function readyDocument({ id, name }: Pick<Actor, "id" | "name">, isAnswered: boolean): Document {
  const said = isAnswered ? readySentences.answered : readySentences.failed;
  return {
    tone: "info",
    blocks: [{ kind: "text", text: say`${{ ...person(name, id), notifies: true }}${said.named}` }],
    actions: [],
    summary: said.alone,
  };
}

/** In place of progress that can't be removed, when the answer was posted after it. */
export function answeredBelowDocument(): Document {
  const { answeredBelow } = turnSentences;
  return { tone: "done", blocks: [{ kind: "text", text: say`${answeredBelow}` }], actions: [], summary: answeredBelow };
}
