/** Finds and rewrites every link and image in an agent's Markdown, of all kinds alike. Code is left alone. */
import { cleanText, isForgedLabel, maskLabel, safeUrl, withoutEntities } from "../drawing/sanitise.ts";
import { codeRanges, insideOf, isEscaped } from "./inline-ranges.ts";
import { markdownBlocks } from "./markdown-blocks.ts";

export type FoundLink = {
  /** As written in the Markdown. */
  readonly source: string;
  /** The label or the alternative text, without escapes; may hold inline marks. */
  readonly label: string;
  /** As written. */
  readonly address: string;
  /** The linkable URL (http, https, mailto), else undefined. */
  readonly url: string | undefined;
  readonly isImage: boolean;
  /** The label looks like another URL than the link's own. */
  readonly isForged: boolean;
};

/** Anything longer isn't treated as a link; the adapters break what was not passed to them. */
const label = String.raw`\[((?:\\[\s\S]|[^[\]\\]|\[(?:\\[\s\S]|[^[\]\\]){0,100}\]){0,300})\]`;
const title = String.raw`(?:\s{1,9}(?:"[^"]{0,200}"|'[^']{0,200}'|\([^()]{0,200}\)))?`;
const address = String.raw`(?:<([^<>\n]{0,2000})>|((?:\\.|[^\s()\\<]|\((?:\\.|[^\s()\\]){0,500}\)){0,2000}))`;
const inlineLink = new RegExp(
  String.raw`(!?)${label}(?:\(\s{0,9}${address}${title}\s{0,9}\)|\[([^[\]]{0,300})\])?`,
  "g",
);
const definition = /^ {0,3}\[((?:\\.|[^[\]\\]){1,300})\]:[ \t]*(?:<([^<>\n]*)>|(\S+))/gm;

/** Cleans the text and replaces every link and image with what `write` returns for it. */
export function rewriteLinks(markdown: string, write: (link: FoundLink) => string): string {
  const blocks = markdownBlocks(cleanText(markdown));
  const definitions = new Map<string, string>();
  for (const block of blocks) {
    if (block.kind !== "markdown") continue;
    for (const found of block.source.matchAll(definition)) {
      const name = referenceName(found[1] ?? "");
      if (!definitions.has(name)) definitions.set(name, found[2] ?? found[3] ?? "");
    }
  }
  return blocks
    .map((block) => (block.kind === "code" ? block.source : rewrite(block.source, definitions, write)))
    .join("");
}

function rewrite(text: string, definitions: ReadonlyMap<string, string>, write: (link: FoundLink) => string): string {
  if (!text.includes("[")) return text;
  const isInCode = insideOf(codeRanges(text));
  return text.replace(inlineLink, (source: string, ...groups: unknown[]) => {
    const [mark, words, angled, bare, reference] = groups
      .slice(0, 5)
      .map((group) => (typeof group === "string" ? group : undefined));
    const at = groups.find((group): group is number => typeof group === "number") ?? 0;
    if (isEscaped(text, at) || isInCode(at + 1)) return source;
    const inside = words ?? "";
    // An image inside a link's label is rewritten first, so that the label is text.
    const plain = inside.includes("[") ? rewrite(inside, definitions, write) : inside;
    const where =
      angled ??
      bare ??
      definitions.get(referenceName(reference === undefined || reference === "" ? inside : reference));
    const isDefinition = angled === undefined && bare === undefined && text.charAt(at + source.length) === ":";
    if (where === undefined || isDefinition) return source.replace(inside, () => plain);
    return write(
      foundLink(plain === inside ? source : source.replace(inside, () => plain), plain, where, mark === "!"),
    );
  });
}

function foundLink(source: string, words: string, where: string, isImage: boolean): FoundLink {
  const shown = withoutEntities(words).replace(/\\([!-/:-@[-`{-~])/g, "$1");
  const unescaped = where.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  const url = safeUrl(unescaped);
  const isForged = url !== undefined && isForgedLabel(maskLabel(shown).replace(/[*_`~]/g, ""), url);
  return { source, label: shown, address: unescaped, url, isImage, isForged };
}

function referenceName(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
