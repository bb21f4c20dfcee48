/**
 * A service that tells everything it should not, on the real process: whatever it says in failures and steps, no key and
 * no login comes out, neither to people nor into the log.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/document.ts";
import { event, requestsTo } from "../../console/requests.ts";
import { keyIn } from "../../doubles/planted-keys.ts";
import { createParleyProcess } from "../../doubles/processes/parley-process.ts";
import { chunk, type Move, refuse } from "../../doubles/service/scripted-moves.ts";
import { type Play, startScriptedService } from "../../doubles/service/scripted-service.ts";
import { general, openTown, type Town, until, wordsOf } from "../../reliability/towns/slack-town.ts";

const key = "sk-planted-0123456789abcdef";
const serviceToken = "planted-service-secret";

const search = { tool: "kb_query_tool", tool_input: `SELECT '${key}'`, log: `Thought: the key is ${key}` };
const steps: readonly Move[] = [
  chunk({ type: "start", prompt: "", trace_id: "" }),
  chunk({ actions: [search], messages: [], trace_id: "" }),
  chunk({
    steps: [{ action: search, observation: `Error: {'api_key': '${key}'} Authorization: Bearer ${serviceToken}` }],
    messages: [],
    trace_id: "",
  }),
];

const leaky: Readonly<Record<string, Play>> = {
  "an error in the stream": [
    ...steps,
    chunk({ type: "error", content: `Agent failed: Incorrect API key provided: ${key}`, trace_id: "" }),
    chunk({ type: "end" }),
  ],
  "a refusal": refuse(500, "AgentError", `model {'openai_api_key': '${key}'} token=${serviceToken}`),
  "a step's observation": [...steps, chunk({ output: "At two.", messages: [], trace_id: "" }), chunk({ type: "end" })],
};

describe("keys and logins", () => {
  let town: Town;
  let play: Play = [];
  beforeEach(async () => {
    town = await openTown({
      script: () => play,
      service: { token: serviceToken },
      settings: { AGENT_SERVICE_TOKEN: serviceToken, LOG_LEVEL: "debug" },
    });
    await town.parley();
  });
  afterEach(async () => {
    expect(town.slack.violations).toEqual([]);
    await town.close();
  });

  it.for(Object.keys(leaky))("stay inside when they are in %s", async (kind) => {
    play = leaky[kind] ?? [];
    const { ts } = town.slack.person("U0ALICE").mention(general, "When?");
    const text = () => wordsOf(town.replies(ts)[0]);
    await until("its end", () => text().includes("Show steps") || text().includes("Try again"));
    if (text().includes("Show steps")) {
      const alice = town.slack.person("U0ALICE");
      await alice.click(town.replies(ts)[0]?.ts ?? "", "Show steps");
      const note = () => [...town.slack.world.messages.values()].find(({ visibleTo }) => visibleTo === "U0ALICE");
      await until("the steps", () => note() !== undefined);
      await alice.click(note()?.ts ?? "", "Raw");
      await until("the raw steps", () => town.slack.callsTo("views.open").length > 0);
    }

    // What the service is sent is its own: its token in the header, and nothing of it in any body.
    for (const { body } of town.service.requests) expect(keyIn(body)).toBeUndefined();
    const shown = JSON.stringify([town.slack.responses, [...town.slack.world.messages.values()]]);
    expect(keyIn(shown)).toBeUndefined();
    expect(keyIn(town.processes[0]?.output() ?? "")).toBeUndefined();
    expect(town.processes[0]?.output()).toContain('"level"');
  });
});

describe("keys and logins on the page", () => {
  it.for(Object.keys(leaky))("stay inside when they are in %s", async (kind) => {
    const service = await startScriptedService(leaky[kind] ?? [], { token: serviceToken });
    const parley = await createParleyProcess({
      ...{ AGENT_SERVICE_URL: service.url, AGENT_SERVICE_TOKEN: serviceToken, AGENT_DEFAULT: "support" },
      ...{ CONSOLE: "on", LOG_LEVEL: "debug" },
    });
    await parley.start();
    const { events, read, send } = requestsTo(() => parley);
    const question = event({ text: "When?" });

    const streamed = await events(
      "tab-1",
      (received) => /"tone":"(?:failed|done)"/.test(received),
      () => send("POST", "/api/messages", question),
    );
    const [, answer] = await read(question.id);
    const steps = answer.payload.actions.find(({ label }: Action) => label === "Show steps");
    const press = event({ thread: question.id, messageId: answer.id, action: steps?.id, value: steps?.value });
    const note =
      steps === undefined
        ? ""
        : await events(
            "tab-1",
            (received) => received.includes("event: note"),
            () => send("POST", "/api/actions", press),
          );

    expect(note.includes("event: note")).toBe(kind !== "a refusal");
    expect(keyIn(streamed + note + JSON.stringify(await read(question.id)))).toBeUndefined();
    expect(keyIn(parley.output())).toBeUndefined();
    await parley.close();
    await service.close();
  });
});
