/**
 * Makes an agent's Markdown readable where it holds what no chat shows. That is pictures as data, HTML, entities,
 * footnotes, and bold words beside Chinese, Japanese and Korean punctuation. Code stays as it is.
 */
import { piecesOf } from "./markdown-blocks.ts";
import { plainText } from "./plain-text.ts";

/** A picture in the text itself, also one whose data are still being written. */
const picture = /!\[([^[\]\n]{0,200})\]\(\s{0,9}<?data:[^\s)>]*>?(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)?/gi;
const dataLink = /\[([^[\]\n]{0,200})\]\(\s{0,9}<?data:[^\s)>]*>?(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)?/gi;
/** `[1]: data:…`, which pictures and links name. */
const dataDefinition = /^ {0,3}\[([^[\]\n]{1,100})\]:[ \t]{0,9}<?data:[^\n]*\n?/gim;
const byName = /(!?)\[([^[\]\n]{0,200})\]\[([^[\]\n]{0,100})\]/g;
/** Alone in the text. Shorter ones are an example. */
const bareData = /\bdata:(image\/)?[\w.+/-]{0,60}(?:;[\w.=-]{1,60}){0,4},[\w+/=%-]{60,}/gi;
const htmlPicture = /<img\s[^<>]{0,300}?src=["']data:[^"'<>]*["'][^<>]{0,300}>/gi;
const lineBreak = /[ \t]{0,9}<br\s{0,9}\/?>[ \t]{0,9}/gi;
const bold = /<\/?(?:b|strong)>/gi;
const paragraph = /<\/p>\s{0,9}/gi;
/** Marks that only change how words look. */
const otherTags =
  /<\/?(?:p|div|span|details|summary|u|sup|sub|kbd|mark|ins|abbr|cite|center|font|small|big|figure|figcaption|section|article|ul|ol)(?:\s[^<>]{0,300})?\s{0,9}\/?>/gi;
const raised = /<sup>([^<>\n]{1,100})<\/sup>/gi;
/** Tags with a mark of Markdown, only in pairs: `List<s>` is no mark. */
const paired = /<(i|em|s|del|code)>([^<>\n`*~]{1,500})<\/\1>/gi;
const marks: Readonly<Record<string, string>> = { i: "*", em: "*", s: "~~", del: "~~", code: "`" };
const listItem = /\s{0,9}<li(?:\s[^<>]{0,300})?>\s{0,9}([^<>\n]{1,2000})(?:<\/li>)?/gi;
const link = /<a\s[^<>]{0,300}?href=["'](https?:[^"'<>\s]{1,2000})["'][^<>]{0,300}>([^<>\n[\]]{1,500})<\/a>/gi;
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi;
const spaces: ReadonlySet<string> = new Set(["nbsp", "ensp", "emsp", "thinsp"]);
/** Names and characters, in turn. */
const names = [
  `amp & lt < gt > quot " apos ' hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » bull •`,
  "middot · times × divide ÷ plusmn ± deg ° euro € pound £ yen ¥ copy © reg ® trade ™ larr ← rarr → uarr ↑ darr ↓",
  "le ≤ ge ≥ ne ≠ auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß sect § para ¶",
].flatMap((line) => line.split(" "));
const named: ReadonlyMap<string, string> = new Map(
  names.flatMap((name, at): (readonly [string, string])[] => (at % 2 === 0 ? [[name, names[at + 1] ?? ""]] : [])),
);
const note = /^ {0,3}\[\^([\w-]{1,30})\]:[ \t]*/gm;
const noteMark = /\[\^([\w-]{1,30})\](?!:)/g;
/** Scripts without spaces between words. */
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const punctuation = /[\p{P}\p{S}]/u;
const boldMark = /\*{2,3}/g;
/** A space that nobody sees, after which every parser takes the mark for one. */
const hairSpace = "\u200A";

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function readableMarkdown(text: string): string {
  if (!/[<&^*]|data:/i.test(text)) return text;
  const parts = splitCode(text);
  const notes = new Map<string, string>();
  for (const { text: part, isCode } of parts) {
    if (isCode) continue;
    for (const [, name = ""] of part.matchAll(note)) {
      if (!notes.has(name)) notes.set(name, superscript(notes.size + 1));
    }
  }
  return parts.map((part) => (part.isCode ? part.text : readable(part.text, notes))).join("");
}

/** A picture's data are of no use as text, neither stored nor as a conversation's history. */
export function withoutPictureData(text: string): string {
  if (!/data:/i.test(text)) return text;
  return splitCode(text)
    .map((part) => (part.isCode ? part.text : picturesNamed(part.text)))
    .join("");
}

function picturesNamed(text: string): string {
  if (!/data:/i.test(text)) return text;
  const defined = new Set(Array.from(text.matchAll(dataDefinition), ([, name = ""]) => name.toLowerCase()));
  return text
    .replace(dataDefinition, "")
    .replace(byName, (written, mark: string, words: string, name: string) => {
      if (!defined.has((name || words).toLowerCase())) return written;
      return mark === "" ? words : pictureText(words);
    })
    .replace(picture, (_, alt: string) => pictureText(alt))
    .replace(dataLink, "$1")
    .replace(htmlPicture, (tag) => pictureText(/\balt=["']([^"'<>]*)["']/i.exec(tag)?.[1] ?? ""))
    .replace(bareData, (_, image?: string) => (image === undefined ? "[data]" : "[picture]"));
}

function readable(text: string, notes: ReadonlyMap<string, string>): string {
  return inLines(withoutComments(picturesNamed(text)))
    .replace(bold, "**")
    .replace(raised, (_, words: string) => raisedText(words))
    .replace(paired, (_, tag: string, words: string) => {
      const mark = marks[tag.toLowerCase()] ?? "";
      return mark + words + mark;
    })
    .replace(link, "[$2]($1)")
    .replace(listItem, "\n- $1")
    .replace(paragraph, "\n\n")
    .replace(otherTags, "")
    .replace(entity, decoded)
    .replace(note, (mark, name: string) => `${notes.get(name) ?? mark} `)
    .replace(noteMark, (mark, name: string) => notes.get(name) ?? mark);
}

function withoutComments(text: string): string {
  const [first = "", ...rest] = text.split("<!--");
  let kept = first;
  const lastEnd = rest.findLastIndex((part) => part.includes("-->"));
  for (const [index, part] of rest.entries()) {
    // Without its end it is no comment, nor is any after it.
    if (index > lastEnd) return [kept, ...rest.slice(index)].join("<!--");
    const end = part.indexOf("-->");
    if (end >= 0) kept += part.slice(end + 3);
  }
  return kept;
}

/** What belongs to one line: its breaks, and its bold words. */
function inLines(text: string): string {
  if (!/<br|\*\*/i.test(text)) return text;
  return text
    .split("\n")
    .map((line) => {
      // Within a table it is a line break of its cell, which the table draws.
      const broken = line.includes("|") ? line : line.replace(lineBreak, "  \n").replace(/\n$/, "");
      return broken.includes("**") && cjk.test(broken) ? withLooseMarks(broken) : broken;
    })
    .join("\n");
}

/** A mark beside punctuation inside and a letter outside opens or closes nothing in Markdown, without a space between. */
function withLooseMarks(line: string): string {
  let isOpen = false;
  return line.replace(boldMark, (mark, at: number) => {
    isOpen = !isOpen;
    const [before, after] = [line.slice(Math.max(0, at - 2), at), line.slice(at + mark.length, at + mark.length + 2)];
    const last = Array.from(before).at(-1) ?? "";
    const next = Array.from(after)[0] ?? "";
    if (isOpen) return cjk.test(last) && punctuation.test(next) ? hairSpace + mark : mark;
    return punctuation.test(last) && cjk.test(next) ? mark + hairSpace : mark;
  });
}

function pictureText(alt: string): string {
  const words = alt.trim();
  return words === "" ? "[picture]" : `[picture: ${words}]`;
}

/** A character that Markdown would read as a mark is escaped. */
function decoded(written: string, decimal?: string, hex?: string, name?: string): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const char = name === undefined ? fromCode(code) : spaces.has(name) ? " " : named.get(name);
  if (char === undefined) return written;
  return /[*_`~|<>[\]\\#]/.test(char) ? `\\${char}` : char;
}

function fromCode(code: number): string | undefined {
  if (!(code >= 0x20 && code <= 0x10ffff)) return code === 10 ? "\n" : undefined;
  return code === 0xa0 ? " " : String.fromCodePoint(code);
}

function superscript(number: number): string {
  return Array.from(String(number), (digit) => superscripts.charAt(Number(digit))).join("");
}

/** "10⁶", and "x^n" where there is no such character. */
function raisedText(words: string): string {
  return /^\d{1,9}$/.test(words)
    ? Array.from(words, (digit) => superscripts.charAt(Number(digit))).join("")
    : `^${words}`;
}

/** Neighbouring parts are of different kinds. */
function splitCode(text: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  if (!/[`~]/.test(text)) return [{ text, isCode: false }];
  const parts: { text: string; isCode: boolean }[] = [];
  for (const { kind, source } of piecesOf(text)) {
    const isCode = kind === "code" || kind === "fence";
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.text += source;
    else parts.push({ text: source, isCode });
  }
  return parts;
}

/** Whether a person would see anything of it. */
export function isVisible(text: string): boolean {
  const shown = plainText(readableMarkdown(text));
  return /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800*_`~>|-]/u.test(shown) || /^\s*-{1,2}\s*$/.test(text);
}
