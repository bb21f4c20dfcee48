/** Words for an agent's steps: what it did, and what it found. */
import type { Inline } from "../../ports/document.ts";
import { code, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

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
  title: (agent: string): string => (agent === "" ? "Steps" : `Steps of ${agent}`),
  rawTitle: (agent: string): string => (agent === "" ? "Raw steps" : `Raw steps of ${agent}`),
  traceId: (id: string): Inline => say`trace id ${code(id)}`,
  none: "No steps were needed.",
  notKept: (count: number): string => `${countText(count, "later step was", "later steps were")} not stored.`,
  thought: "Why: ",
  observationCut: (chars: number): string => `Shortened: ${countText(chars, "more character")}.`,
  rowsFound: "Rows found",
} as const;
