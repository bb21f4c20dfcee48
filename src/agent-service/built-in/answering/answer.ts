/**
 * Writes the answer from the passages that answer. Without a model nothing is invented: it quotes the best section and
 * links to the others. Its numbers are those of the list of sources, which clients
 * build from the same passages: best first, each URL once.
 */
import { maxSectionChars } from "./finding.ts";
import { type FoundPassage, headingOf } from "./passage-search.ts";

export type Found = {
  /** Best first. */
  readonly passages: readonly FoundPassage[];
  /** The pieces of a passage's whole section, in order. */
  readonly section: (passage: FoundPassage) => readonly FoundPassage[];
};

/** One screen of text. Longer quotations end between two blocks, with a link to the rest. */
const maxQuotedChars = maxSectionChars;
/** A second section is quoted if its relevance reaches this share of the first one's and both stay readable. */
const secondShare = 0.9;
const maxTogetherChars = 2_500;
const maxAlso = 3;
export function answerFrom({ passages, section }: Found): string {
  const numbers = new Map<string, number>();
  for (const passage of passages) {
    const key = sourceKey(passage);
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  }
  const number = (passage: FoundPassage) => numbers.get(sourceKey(passage)) ?? 1;

  const quoted: string[] = [];
  const used = new Set<string>();
  const best = passages[0]?.relevance ?? 0;
  let chars = 0;
  for (const passage of passages.slice(0, 3)) {
    const isFirst = quoted.length === 0;
    if (used.has(pieceKey(passage))) continue;
    if (!isFirst && (passage.relevance ?? 0) < best * secondShare) break;
    const pieces = quotedPieces(passage, section(passage));
    const text = quote(passage, pieces, number(passage));
    if (!isFirst && chars + text.length > maxTogetherChars) continue;
    quoted.push(text);
    chars += text.length;
    for (const piece of pieces) used.add(pieceKey(piece));
  }

  const also = new Map<number, string>();
  for (const passage of passages) {
    if (used.has(pieceKey(passage)) || also.size >= maxAlso) continue;
    also.set(number(passage), `${linkTo(passage)} [${number(passage)}]`);
  }
  const more = also.size === 0 ? [] : [`See also: ${[...also.values()].join(", ")}`];
  return [quoted.join("\n\n---\n\n"), ...more].join("\n\n");
}

/** A result and its rows, below the table's name. */
export function quoteTable({ passage, text }: { readonly passage: FoundPassage; readonly text: string }): string {
  return `**${linkTo(passage)}** [1]\n\n${text}`;
}

/** A long section from the piece that was found on, any other from its beginning. */
function quotedPieces(passage: FoundPassage, pieces: readonly FoundPassage[]): readonly FoundPassage[] {
  const own = pieces.filter(({ sectionStart }) => sectionStart === passage.sectionStart);
  const chars = own.reduce((sum, { content }) => sum + content.length, 0);
  return chars <= maxSectionChars ? pieces : pieces.filter(({ chunkIndex }) => chunkIndex >= passage.chunkIndex);
}

/** The key by which clients distinguish sources. */
export function sourceKey(passage: FoundPassage): string {
  return isWebUrl(passage.url) ? passage.url : passage.title === "" ? passage.rowId : passage.title;
}

function pieceKey({ knowledgeBaseId, rowId, chunkIndex }: FoundPassage): string {
  return `${knowledgeBaseId}/${chunkIndex}/${rowId}`;
}

function linkTo(passage: FoundPassage): string {
  const title = (headingOf(passage) || passage.title || passage.url || passage.rowId).replace(/[[\]\\]/g, "");
  return isWebUrl(passage.url)
    ? `[${title}](${new URL(passage.url).href.replaceAll("(", "%28").replaceAll(")", "%29")})`
    : title;
}

function quote(passage: FoundPassage, pieces: readonly FoundPassage[], number: number): string {
  const parts: string[] = [];
  let chars = 0;
  let isCut = false;
  for (const piece of pieces.length === 0 ? [passage] : pieces) {
    const text = readable(withoutOwnHeading(piece, passage), piece.url);
    if (chars > 0 && chars + text.length > maxQuotedChars) {
      isCut = true;
      break;
    }
    if (text !== "") parts.push(text);
    chars += text.length;
  }
  const rest = isCut ? [`_Continue reading: ${linkTo(passage)}_`] : [];
  return [`**${sectionOf(pieces[0] ?? passage, passage)}${linkTo(passage)}** [${number}]`, ...parts, ...rest].join(
    "\n\n",
  );
}

/** The section's heading, "Quiet room – ", before a link that only names the page. */
function sectionOf({ content, chunkIndex, sectionStart, level }: FoundPassage, passage: FoundPassage): string {
  if (level <= 1 || chunkIndex !== sectionStart) return "";
  const heading = ownHeading(content).replace(/[[\]\\*_`<>]/g, "");
  return heading === "" || heading === headingOf(passage) ? "" : `${heading} – `;
}

function ownHeading(content: string): string {
  const [first = ""] = content.split("\n", 1);
  return first.replace(/^\s*#+\s*/, "").replace(/\s*#+\s*$/, "");
}

/** Removes the heading or title, which is above the quotation as a link. Lower headings become smaller. */
function withoutOwnHeading(piece: FoundPassage, passage: FoundPassage): string {
  if (piece.sectionStart !== piece.chunkIndex || piece.level === 0) return withoutOwnTitle(piece);
  const end = piece.content.indexOf("\n");
  const rest = end < 0 ? "" : piece.content.slice(end).trim();
  if (piece.sectionStart === passage.sectionStart) return rest;
  return `#### ${ownHeading(piece.content)}\n\n${rest}`.trim();
}

/** A row's text can begin with its title, as added answers begin with their question. */
function withoutOwnTitle({ content, title, chunkIndex }: FoundPassage): string {
  if (chunkIndex > 0 || title === "") return content;
  const end = content.indexOf("\n");
  const first = (end < 0 ? content : content.slice(0, end)).replace(/\s+/g, " ").trim();
  // A long one is cut in the title.
  const isTitle = first === title || (title.endsWith("…") && first.startsWith(title.slice(0, -1)));
  const rest = end < 0 ? "" : content.slice(end).trim();
  return isTitle && rest !== "" ? rest : content;
}

/** Outside code, makes links absolute and removes pictures, comments and HTML tags. */
function readable(markdown: string, baseUrl: string): string {
  const parts = markdown.split(/(^ {0,3}(?:`{3,}|~{3,})[\s\S]*?^ {0,3}(?:`{3,}|~{3,})[ \t]*$|`[^`\n]+`)/m);
  const outside = (text: string) =>
    text
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/<\/?(?:p|div|img|br|a|picture|source|details|summary|sub|sup|kbd|h[1-6])\b[^>]*>/gi, "")
      .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
      .replace(/\[\s*\]\([^)]*\)/g, "")
      .replace(/\[([^\]]+)\]\(\s*([^)\s]+)(?:\s+"[^"]*")?\s*\)/g, (_, label: string, target: string) => {
        const url = absolute(target, baseUrl);
        return url === undefined ? label : `[${label}](${url})`;
      });
  return parts
    .map((part, index) => (index % 2 === 0 ? outside(part) : part))
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function absolute(target: string, baseUrl: string): string | undefined {
  if (/^(?:https?:|mailto:)/i.test(target)) return target;
  if (!isWebUrl(baseUrl) || !URL.canParse(target, baseUrl)) return undefined;
  const url = new URL(target, baseUrl).href;
  return isWebUrl(url) ? url : undefined;
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
