/** Thoughts are apart from the answer in the streams of every dialect. */
import { describe, expect, it } from "vitest";
import { createChatDecoder } from "../../../src/agent-service/chat/stream.ts";
import type { Decoder } from "../../../src/agent-service/http/decoder.ts";
import { createMindsdbDecoder } from "../../../src/agent-service/mindsdb/stream.ts";
import { createResponsesDecoder } from "../../../src/agent-service/responses/stream.ts";
import { conclude, initialView, reduce } from "../../../src/bridge/turn/view.ts";
import type { TurnView } from "../../../src/core/model/turn.ts";

const wire = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`;
const message = (text: string) => ({
  ...{ id: "m1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});

const dialects: Readonly<Record<string, { decoder: () => Decoder; stream: (pieces: readonly string[]) => string }>> = {
  "the service of the API, whole": {
    decoder: createMindsdbDecoder,
    stream: (pieces) => wire({ output: pieces.join(""), messages: [] }) + wire({ type: "end" }),
  },
  "Chat Completions": {
    decoder: createChatDecoder,
    stream: (pieces) =>
      pieces.map((content) => wire({ choices: [{ index: 0, delta: { content } }] })).join("") +
      wire({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      "data: [DONE]\n\n",
  },
  "Chat Completions with sources": {
    decoder: createChatDecoder,
    stream: (pieces) =>
      pieces.map((content) => wire({ choices: [{ index: 0, delta: { content } }] })).join("") +
      wire({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], citations: ["https://x.example/a"] }) +
      "data: [DONE]\n\n",
  },
  Responses: {
    decoder: createResponsesDecoder,
    stream: (pieces) =>
      pieces
        .map((delta) => wire({ type: "response.output_text.delta", item_id: "m1", output_index: 0, delta }))
        .join("") + wire({ type: "response.completed", response: { id: "r1", output: [message(pieces.join(""))] } }),
  },
  "Responses, whole": {
    decoder: createResponsesDecoder,
    stream: (pieces) =>
      wire({ type: "response.completed", response: { id: "r1", output: [message(pieces.join(""))] } }),
  },
};

function concluded(name: string, pieces: readonly string[]) {
  const { decoder: create, stream } = dialects[name] as (typeof dialects)[string];
  const decoder = create();
  const events = [...decoder.push(Buffer.from(stream(pieces))), ...decoder.end()];
  const begin = initialView({ id: "t1", ref: "k3f9", question: "Colour?", agent: "guide" });
  const view: TurnView = conclude(
    events.reduce((before, event) => reduce(before, event, 1_000), begin),
    2_000,
  );
  return { view, thoughts: events.flatMap((event) => (event.type === "reasoning" ? [event.text] : [])) };
}

describe.each(Object.keys(dialects))("%s", (name) => {
  it.each([
    ["<think>Hm.</think>Blue."],
    ["<thi", "nk>H", "m.</", "think>\n", "\nBlue."],
    ["<think ", ">Hm.</think", " >Blue."],
    ["Hm.\n", "</thi", "nk>\n\nBlue."],
    ['<details type="reas', 'oning" done="true">Hm.</det', "ails>\nBlue."],
    ["<|channel|>analysis<|message|>Hm.<|end|>", "<|start|>assistant<|channel|>final<|mess", "age|>Blue."],
  ])("shows the answer of %j… alone, and tells the thought once", (...pieces) => {
    const { view, thoughts } = concluded(name, pieces);

    expect(view).toMatchObject({ state: "answered", answer: "Blue." });
    expect(thoughts).toEqual(["Hm."]);
  });

  it("takes a thought alone for no answer", () => {
    expect(concluded(name, ["<think>Hm.", "</think>"]).view).toMatchObject({
      state: "failed",
      error: { code: "no_answer" },
    });
  });
});
