import type { Inline, StepLine } from "../../core/document.ts";
import type { Outcome, Step } from "../../core/model/turn.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import { bold, say, text } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";
import { type QueryGist, readQuery } from "./read-query.ts";

export const stepSentences = {
  earlier: (count: number): string => countText(count, "earlier step"),
  listing: {
    done: "Checked which knowledge bases are available",
    running: "Checking which knowledge bases are available",
  },
  describing: { done: "Checked what's in ", running: "Checking what's in " },
  describingAll: { done: "Checked what data is available", running: "Checking what data is available" },
  listingTables: { done: "Checked which tables are available", running: "Checking which tables are available" },
  searchingWeb: { done: "Searched the web", running: "Searching the web" },
  searchingFiles: { done: "Searched files", running: "Searching files" },
  listingTools: { done: "Checked the tools of ", running: "Checking the tools of " },
  searching: { done: "Searched ", running: "Searching " },
  reading: { done: "Read ", running: "Reading " },
  counting: { done: "Calculated from ", running: "Calculating from " },
  changing: { done: "Tried to change ", running: "Trying to change " },
  checking: { done: "Checked a query", running: "Checking a query" },
  querying: { done: "Queried the data", running: "Querying the data" },
  using: { done: "Used ", running: "Using " },
  working: { done: "Worked on it", running: "Working on it" },
  failed: "failed",
  nothing: "nothing found",
  passages: (count: number, best?: number): string => {
    const found = `${countText(count, "passage")} found`;
    return best === undefined ? found : `${found} (best match ${Math.round(best * 100)}%)`;
  },
  rows: (count: number): string => countText(count, "row"),
  atLeast: (found: string): string => `at least ${found}`,
  moreNames: (count: number): string => `and ${numberText(count)} more`,
  rowsFound: "Rows found",
} as const;

/**
 * Describes a tool call to people who know neither SQL nor the tools. Its SQL is read only as far as it is certain; the
 * rest gets general words, never a piece of the query.
 */

/** Longer phrases would fill the line; Show steps has the whole query. */
const maxPhraseChars = 80;
/** Names beyond these are counted. */
const maxNames = 5;
const maxNameChars = 60;
/** How much is read of a tool's name, and of its input when looking for names. */
const maxToolChars = 200;
const maxNamesChars = 500;

type Tense = "done" | "running";

/** A cache: every new event draws all steps again, and steps are replaced, never mutated. */
export const drawn = new WeakMap<Step, StepLine>();

export function drawLine(step: Step): StepLine {
  const detail = stepDetail(step);
  return { state: step.state, title: stepTitle(step), detail: detail === undefined ? undefined : say`${detail}` };
}

/** "Searched **pricing** for “SSO plan”"; running: "Searching …". */
export function stepTitle(step: Step): Inline {
  const tense: Tense = step.state === "running" ? "running" : "done";
  const gist = readQuery(step.input);
  if (gist !== undefined) return gistTitle(gist, tense);
  return toolTitle(step, tense);
}

/** "5 passages found (best match 82%)", "docs, pricing, changelog"; undefined while it runs. */
export function stepDetail(step: Step): string | undefined {
  if (step.state === "running") return undefined;
  if (step.state === "failed" || step.outcome?.kind === "failed") return stepSentences.failed;
  return step.outcome === undefined ? undefined : outcomeText(step.outcome);
}

/** The same in a sentence of its own: "3 passages", "nothing found". */
export function stepFound(step: Step): string | undefined {
  if (step.state === "running" || step.state === "failed" || step.outcome?.kind !== "passages") return stepDetail(step);
  const { count } = step.outcome;
  return count === 0 ? stepSentences.nothing : counted(step.outcome, countText(count, "passage"));
}

function counted({ isAtLeast }: { readonly isAtLeast?: boolean }, found: string): string {
  return isAtLeast === true ? stepSentences.atLeast(found) : found;
}

function outcomeText(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "names":
      return namesText(outcome.names);
    case "passages":
      if (outcome.count === 0) return stepSentences.nothing;
      return counted(outcome, stepSentences.passages(outcome.count, outcome.bestRelevance));
    case "rows":
      return outcome.count === 0 ? stepSentences.nothing : counted(outcome, stepSentences.rows(outcome.count));
    case "nothing":
      return stepSentences.nothing;
    case "failed":
      return stepSentences.failed;
    case "text":
      return undefined;
    default:
      return outcome satisfies never;
  }
}

function namesText(names: readonly string[]): string {
  if (names.length === 0) return stepSentences.nothing;
  const told = names.slice(0, maxNames).map((name) => shorten(name, maxNameChars));
  return names.length > maxNames
    ? `${told.join(", ")} ${stepSentences.moreNames(names.length - maxNames)}`
    : told.join(", ");
}

function gistTitle(gist: QueryGist, tense: Tense): Inline {
  const from = bold(shorten(gist.from, maxNameChars));
  switch (gist.kind) {
    case "search":
      return gist.phrase.trim() === ""
        ? say`${stepSentences.searching[tense]}${from}`
        : say`${stepSentences.searching[tense]}${from}${text(` for “${shorten(gist.phrase, maxPhraseChars)}”`)}`;
    case "read":
      return say`${stepSentences.reading[tense]}${from}`;
    case "count":
      return say`${stepSentences.counting[tense]}${from}`;
    case "describe":
      return say`${stepSentences.describing[tense]}${from}`;
    case "change":
      return say`${stepSentences.changing[tense]}${from}`;
    default:
      return gist satisfies never;
  }
}

/** Describes tools by their names, so that tools of later service versions fit too. */
function toolTitle(step: Step, tense: Tense): Inline {
  const tool = step.tool.slice(0, maxToolChars).toLowerCase();
  if (tool === "web_search") return searchTitle(stepSentences.searchingWeb[tense], step.input);
  if (tool === "file_search") return searchTitle(stepSentences.searchingFiles[tense], step.input);
  if (tool.endsWith(".list_tools")) {
    const server = shorten(step.tool.slice(0, -".list_tools".length), maxNameChars);
    return say`${stepSentences.listingTools[tense]}${bold(server)}`;
  }
  const named = namesInInput(step.input);
  const input = step.input.trimStart().slice(0, maxNamesChars);
  if (/^show\s+tables\b/i.test(input)) return say`${stepSentences.listingTables[tense]}`;
  if (/^show\s+(knowledge_bases|knowledge\s+bases)\b/i.test(input)) return say`${stepSentences.listing[tense]}`;
  if (tool.includes("list") && /kb|knowledge/.test(tool)) return say`${stepSentences.listing[tense]}`;
  if (tool.includes("list") && tool.includes("table")) return say`${stepSentences.listingTables[tense]}`;
  if (/info|schema|describe|catalog/.test(tool)) {
    return named === undefined
      ? say`${stepSentences.describingAll[tense]}`
      : say`${stepSentences.describing[tense]}${bold(named)}`;
  }
  if (/check|valid/.test(tool) && /sql|query/.test(tool)) return say`${stepSentences.checking[tense]}`;
  if (/sql|query|kb|database/.test(tool)) return say`${stepSentences.querying[tense]}`;
  const words = toolWords(step.tool.slice(0, maxToolChars));
  return words === "" ? say`${stepSentences.working[tense]}` : say`${stepSentences.using[tense]}${bold(words)}`;
}

/** "Searched the web for “SSO plan”". Several queries are one each line; a model's own call is JSON. */
function searchTitle(searched: string, input: string): Inline {
  const given = parseJson(input);
  const query = isObject(given) ? given["query"] : input;
  const phrase = typeof query === "string" ? shorten(query.trim().replace(/\n+/g, ", "), maxPhraseChars) : "";
  return phrase === "" ? say`${searched}` : say`${searched}${text(` for “${phrase}”`)}`;
}

/** "web_search_tool" -> "web search". */
function toolWords(tool: string): string {
  const words = tool
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\btool\b/gi, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  return shorten(words, maxNameChars);
}

/** "docs, pricing" or ["docs"] from the input of a tool that takes names; undefined for any other input. */
function namesInInput(input: string): string | undefined {
  if (input.length > maxNamesChars) return undefined;
  const names = input
    .replace(/^[\s[$]+|(?<![\s\]$])[\s\]$]+$/g, "")
    .split(/,|\$\s*\$/)
    .map((name) => name.replace(/^[\s"'`]+|(?<![\s"'`])[\s"'`]+$/g, ""))
    .filter((name) => name !== "");
  if (names.length === 0 || names.length > 3 || names.some((name) => !/^[\p{L}\p{N}_.-]{1,60}$/u.test(name))) {
    return undefined;
  }
  return names.join(", ");
}

/** One line, at most `maxChars`, cut between grapheme clusters with an ellipsis. */
export function shorten(value: string, maxChars: number): string {
  return beginningOf(value.replace(/\s+/g, " ").trim(), maxChars);
}

/** Like `shorten`, with its lines. */
export function beginningOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text.slice(0, maxChars * 2))) {
    if (kept.length + segment.length > maxChars - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
