/** Streams of servers that mean harm, or are broken: what they cost is limited, and nothing but a ParleyError is thrown. */
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createChatDecoder } from "../../../src/agent-service/chat/stream.ts";
import type { Decoder } from "../../../src/agent-service/http/decoder.ts";
import { createMindsdbDecoder } from "../../../src/agent-service/mindsdb/stream.ts";
import { openAiErrorOf, openAiFailure } from "../../../src/agent-service/openai/errors.ts";
import { withoutRepeats } from "../../../src/agent-service/responses/cowork/stream.ts";
import { createResponsesDecoder } from "../../../src/agent-service/responses/stream.ts";
import { createThoughtSplitter } from "../../../src/agent-service/thoughts/splitter.ts";
import type { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";

const wire = (event: object | string) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;

function decode(decoder: Decoder, ...events: readonly (object | string)[]): readonly AgentEvent[] {
  return [...decoder.push(Buffer.from(events.map(wire).join(""))), ...decoder.end()];
}

const responses = (...events: readonly (object | string)[]) => decode(createResponsesDecoder(), ...events);
const chat = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const of = <T extends AgentEvent["type"]>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const delta = (text: string, part = 0) => ({
  ...{ type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: part, delta: text },
});
const call = (id: string, more: object = {}) => ({ type: "mcp_call", id, name: "look", arguments: "{}", ...more });
const itemDone = (index: number, item: object) => ({
  type: "response.output_item.done",
  output_index: index,
  item,
});
const completed = { type: "response.completed", response: { id: "r", output: [] } };

/** An object inside an object, so deep that no function which calls itself comes to its end. */
const deep = (key: string) => `${`{"${key}":`.repeat(60_000)}1${"}".repeat(60_000)}`;
const refusal = expect.objectContaining({ code: "service_not_understood" }) as ParleyError;

describe("values inside values, without end", () => {
  it.each(["arguments", "output", "error"])("are left out of a step: %s", (field) => {
    const item = JSON.stringify(itemDone(0, { type: "mcp_call", id: "c", name: "look" }));
    const nested = item.replace('"name"', `"${field}":${deep("a")},"name"`);
    const events = responses(nested, delta("At two.", 0), completed);

    expect(of(events, "step-finished")).toHaveLength(1);
    expect(of(events, "ended")).toHaveLength(1);
  });

  it("are left out of the call of a tool in a chat", () => {
    const chunk = JSON.stringify(chat({ tool_calls: [{ index: 0, function: { name: "look" } }] }));
    const events = decode(createChatDecoder(), chunk.replace('"name"', `"arguments":${deep("a")},"name"`), "[DONE]");

    expect(of(events, "step-started")).toMatchObject([{ tool: "look", input: "" }]);
  });

  it("are a failure like any other as an error, in a stream and before one", () => {
    expect(openAiFailure(JSON.parse(deep("error")))).toMatchObject({ code: "run_failed" });
    const parts = { status: 500, body: deep("error"), header: () => undefined, subject: "agent", secrets: [] } as const;
    expect(openAiErrorOf(parts)).toMatchObject({ code: "service_failed" });
  });
});

describe("an answer that changes again and again", () => {
  const long = "x".repeat(3_000_000);
  const charsOf = (events: readonly AgentEvent[]) =>
    of(events, "answer").reduce((sum, { text }) => sum + text.length, 0);

  it("is repeated as a whole a few times only, and at the end", () => {
    const changes = Array.from({ length: 300 }, (_, index) => ({
      ...{ type: "response.output_text.done", item_id: "m", output_index: 0, content_index: 0, text: `${index} ` },
    }));
    const events = responses(delta(long, 1), ...changes, completed);

    expect(charsOf(events)).toBeLessThan(20_000_000);
    expect(of(events, "answer").at(-1)?.text).toBe(`299 ${long}`);
  });

  it("is not repeated behind every tool either", () => {
    const tools = Array.from({ length: 200 }, (_, index) => [
      itemDone(index + 1, { type: "web_search_call", id: `s${index}` }),
      delta("y", 1),
    ]).flat();
    const events = responses(delta("a"), delta(long, 1), ...tools, completed);

    expect(charsOf(events)).toBeLessThan(20_000_000);
    expect(of(events, "answer").at(-1)?.text).toBe(`a${long}${"y".repeat(200)}`);
  });
});

describe("steps without end", () => {
  it("are left out beyond a limit, so that the end of a run doesn't end a million of them", () => {
    const begun = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ type: "response.output_item.added", output_index: index, item: { type: "mcp_call", id: `c${index}` } },
    }));
    const events = responses(...begun, delta("At two."), completed);

    expect(of(events, "step-finished")).toHaveLength(5_000);
    expect(of(events, "ended")).toHaveLength(1);
  });

  it("keep only the beginnings of their results once there are many", () => {
    const output = "result ".repeat(100_000);
    const events = responses(
      ...Array.from({ length: 30 }, (_, index) => itemDone(index, call(`c${index}`, { output }))),
    );
    const lengths = of(events, "step-finished").map(({ observation }) => observation.length);

    expect(lengths).toHaveLength(30);
    expect(lengths[0]).toBe(100_000);
    expect(lengths.at(-1)).toBe(1_000);
  });

  it("keep their own results when their ids differ at the end only", () => {
    const ids = ["a", "b", "c"].map((end) => `${"i".repeat(300)}${end}`);
    const events = responses(...ids.map((id, index) => itemDone(index, call(id, { output: id.slice(-1) }))));
    const finished = of(events, "step-finished");

    expect(finished.map(({ observation }) => observation)).toEqual(["a", "b", "c"]);
    expect(new Set(finished.map(({ id }) => id)).size).toBe(3);
    expect(Math.max(...finished.map(({ id = "" }) => id.length))).toBeLessThanOrEqual(200);
  });

  it("are told apart in a chat although they share an id", () => {
    const calls = [0, 1].map((index) => ({ index, id: "same", function: { name: `tool${index}`, arguments: "{}" } }));
    const events = decode(createChatDecoder(), chat({ tool_calls: calls }), "[DONE]");

    expect(of(events, "step-started").map(({ id, tool }) => [id, tool])).toEqual([
      ["same", "tool0"],
      ["same#2", "tool1"],
    ]);
  });
});

describe("nonsense", () => {
  const decoders = [
    ["a response", () => createResponsesDecoder(), delta("At two.")],
    ["a chat", () => createChatDecoder(), chat({ content: "At two." })],
  ] as const;

  it.each(decoders)("ends the stream of %s after a while, behind what could be read", (_what, create, said) => {
    const decoder = create();
    const events = decoder.push(Buffer.from(wire(said) + wire("{nonsense").repeat(1_000)));

    expect(of(events, "answer-delta")).toMatchObject([{ text: "At two." }]);
    expect(() => decoder.push(Buffer.from(wire(said)))).toThrowError(refusal);
  });

  it.each(decoders)("is not what keeps the connection of %s open", (_what, create, said) => {
    const decoder = create();
    decoder.push(Buffer.from("data:\n\n: waiting\n\n".repeat(2_000)));

    expect(of(decoder.push(Buffer.from(wire(said))), "answer-delta")).toHaveLength(1);
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "as a reason for the end means no cut: %s",
    (reason) => {
      const events = decode(createChatDecoder(), chat({ content: "At two." }, reason), "[DONE]");

      expect(of(events, "answer")).toEqual([]);
      expect(of(events, "ended")).toHaveLength(1);
    },
  );
});

describe("long texts", () => {
  it("of spaces before an answer are read once", () => {
    let text = "";
    const onAnswer = (piece: string) => {
      text += piece;
    };
    const { push, end } = createThoughtSplitter({ onAnswer, onThought: () => {}, onRetract: () => {} });
    push(" ".repeat(4_000_000));
    const start = performance.now();
    for (let index = 0; index < 2_000; index += 1) push(" ");
    // Each piece took milliseconds before.
    expect(performance.now() - start).toBeLessThan(500);
    push("At two.");
    end();

    expect(text).toBe(`${" ".repeat(4_002_000)}At two.`);
  });

  it("before a failure are searched for repetitions up to a length only", () => {
    expect(withoutRepeats("ab".repeat(1_000))).toBe("ab");
    expect(withoutRepeats("ab".repeat(1_000_000))).toHaveLength(2_000_000);
  });
});

describe("a service that repeats its requests", () => {
  const key = "planted-key-0123456789";
  const shown = (events: readonly AgentEvent[]) => inspect(events, { depth: null, showHidden: true });

  it("shows Parley's key in no step, thought, approval or unknown event of a response", () => {
    const said = `Refused with ${key}, said the proxy.`;
    const events = decode(
      createResponsesDecoder({ secrets: [key] }),
      itemDone(0, call("c", { name: key, arguments: said, output: said })),
      itemDone(1, call("d", { error: said })),
      itemDone(2, { type: "reasoning", id: "t", summary: [{ type: "summary_text", text: said }] }),
      itemDone(3, { type: "mcp_approval_request", id: "a", name: key, server_label: "wiki", arguments: said }),
      { type: `acme:${key}`, [key]: 1 },
      completed,
    );

    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["step-finished", "reasoning", "approval-requested", "unknown"]),
    );
    expect(shown(events)).toContain("said the proxy");
    expect(shown(events)).not.toContain("planted");
  });

  it("shows it in no call of a chat either", () => {
    const calls = [{ index: 0, id: "c", function: { name: key, arguments: `said ${key}` } }];
    const secret = createChatDecoder({ secrets: [key] });
    const events = decode(
      secret,
      chat({ reasoning: `said ${key}` }),
      { [key]: 1 },
      chat({ tool_calls: calls }),
      "[DONE]",
    );

    expect(of(events, "step-started")).toHaveLength(1);
    expect(shown(events)).not.toContain("planted");
  });

  it("may say a word that is also its key, as the keys of local servers often are", () => {
    const events = decode(
      createResponsesDecoder({ secrets: ["ollama"] }),
      itemDone(0, call("c", { output: "ollama run" })),
    );

    expect(of(events, "step-finished")).toMatchObject([{ observation: "ollama run" }]);
  });
});

it("counts events that say nothing, because a server that keeps them does too", () => {
  const decoder = createResponsesDecoder();
  const state = (type: string) => ({ type, response: { id: "r", status: "in_progress" } });
  decode(decoder, state("response.created"), state("response.in_progress"), delta("At two."), "nonsense");

  expect(decoder.eventsRead()).toBe(3);
});

describe("events that say nothing", () => {
  it.each([
    ["chat", createChatDecoder],
    ["responses", createResponsesDecoder],
    ["mindsdb", createMindsdbDecoder],
  ])("are never parsed, because a failure to parse takes as long as a hundred small events: %s", (_name, create) => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const events = decode(create(), ...Array.from({ length: 10_000 }, () => ""));

      expect(events).toEqual([]);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });
});

describe("[DONE]", () => {
  it("in the middle of a chat is its end", () => {
    const events = decode(createChatDecoder(), chat({ content: "At two." }), "[DONE]", chat({ content: " More." }));

    expect(of(events, "answer-delta").map(({ text }) => text)).toEqual(["At two."]);
    expect(of(events, "ended")).toHaveLength(1);
  });

  it("in the middle of a response isn't, because its own event follows", () => {
    const events = responses(delta("At "), "[DONE]", delta("two."), completed);

    expect(of(events, "answer-delta").map(({ text }) => text)).toEqual(["At ", "two."]);
    expect(of(events, "ended")).toHaveLength(1);
  });

  it("with a space behind it is no event that couldn't be read", () => {
    const decoder = createChatDecoder();
    decode(decoder, chat({ content: "At two." }), "[DONE] ");

    expect(decoder.skipped()).toBe(0);
    expect(decoder.hasEnded()).toBe(true);
  });
});
