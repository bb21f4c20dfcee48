/** Writes an agent's Markdown again, with every link and image of all kinds as the caller writes it. */
import { cleanText, isForgedLabel, maskLabel, safeUrl, withoutEntities } from "../drawing/sanitise.ts";
import { type InlineToken, inlineTokens } from "./inline.ts";
import { definitionsIn, type MarkdownBlock, type MarkdownPart, markdownBlocks, partsOf } from "./markdown-blocks.ts";

export type FoundLink = {
  /** As written in the Markdown, with the words of an image within it instead of the image. */
  readonly source: string;
  /** The label or the alternative text, without escapes; may hold inline marks. Of an image within it, its words. */
  readonly label: string;
  /** The same as written. */
  readonly written: string;
  /** As written. */
  readonly address: string;
  /** The linkable URL (http, https, mailto), else undefined. */
  readonly url: string | undefined;
  readonly isImage: boolean;
  /** The label looks like another URL than the link's own. */
  readonly isForged: boolean;
};

/** How what is no link is written; what has no entry stays as it is. */
type Writer = {
  readonly code?: (source: string) => string;
  /** What stands between two pieces of code or two links, in one piece: marks of a link could be on both sides. */
  readonly text?: (source: string) => string;
  /** A mark of emphasis, which then counts as text. `isWithin`: within an emphasis of the same style. */
  readonly mark?: (source: string, isWithin: boolean) => string;
  /** `text`: written already. */
  readonly part?: (part: MarkdownPart, text: string) => string;
  readonly block?: (block: MarkdownBlock, text: string) => string;
};

type InlineWriter = Pick<Writer, "code" | "text" | "mark"> & { readonly link: (link: FoundLink) => string };

const asIs = (source: string) => source;

/** Cleans the text and replaces every link and image, outside of code, with what `link` returns for it. */
export function rewriteLinks(markdown: string, link: (link: FoundLink) => string, writer: Writer = {}): string {
  const { part: writePart = ({ before, end }, text) => before + text + end, block: writeBlock = (_, text) => text } =
    writer;
  const blocks = markdownBlocks(cleanText(markdown));
  const definitions = definitionsIn(blocks);
  const written = (part: MarkdownPart) =>
    writePart(part, writeTokens(inlineTokens(part.text, definitions), { ...writer, link }));
  return blocks
    .map((block) => writeBlock(block, block.kind === "code" ? block.source : partsOf(block).map(written).join("")))
    .join("");
}

function writeTokens(tokens: readonly InlineToken[], writer: InlineWriter): string {
  const { code = asIs, text = asIs, mark = asIs } = writer;
  let written = "";
  let plain = "";
  const depths = { bold: 0, italic: 0, struck: 0 };
  const put = (piece: string) => {
    written += (plain === "" ? "" : text(plain)) + piece;
    plain = "";
  };
  for (const token of tokens) {
    if (token.kind === "code") put(code(token.source));
    else if (token.kind === "link" || token.kind === "image") put(writer.link(foundLink(token)));
    else if (token.kind === "open") plain += mark(token.source, ++depths[token.style] > 1);
    else if (token.kind === "close") plain += mark(token.source, --depths[token.style] > 0);
    else plain += token.source;
  }
  put("");
  return written;
}

function foundLink(token: Extract<InlineToken, { kind: "link" | "image" }>): FoundLink {
  const inside = oneLine(token.label);
  const written = inside.map((one) => (one.kind === "image" ? sourceOf(one.label) : one.source)).join("");
  const source = token.source.replace(sourceOf(token.label), () => written);
  const label = withoutEntities(written).replace(/\\([!-/:-@[-`{-~])/g, "$1");
  const address = token.address.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  const url = safeUrl(address);
  const isForged = url !== undefined && isForgedLabel(maskLabel(label).replace(/[*_`~]/g, ""), url);
  return { source, label, written, address, url, isImage: token.kind === "image", isForged };
}

/** Without line ends and the marks of quotes behind them. */
function oneLine(tokens: readonly InlineToken[]): readonly InlineToken[] {
  return tokens.map((token) => (token.kind === "break" ? { kind: "text", source: " " } : token));
}

function sourceOf(tokens: readonly InlineToken[]): string {
  return tokens.map(({ source }) => source).join("");
}
