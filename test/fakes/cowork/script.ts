/**
 * What the agent of the scripted cowork-server does with a question. Words in it switch that:
 *
 * - failures: "fail mid" repeats its beginning, then fails · "rate limit", "bad key", "too long", "drop" and "fail" are
 *   completed answers that are really errors · "cut mid", "filter" half an answer, completed · "empty", "refuse" no text
 * - time: "slow" 60 words · "hang" silent after three words
 * - content: "think" · "history" tells the earlier texts of the conversation, and the lines of the
 *   question before its last one, where the words that switch stand
 * - tools: "tool scratchpad CODE", "tool memorize", "tool recall_skill", "tool create_artifact", "tool NAME" · "say first"
 *   words before the tool
 */

export type Json = Readonly<Record<string, unknown>>;

/** An event without its place in the stream; a text is a piece of the answer. */
export type Emission = string | Json;

export type Script = {
  readonly emissions: readonly Emission[];
  readonly ends: "completed" | "failed" | "hangs";
};

const answer = "The backup runs every night at two o'clock and keeps thirty copies.";

const failures: readonly (readonly [RegExp, string])[] = [
  [/rate limit/, "The model provider is rate-limiting requests."],
  [/bad key/, "Invalid API key — check your OpenAI API key configuration."],
  [/too long/, "Error code: 400 - This model's maximum context length is 8192 tokens."],
  [/drop/, "Could not reach the model provider — check your connection or try again in a moment."],
  [/fail/, "The model provider is momentarily overloaded."],
];

export function scriptOf(input: string, conversation: readonly string[]): Script {
  // What stands before the last line was said earlier.
  const lines = input.trimEnd().split("\n");
  const question = lines.at(-1) ?? "";
  const earlier = [...conversation, ...lines.slice(0, -1).filter((line) => line !== "")];
  const beginning = wordsOf("The backup runs ");
  if (/fail mid/.test(question)) {
    return { emissions: [...beginning, ...beginning, ...beginning, ...beginning], ends: "failed" };
  }
  if (/hang/.test(question)) return { emissions: beginning, ends: "hangs" };
  const failure = failures.find(([words]) => words.test(question));
  if (failure !== undefined) {
    const text = `An unexpected error occurred: ${failure[1]}. Please try again or rephrase your request.`;
    return { emissions: [text], ends: "completed" };
  }
  const first = /say first/.test(question) ? wordsOf("I will look that up.") : [];
  const emissions = [...first, ...thoughts(question), ...toolsOf(question), ...wordsOf(textOf(question, earlier))];
  return { emissions, ends: "completed" };
}

function textOf(question: string, earlier: readonly string[]): string {
  if (/empty|refuse/.test(question)) return "";
  if (/cut mid|filter/.test(question)) return "The backup runs ";
  if (/slow/.test(question)) return Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
  if (/history/.test(question)) return `Earlier: ${earlier.join(" / ")}`;
  return answer;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function thoughts(question: string): readonly Json[] {
  if (!/think/.test(question)) return [];
  return wordsOf("The person asks about backups. I will look at the handbook first.").map((content) => ({
    thought_role: "thought.progress",
    content,
    subtype: "reasoning",
  }));
}

function toolsOf(question: string): readonly Json[] {
  const [, tool, input = "{}"] = /tool (\w+)(?: (.+))?/.exec(question) ?? [];
  if (tool === undefined) return [];
  const id = `call_${tool}`;
  const running = { thought_role: "thought.progress", phase: "tool_start", message: tool, tool_use_id: "" };
  const start = { ...running, content: `tool_start: ${tool}` };
  if (tool === "memorize" || tool === "recall_skill") {
    const role = tool === "memorize" ? "memorize" : "recall";
    return [
      { thought_role: `thought.${role}.start`, content: tool, tool_use_id: id },
      { thought_role: `thought.${role}.end`, content: input, tool_use_id: id },
      start,
    ];
  }
  if (tool !== "scratchpad") {
    return [
      { thought_role: "thought.progress", content: tool, tool_use_id: id },
      { thought_role: "thought.progress", content: input, tool_use_id: id },
      start,
    ];
  }
  const isBroken = /1\/0/.test(input);
  const cell = {
    code: input,
    stdout: isBroken ? "" : "42\n",
    stderr: "",
    error: isBroken ? "ZeroDivisionError" : null,
  };
  return [
    { thought_role: "thought.scratchpad.start", content: tool, tool_use_id: id },
    { thought_role: "thought.scratchpad.end", content: JSON.stringify({ code: input }), tool_use_id: id },
    {
      thought_role: "thought.scratchpad.result",
      content: JSON.stringify(cell),
      tool_name: tool,
      tool_use_id: id,
      cell_status: isBroken ? "error" : "ok",
    },
  ];
}
