/** Reads the blocks of a message: every kind that Slack documents, and the text of those that it adds later. */

import { lines, mayRead, oneLine, paragraphs, say } from "../../shared/reading.ts";
import { link } from "../intake/inbound-text.ts";
import { picture, readElement } from "./elements.ts";
import { isRaw, type Raw, rawList, rawObject, rawText } from "./raw.ts";
import { readRichText } from "./rich-text.ts";
import { readChart, readTable } from "./tables.ts";
import { maxDepth, sayText, type Work } from "./work.ts";

type ReadBlock = (block: Raw, work: Work, depth: number) => string;

/** By type. docs/what-parley-reads.md lists these, and a test compares it. */
export const blockReaders: Readonly<Record<string, ReadBlock>> = {
  header: ({ text }, work) => sayText(text, work),
  section: ({ text, fields, accessory }, work) =>
    lines([
      sayText(text, work),
      ...rawList(fields).map((field) => oneLine(sayText(field, work))),
      readElement(rawObject(accessory), work),
    ]),
  context: ({ elements }, work) => joined(rawList(elements).map((element) => readElement(element, work))),
  rich_text: (block, work, depth) => readRichText(block, work, depth),
  markdown: ({ text }, work) => say(rawText(text), work),
  table: readTable,
  data_table: (block, work) => paragraphs([say(rawText(block["caption"]), work), readTable(block, work)]),
  data_visualization: readChart,
  image: picture,
  video: (block, work) => {
    const title = oneLine(sayText(block["title"], work)) || oneLine(say(rawText(block["alt_text"]), work));
    const from = [block["author_name"], block["provider_name"]].map((name) => oneLine(say(rawText(name), work)));
    const shown = rawText(block["title_url"]) === "" ? title : link(rawText(block["title_url"]), title);
    return lines([joined([`[video: ${shown}]`, ...from]), sayText(block["description"], work)]);
  },
  file: (block, work) => {
    if (isRaw(block["file"])) work.found.files.push(block["file"]);
    // An uploaded file is among the message's files as well.
    else if (rawText(block["file_id"]) === "") work.found.unread.add("a file of another app");
    return "";
  },
  actions: ({ elements }, work) => lines(rawList(elements).map((element) => readElement(element, work))),
  input: ({ label, hint, element }, work) =>
    lines([
      [oneLine(sayText(label, work)), readElement(rawObject(element), work)].filter(Boolean).join(": "),
      sayText(hint, work),
    ]),
  alert: ({ text }, work) => sayText(text, work),
  card: (block, work) =>
    lines([
      ...["title", "subtitle", "body", "subtext"].map((field) => sayText(block[field], work)),
      isRaw(block["hero_image"]) ? picture(block["hero_image"], work) : "",
      ...rawList(block["actions"]).map((element) => readElement(element, work)),
    ]),
  carousel: ({ elements }, work, depth) => readBlocks(elements, work, depth + 1),
  container: (block, work, depth) =>
    paragraphs([
      lines([
        sayText(block["title"], work),
        readRichText(block["rich_text_title"], work),
        sayText(block["subtitle"], work),
      ]),
      readBlocks(block["child_blocks"], work, depth + 1),
    ]),
  plan: (block, work, depth) =>
    lines([sayText(block["title"], work), readBlocks(block["tasks"], work, depth + 1, "task_card")]),
  task_card: (block, work) =>
    lines([
      joined([sayText(block["title"], work), rawText(block["status"]).replaceAll("_", " ")]),
      readRichText(block["details"], work),
      readRichText(block["output"], work),
      ...rawList(block["sources"]).map(({ url, text }) => link(rawText(url), oneLine(say(rawText(text), work)))),
    ]),
};

/** They hold no words that people read as content. */
export const wordlessBlocks: ReadonlySet<string> = new Set(["divider", "context_actions"]);

/** Named, because a person sees something there that no app is given. */
export const namedBlocks: Readonly<Record<string, string>> = { call: "a call" };

/** `type`: of those that state none. */
export function readBlocks(blocks: unknown, work: Work, depth = 0, type = ""): string {
  const read: string[] = [];
  for (const block of rawList(blocks)) {
    if (depth > maxDepth || !mayRead(work)) {
      work.found.isCut = true;
      break;
    }
    read.push(readBlock({ type, ...block }, work, depth));
  }
  return paragraphs(read);
}

function readBlock(block: Raw, work: Work, depth: number): string {
  const type = rawText(block["type"]);
  if (wordlessBlocks.has(type)) return "";
  const reader = blockReaders[type];
  if (reader !== undefined) return reader(block, work, depth);
  const words = lines(["title", "text", "description", "alt_text"].map((field) => sayText(block[field], work)));
  const name = namedBlocks[type];
  if (name !== undefined) work.found.unread.add(name);
  else if (words === "") work.found.unread.add(`a part of a kind that isn't known (${type.slice(0, 40) || "no type"})`);
  return words;
}

function joined(parts: readonly string[]): string {
  return parts
    .map(oneLine)
    .filter((part) => part !== "")
    .join(" · ");
}
