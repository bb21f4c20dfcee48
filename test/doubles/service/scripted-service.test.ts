/** The double must be as strict and as breakable as it says: tests of other rooms rest on it. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createMindsdbService } from "../../../src/agent-service/mindsdb/request.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { answers25, answers26 } from "./scripted-answers.ts";
import { chunk, cut, flood, gate, html, pause, plain, raw, refuse, silence } from "./scripted-moves.ts";
import { type Script, type ScriptedOptions, startScriptedService } from "./scripted-service.ts";

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function scripted(script: Script, options: ScriptedOptions = {}) {
  const service = await startScriptedService(script, options);
  const client = createMindsdbService({
    baseUrl: service.url,
    clock: systemClock,
    log,
    limits: { maxChunkBytes: 1 << 20 },
  });
  onTestFinished(async () => {
    await service.close();
    await client.close();
  });
  /** What arrived, and the code of what was thrown, if anything was. */
  const ask = async (question: string, signal?: AbortSignal) => {
    const events: AgentEvent[] = [];
    const messages = [{ question, answer: "" }];
    try {
      const run = client.ask("mindsdb", "support", messages, signal === undefined ? {} : { signal });
      for await (const event of run) events.push(event);
      return { events, code: undefined };
    } catch (thrown) {
      return { events, code: (thrown as { code?: string }).code };
    }
  };
  return { service, client, ask };
}

describe("the scripted service", () => {
  it.each([
    ["25.9.1.2", "25.x", answers25],
    ["26.1.0", "26.x", answers26],
  ] as const)("answers as %s does", async (version, generation, answers) => {
    const { client, ask } = await scripted((run) => answers({ question: run.question, answer: "At two." }), {
      version,
    });

    const { events } = await ask("When does the backup run?");

    expect((await client.profile()).generation).toBe(generation);
    expect(events.filter((event) => event.type === "step-finished").at(-1)).toMatchObject({
      outcome: { kind: "passages", count: 1 },
      sources: [{ title: "Backups", url: "https://docs.example.com/backups" }],
    });
    expect(events.slice(-2)).toEqual([{ type: "answer", text: "At two." }, { type: "ended" }]);
  });

  it("holds runs at a gate, counts them, and lets through as many as the test says", async () => {
    const { service, ask } = await scripted([
      chunk({ type: "start" }),
      gate(),
      chunk({ output: "x" }),
      chunk({ type: "end" }),
    ]);

    const asked = [ask("one"), ask("two"), ask("three")];
    await service.started(3);
    service.release("", 3);
    await Promise.all(asked);
    await service.idle();

    expect(service.runs).toEqual({ atOnce: 0, most: 3, started: 3, left: 0 });
  });

  it.each([
    ["a cut", [chunk({ output: "half" }), cut()], "stream_cut"],
    ["an endless chunk", [flood(4 << 20)], "answer_too_large"],
    ["a 409", refuse(409, "Agent already exists", "x"), "name_taken"],
    ["a 500", refuse(500, "ModelHTTPError", "x"), "model_unavailable"],
    ["HTML", html(502), "service_unreachable"],
  ] as const)("breaks by %s", async (_, script, code) => {
    const { ask } = await scripted(script);

    expect((await ask("x")).code).toBe(code);
  });

  it("keeps what was written before a cut", async () => {
    const { ask } = await scripted([chunk({ output: "half" }), cut()]);

    expect((await ask("x")).events).toContainEqual({ type: "answer", text: "half" });
  });

  it("sends bytes as they are", async () => {
    const { ask } = await scripted([
      raw("data: {broken\n\n"),
      pause(1),
      raw('data: {"type": "end"}\r\n'),
      raw("data: more"),
    ]);

    expect((await ask("x")).events.map((event) => event.type)).toEqual(["started", "ended"]);
  });

  it("is silent until the client leaves, and knows that it left", async () => {
    const { service, ask } = await scripted([silence()]);
    const stop = new AbortController();

    const asked = ask("x", stop.signal);
    await service.started(1);
    stop.abort();
    await asked;
    await service.idle();

    expect(service.runs.left).toBe(1);
  });

  it("answers plainly only where the script says so", async () => {
    const { service, client } = await scripted(plain("At two."));
    const messages = [{ question: "x", answer: "" }];

    expect(await client.askPlain("mindsdb", "support", messages)).toBe("At two.");
    service.play([chunk({ output: "x" })]);
    await expect(client.askPlain("mindsdb", "support", messages)).rejects.toThrow("service_failed");
  });

  it("refuses connections and accepts them again at the same URL", async () => {
    const { service, client } = await scripted([]);

    await service.refuseConnections();
    await expect(client.status()).rejects.toThrow("service_unreachable");
    await service.acceptConnections();

    expect((await client.status()).version).toBe("25.9.1.2");
  });

  it("refuses unknown agents, projects and tokens", async () => {
    const { client, service } = await scripted([], { token: "secret" });
    const open = await startScriptedService([]);
    onTestFinished(open.close);
    const free = createMindsdbService({ baseUrl: open.url, clock: systemClock, log });
    const run = (project: string, agent: string) =>
      free
        .ask(project, agent, [{ question: "x", answer: "" }])
        [Symbol.asyncIterator]()
        .next();

    await expect(client.listAgents("mindsdb")).rejects.toThrow("not_authorised");
    await expect(run("mindsdb", "nobody")).rejects.toThrow("agent_not_found");
    await expect(run("nowhere", "support")).rejects.toThrow("project_not_found");
    expect(service.requests.map((request) => request.path)).toContain("/api/projects/mindsdb/agents");
    await free.close();
  });
});
