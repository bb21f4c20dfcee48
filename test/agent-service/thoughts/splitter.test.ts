/** Thoughts in every form that servers send, apart from the answer, however the text comes in pieces. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThoughtSplitter } from "../../../src/agent-service/thoughts/splitter.ts";

function split(...pieces: readonly string[]) {
  const found = { answer: "", thought: "", retracts: 0 };
  const splitter = createThoughtSplitter({
    onAnswer: (text) => {
      found.answer += text;
    },
    onThought: (text) => {
      found.thought += text;
    },
    onRetract: () => {
      found.retracts += 1;
      found.answer = "";
    },
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return found;
}

const pairs = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|channel>thought", "<channel|>"],
] as const;

describe.each(pairs)("%s", (open, close) => {
  it.each([
    [`${open}Hm.${close}Blue.`, "Blue.", "Hm."],
    [`\n${open}\nHm.\n${close}\n\nBlue.`, "Blue.", "\nHm.\n"],
    [`Hm, let me see.\n${close}\n\nBlue.`, "Blue.", "Hm, let me see.\n"],
    [`${open}Hm.`, "", "Hm."],
    [`${open}${close}Blue.`, "Blue.", ""],
    [`${open}Hm.${close}Blue.\n${open}Again.${close}\nRed.`, "Blue.\n\nRed.", "Hm.Again."],
    [`Blue ${open}not red${close} is it.`, "Blue  is it.", "not red"],
    [`The mark \`${open}\` and \`${close}\` here.`, `The mark \`${open}\` and \`${close}\` here.`, ""],
    [`So:\n\n\`\`\`\n${open}x${close}\n\`\`\`\nDone.`, `So:\n\n\`\`\`\n${open}x${close}\n\`\`\`\nDone.`, ""],
  ])("is apart in %j", (text, answer, thought) => {
    for (let at = 0; at <= text.length; at += 1) {
      expect(split(text.slice(0, at), text.slice(at))).toMatchObject({ answer, thought });
    }
    expect(split(...text)).toMatchObject({ answer, thought });
  });
});

describe("harmony", () => {
  const analysis = "<|channel|>analysis<|message|>The person asks.<|end|>";
  const call = "<|start|>assistant<|channel|>commentary to=functions.find <|constrain|>json<|message|>{}<|call|>";
  const final = "<|start|>assistant<|channel|>final<|message|>Blue.";

  it.each([
    [`${analysis}${final}<|return|>`, "Blue.", "The person asks."],
    [`<|start|>assistant${analysis}${final}`, "Blue.", "The person asks."],
    [`${analysis}${call}${final}<|end|>`, "Blue.", "The person asks.{}"],
    [`${analysis}`, "", "The person asks."],
    [`<|channel|>analysis<|message|>No end.${final}`, "Blue.", "No end."],
    ["<|channel|>final<|message|>Blue.", "Blue.", ""],
    ["analysisThe person asks.assistantfinalBlue.", "Blue.", "The person asks."],
  ])("shows the final message of %j alone", (text, answer, thought) => {
    for (let at = 0; at <= text.length; at += 1) {
      expect(split(text.slice(0, at), text.slice(at))).toMatchObject({ answer, thought });
    }
  });
});

describe("details of type reasoning", () => {
  const details = (attributes: string, thought: string) => `<details ${attributes}>${thought}</details>`;

  it.each([
    [`${details('type="reasoning"', "Hm.")}Blue.`, "Blue.", "Hm."],
    [`\n${details('type="reasoning" done="true" duration="3"', "\nHm.\n")}\nBlue.`, "Blue.", "\nHm.\n"],
    [
      `${details("type='reasoning'", "<summary>Thought for 3 seconds</summary>\n> Hm.")}Blue.`,
      "Blue.",
      "Thought for 3 seconds\n> Hm.",
    ],
    ['<details type="reasoning" done="false">Hm.', "", "Hm."],
    [`Blue.\n${details('Type="Reasoning"', "Hm.")}\nRed.`, "Blue.\n\nRed.", "Hm."],
    [`${details('type="reasoning"', "a </think> b")}Blue.`, "Blue.", "a </think> b"],
    ["<details><summary>More</summary>Blue.</details>", "<details><summary>More</summary>Blue.</details>", ""],
    ['<details type="note">Blue.</details>', '<details type="note">Blue.</details>', ""],
    ['So write <details type="reasoning"> there.', 'So write <details type="reasoning"> there.', ""],
    ['The mark `<details type="reasoning">` here.', 'The mark `<details type="reasoning">` here.', ""],
    [`<details type="reasoning" ${"x".repeat(300)}`, `<details type="reasoning" ${"x".repeat(300)}`, ""],
  ])("are apart in %j", (text, answer, thought) => {
    for (let at = 0; at <= text.length; at += 1) {
      expect(split(text.slice(0, at), text.slice(at))).toMatchObject({ answer, thought });
    }
    expect(split(...text)).toMatchObject({ answer, thought });
  });
});

describe("an answer", () => {
  it.each([
    "analysis of the data",
    "Analysis: blue",
    "analysis",
    "analysisX without an end",
    "Found <think> in the text.",
    "1 < 2 and [x] and a<b>c",
    "<|channel|> is a token of harmony.",
    "`<|start|>assistant<|channel|>final<|message|>`",
    "<answer>42</answer> is my format",
    "<thi",
    "   spaces",
  ])("that only looks like a thought stays: %j", (text) => {
    for (let at = 0; at <= text.length; at += 1) {
      expect(split(text.slice(0, at), text.slice(at)).answer).toBe(text);
    }
  });

  it("loses the marks that stand around it after a thought", () => {
    expect(split("<think>\nHm.</think>\n<answer>\nBlue.\n</answer>").answer).toBe("Blue.\n");
    expect(split("<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Blue.<|END_RESPONSE|>").answer).toBe("Blue.");
  });

  it("is retracted once when only the closing mark was written", () => {
    expect(split("Hm, let me ", "see.\n</thi", "nk>\n\nBlue.")).toMatchObject({ answer: "Blue.", retracts: 1 });
  });
});

const bits = [...pairs.flat(), "<|channel|>", "final", "analysis", "<|message|>", "<|end|>", "<", "[", "`", "\n", "a "];

it("is the same however the text comes in pieces, and loses nothing without marks", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom(...bits), { maxLength: 6 }), { maxLength: 8 }), (parts) => {
      const pieces = parts.map((part) => part.join(""));
      const { answer, thought } = split(pieces.join(""));
      expect(split(...pieces)).toMatchObject({ answer, thought });
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const plain = text.replace(/[<[◁]|^\s*a/g, "");
      expect(split(plain)).toEqual({ answer: plain, thought: "", retracts: 0 });
    }),
  );
});

describe("a thought in another", () => {
  it.each([
    ["<think>a <think>b</think> c</think>\n\nBlue.", "Blue."],
    ["<think>a <think>b <think>c</think> d</think> e</think>Blue.", "Blue."],
    ["<think>the tag <think> opens it</think>Blue.", "Blue."],
    ["[THINK]a [THINK]b[/THINK] c[/THINK]Blue.", "Blue."],
  ])("is apart in %j", (text, answer) => {
    for (const pieces of [[text], Array.from(text)]) expect(split(...pieces).answer).toBe(answer);
  });
});

describe("harmony without the end of a message", () => {
  it.each([
    "<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>Blue.",
    "<|channel|>analysis<|message|>Hm.<|start|>assistant<|channel|>final<|message|>Blue.",
    "<|channel|>analysis<|message|>Hm.<|channel|>commentary<|message|>So.<|channel|>final<|message|>Blue.",
  ])("shows the final message of %j", (text) => {
    for (const pieces of [[text], Array.from(text)]) expect(split(...pieces).answer).toBe("Blue.");
  });
});

it.each([
  "Blue.<|im_end|>",
  "Blue.<|eot_id|>",
  "Blue.<|endoftext|>",
  "Blue.<end_of_turn>",
  "<think>Hm.</think><|begin_of_box|>Blue.<|end_of_box|>",
  "<|think|>Hm.<|/think|>Blue.",
  "<unused94>thought\nHm.<unused95>Blue.",
])("no mark of the model's own is left of %j", (text) => {
  for (const pieces of [[text], Array.from(text)]) expect(split(...pieces).answer).toBe("Blue.");
});

it("keeps such marks in code", () => {
  const text = "Stop at `<|im_end|>`.\n\n```\n<|eot_id|>\n```";
  expect(split(text).answer).toBe(text);
});
