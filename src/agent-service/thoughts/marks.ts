/**
 * The marks with which models write their thoughts into an answer, where a server passes them on as text. From the
 * reasoning parsers of vLLM, SGLang and llama.cpp, and the harmony format of gpt-oss (November 2026).
 */

export type ThoughtMark =
  /** A thought begins, and ends with any closing mark. */
  | "open"
  | "close"
  /** Of harmony: what kind of message follows, its text, and its end. */
  | "header"
  | "message"
  | "end"
  /** Of HTML: more of its tag follows. A title, and the end, which elsewhere are the answer's own. */
  | "details"
  | "details-title"
  | "details-end"
  /** Stands around an answer after a thought, and goes. */
  | "wrapper";

const names = ["think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think", "mm:think"];

export const thoughtMarks: ReadonlyMap<string, ThoughtMark> = new Map<string, ThoughtMark>([
  ...names.flatMap((name): (readonly [string, ThoughtMark])[] => [
    [`<${name}>`, "open"],
    [`<${name} >`, "open"],
    [`</${name}>`, "close"],
    [`</${name} >`, "close"],
  ]),
  // Open WebUI and servers that write for it.
  ['<details type="reasoning"', "details"],
  ["<details type='reasoning'", "details"],
  ["</details>", "details-end"],
  ["<summary>", "details-title"],
  ["</summary>", "details-title"],
  // Mistral's Magistral.
  ["[think]", "open"],
  ["[/think]", "close"],
  // Kimi-VL.
  ["◁think▷", "open"],
  ["◁/think▷", "close"],
  // OpenThinker and Sky-T1.
  ["<|begin_of_thought|>", "open"],
  ["<|end_of_thought|>", "close"],
  ["<|begin_of_solution|>", "wrapper"],
  ["<|end_of_solution|>", "wrapper"],
  // Cohere's Command A.
  ["<|start_thinking|>", "open"],
  ["<|end_thinking|>", "close"],
  ["<|start_response|>", "wrapper"],
  ["<|end_response|>", "wrapper"],
  // Phi, and Gemini's open relatives of medicine.
  ["<|think|>", "open"],
  ["<|/think|>", "close"],
  ["<unused94>thought", "open"],
  ["<unused95>", "close"],
  // GLM's vision models.
  ["<|begin_of_box|>", "wrapper"],
  ["<|end_of_box|>", "wrapper"],
  // The end of a turn in ChatML, Llama and others, where the server doesn't know it as one.
  ["<|im_end|>", "wrapper"],
  ["<|eot_id|>", "wrapper"],
  ["<|eom_id|>", "wrapper"],
  ["<|endoftext|>", "wrapper"],
  ["<|end_of_text|>", "wrapper"],
  ["<end_of_turn>", "wrapper"],
  // Gemma 4.
  ["<|channel>thought", "open"],
  ["<channel|>", "close"],
  // gpt-oss.
  ["<|start|>", "header"],
  ["<|channel|>", "header"],
  ["<|message|>", "message"],
  ["<|end|>", "end"],
  ["<|return|>", "end"],
  ["<|call|>", "end"],
]);

/** Only around what follows a thought: Hunyuan and Granite. Elsewhere they are markup of the answer's own. */
export const answerTags: ReadonlySet<string> = new Set(["<answer>", "</answer>", "<response>", "</response>"]);

const all = [...thoughtMarks.keys(), ...answerTags];
/** The first characters of marks. None of them comes again inside of one. */
const firstChar = /[<[◁]/g;
const beginnings: ReadonlySet<string> = new Set(
  all.flatMap((mark) => Array.from(mark, (_, index) => mark.slice(0, index + 1))),
);

/** Where the next mark may begin; the text's length if nowhere. */
export function nextFirstChar(text: string, from: number): number {
  firstChar.lastIndex = from;
  return firstChar.exec(text)?.index ?? text.length;
}

/** Whether a mark may begin like this. In any case: `[THINK]`. */
export function mayBeMark(text: string): boolean {
  return beginnings.has(text.toLowerCase());
}
