/**
 * Parses the prose in which 26.x reports its steps. Fixed texts become steps; any other text is the agent's own words
 * and is shown. Messages about the service itself (catalogs, counters) are of no use to people and are dropped.
 */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { cut } from "../../http/cut.ts";
import { redactInternals, redactSecrets } from "../../http/redaction.ts";

/** 26.x doesn't name tools: every step is a query. */
const queryTool = "sql_query";

const stepPrefixes = ["Executing exploratory SQL query: ", "Executing final SQL query: "];
const resultPrefix = "Query result: ";
const failurePrefix = "Error executing SQL query: ";
const planPrefix = "Proposed Execution Plan:";
const statuses = new Set(["Creating execution plan...", "Generating agent response..."]);
const silentPattern =
  /^(?:Generating Data Catalog\.\.\.|Returning text response|Exploratory query \d+\/\d+ succeeded)$/;
/** Failures reported between steps may hold SQL, host paths and raw model errors, so they are never shown. */
const failurePattern = /^(?:Error\b|Traceback\b|Failed to\b)/;

type StepEvent = Extract<AgentEvent, { type: "step-finished" }>;
export type StepFinished = (step: { tool?: string; input?: string; observation: string }) => StepEvent;

export type ProseReader = (text: string) => readonly AgentEvent[];

/** Remembers the running query and the reasoning before it. One reader per stream. */
export function createProseReader(finished: StepFinished): ProseReader {
  let runningQuery: string | undefined;
  let reasoning: string | undefined;

  function finish(observation: string): readonly AgentEvent[] {
    const event = finished({ tool: queryTool, input: runningQuery, observation });
    runningQuery = undefined;
    return [event];
  }

  const failed = (said: string) => finish(`Error: ${redactInternals(cut(said, runLimits.reasoning).text)}`);

  return (text) => {
    if (text.startsWith(resultPrefix)) return finish(text.slice(resultPrefix.length));
    if (text.startsWith(failurePrefix)) return failed(text.slice(failurePrefix.length));
    const stepPrefix = stepPrefixes.find((prefix) => text.startsWith(prefix));
    if (stepPrefix !== undefined) {
      const query = cut(text.slice(stepPrefix.length), runLimits.input);
      runningQuery = redactSecrets(query.text);
      const started = {
        type: "step-started" as const,
        tool: queryTool,
        input: runningQuery,
        inputOmittedChars: query.omitted || undefined,
        reasoning,
      };
      reasoning = undefined;
      return [started];
    }
    if (silentPattern.test(text)) return [];
    if (statuses.has(text)) {
      reasoning = undefined;
      return [{ type: "status", text }];
    }
    if (failurePattern.test(text)) return [{ type: "unknown", kind: "context failure" }];
    const said = cut(text, runLimits.reasoning).text;
    const words = redactSecrets(said.startsWith(planPrefix) ? planOf(said) : said.trim());
    if (words === "") return [];
    reasoning = words;
    return [{ type: "reasoning", text: words.slice(0, runLimits.status) }];
  };
}

function planOf(text: string): string {
  return text
    .slice(planPrefix.length)
    .replace(/(?<!\n)\n+Estimated steps: \d+\s*$/, "")
    .trim();
}
