/** Writes the steps of a run as events, and passages as the sources that they are. */

import { answerRowId } from "../../../core/content/answering.ts";
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import type { Outcome, Source } from "../../../core/model/turn.ts";
import type { ListedDocument } from "../../../core/ports/agent-service.ts";
import type { FoundPassage } from "./passage-search.ts";

const maxExcerptChars = 300;
const maxRowIdChars = 100;

/** One call of a tool: that it begins, and what it found. */
export function createStep(tool: string, query: string, thought: string) {
  const input = cut(query, runLimits.input);
  const reasoning = cut(thought, runLimits.status);
  const inputOmittedChars = query.length - input.length || undefined;
  const finished = (observation: string, outcome: Outcome, sources: readonly Source[] = []): AgentEvent => ({
    type: "step-finished",
    tool,
    input,
    observation,
    outcome,
    sources,
  });
  return {
    begun: [
      { type: "reasoning", text: reasoning },
      { type: "step-started" as const, tool, input, inputOmittedChars, reasoning },
    ] satisfies readonly AgentEvent[],
    names: (names: readonly string[]): AgentEvent =>
      finished(JSON.stringify(names), names.length === 0 ? { kind: "nothing" } : { kind: "names", names }),
    passages: (found: readonly FoundPassage[]): AgentEvent => {
      if (found.length === 0) return finished("", { kind: "nothing" });
      const relevances = found.flatMap(({ relevance }) => relevance ?? []);
      const bestRelevance = relevances.length === 0 ? undefined : Math.max(...relevances);
      return finished(
        found.map(({ title, rowId, content }) => `${title || rowId}\n${content}`).join("\n\n"),
        { kind: "passages", count: found.length, bestRelevance },
        found.map(sourceOf),
      );
    },
  };
}

/** Its title falls back to the URL, the file and the row's id. */
export function sourceOf({ rowId, title, url, content, relevance, metadata, updatedAt }: FoundPassage): Source {
  const file = textOf(metadata["source"]);
  const link = [url, file].find(isWebUrl);
  return {
    title: title.trim() || link || file || url || rowId,
    url: link,
    relevance,
    excerpt: cut(content.trim(), maxExcerptChars) || undefined,
    updatedAtMs: momentOf(updatedAt),
    rowId: answerRowOf(rowId, textOf(metadata["answer_id"])),
  };
}

/** The document that it is of. */
export function documentOf({ rowId, title, url, metadata, updatedAt }: FoundPassage): ListedDocument {
  const link = [url, textOf(metadata["source"])].find(isWebUrl);
  return { id: rowId, title: title.trim() || undefined, url: link, updatedAtMs: momentOf(updatedAt) };
}

/** As the store writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
function momentOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 19).replace(" ", "T")}Z`);
}

function isWebUrl(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Only rows of added answers: they name their author. */
function answerRowOf(rowId: string, answerId: string | undefined): string | undefined {
  const id = answerId === undefined ? rowId : answerRowId(answerId);
  return id.startsWith(answerRowId("")) ? id.replace(/:.*/s, "").slice(0, maxRowIdChars) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Without half a character at the end. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}
