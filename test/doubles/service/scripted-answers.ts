/**
 * Whole answers for the scripted service, in the shapes that both generations of the service really send. A test names
 * what is answered and not how, and adds moves between the chunks.
 */
import { chunk, type Move } from "./scripted-moves.ts";

export type ScriptedPassage = { readonly content: string; readonly title?: string; readonly url?: string };

export type ScriptedAnswer = {
  readonly question: string;
  /** Absent: the run ends without an answer, as 25.x does when its model failed. */
  readonly answer?: string;
  /** What the search finds. Default: one passage. */
  readonly passages?: readonly ScriptedPassage[];
  /** Stands between any two chunks, e.g. [pause(5)] or [gate()]. */
  readonly between?: readonly Move[];
};

const onePassage: readonly ScriptedPassage[] = [
  { content: "The backup runs at two.", title: "Backups", url: "https://docs.example.com/backups" },
];

/** start, two tool calls with what they found, output, end. */
export function answers25(story: ScriptedAnswer): readonly Move[] {
  const query = `SELECT * FROM docs WHERE content = '${story.question.replaceAll("'", "''")}' LIMIT 3;`;
  const list = { tool: "kb_list_tool", tool_input: "", log: "Thought: I will look around.\nAction: kb_list_tool" };
  const search = { tool: "kb_query_tool", tool_input: query, log: "Thought: I will search.\nAction: kb_query_tool" };
  const chunks: unknown[] = [
    { type: "start", prompt: story.question, trace_id: "" },
    { actions: [list], messages: [{ content: list.log }], trace_id: "" },
    stepChunk(list, '["docs"]'),
    { actions: [search], messages: [{ content: search.log }], trace_id: "" },
    stepChunk(search, csvObservation(story.passages ?? onePassage)),
  ];
  if (story.answer !== undefined) {
    chunks.push({ output: story.answer, messages: [{ content: `AI: ${story.answer}` }], trace_id: "" });
  }
  chunks.push({ type: "end" });
  return spaced(chunks, story.between);
}

/** Status prose, one query with its result, the answer, and the end twice. */
export function answers26(story: ScriptedAnswer): readonly Move[] {
  const query = `SELECT * FROM mindsdb.docs WHERE content = '${story.question.replaceAll("'", "''")}' LIMIT 3`;
  const texts = [
    "Generating Data Catalog...",
    "Creating execution plan...",
    "Generating agent response...",
    `Executing exploratory SQL query: ${query}`,
    "Exploratory query 1/20 succeeded",
    `Query result: ${markdownObservation(story.passages ?? onePassage)}`,
    "Generating agent response...",
  ];
  const chunks: unknown[] = texts.map((content) => ({ type: "context", content }));
  if (story.answer === undefined) {
    chunks.push({ type: "error", content: "Agent streaming failed: no answer", trace_id: "" }, { type: "end" });
  } else {
    chunks.push({ type: "context", content: "Returning text response" });
    chunks.push({ type: "data", text: story.answer, trace_id: "" }, { type: "end", trace_id: "" }, { type: "end" });
  }
  return spaced(chunks, story.between);
}

function spaced(chunks: readonly unknown[], between: readonly Move[] = []): readonly Move[] {
  return chunks.flatMap((json, index) => (index === 0 ? [chunk(json)] : [...between, chunk(json)]));
}

function stepChunk(action: unknown, observation: string): unknown {
  return { steps: [{ action, observation }], messages: [{ content: observation }], trace_id: "" };
}

/** CSV in the "excel" dialect, metadata as Python prints it. */
function csvObservation(passages: readonly ScriptedPassage[]): string {
  const columns = ["id", "chunk_id", "chunk_content", "metadata", "distance", "relevance"];
  const rows = passages.map((passage, index) =>
    [`${index}`, `${index}:content:1of1`, passage.content, pythonDict(passage), "0.25", `${0.9 - index / 10}`]
      .map(csvCell)
      .join(","),
  );
  const heading = `Output columns: ${columns.map((column) => `'${column}'`).join(", ")}`;
  return `${heading}\nResult in CSV format (dialect is 'excel'):\n${[columns.join(","), ...rows].join("\r\n")}\r\n`;
}

function markdownObservation(passages: readonly ScriptedPassage[]): string {
  const rows = passages.map(
    ({ content, title, url }, index) =>
      `| ${index} | ${content} | ${title ?? ""} | ${url ?? ""} | ${0.9 - index / 10} |`,
  );
  return ["| id | chunk_content | title | url | relevance |", "|---|---|---|---|---|", ...rows].join("\n");
}

function pythonDict({ title, url }: ScriptedPassage): string {
  const entries = Object.entries({ title, url }).filter(([, value]) => value !== undefined);
  const cells = entries.map(
    ([key, value = ""]) => `'${key}': '${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`,
  );
  return `{${cells.join(", ")}}`;
}

function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
