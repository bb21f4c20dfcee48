import { afterEach, describe, expect, it } from "vitest";
import { type AgentServiceOptions, createAgentService } from "../../../src/agent-service/agent-service.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { failure, question, serve } from "../open-service.ts";
import type { Answer } from "../real-server.ts";
import * as servers from "./servers.ts";

const { routed, gives } = servers;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(answer: Answer, options: Partial<AgentServiceOptions> = {}) {
  const server = await serve(answer);
  const service = createAgentService({ baseUrl: server.url, clock: createFakeClock(), log: silentLog, ...options });
  closers.push(service.close);
  return { server, service };
}

/** A streamed answer of Chat Completions. */
const says =
  (words: string): Parameters<typeof servers.routed>[0][string] =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { choices: [{ index: 0, delta: { content: words }, finish_reason: null }] };
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  };

async function eventsOf(run: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

describe("an agent service at a URL", () => {
  it("is asked in the API that it has, and its profile says how that was found", async () => {
    const { service } = await open(
      routed({
        "GET /v1/models": servers.models,
        "POST /v1/chat/completions": (response, asked) =>
          (asked.body === "{" ? servers.unreadable : says("At two."))(response, asked),
      }),
    );

    expect(await service.profile()).toMatchObject({ dialect: "chat", foundBy: "/v1/models" });
    expect((await service.listAgents("any")).map(({ name }) => name)).toEqual(["support"]);
    expect(await eventsOf(service.ask("any", "support", question))).toContainEqual(
      expect.objectContaining({ text: "At two." }),
    );
  });

  it("is MindsDB until another server takes its place, which the next question after a failure is asked of", async () => {
    let routes: servers.Routes = {
      ...servers.mindsdb,
      "POST /api/projects/mindsdb/agents/support/completions/stream": gives(404, { title: "Agent not found" }),
    };
    const { service } = await open((asked, response, request) => routed(routes)(asked, response, request));
    expect((await service.status()).dialect).toBe("mindsdb");
    routes = { ...servers.chatAlone, "POST /v1/chat/completions": says("At two.") };

    const error = await failure(eventsOf(service.ask("mindsdb", "support", question)));
    expect(error.code).toBe("service_not_understood");

    expect(await eventsOf(service.ask("mindsdb", "support", question))).toContainEqual(
      expect.objectContaining({ text: "At two." }),
    );
    expect((await service.profile()).dialect).toBe("chat");
  });

  it("is noticed to be another one by the probe alone", async () => {
    let routes: servers.Routes = servers.mindsdb;
    const { service } = await open((asked, response, request) => routed(routes)(asked, response, request));
    await service.status();
    routes = servers.chatAlone;

    expect((await service.status()).dialect).toBe("chat");
  });

  it("that is no agent service says what was tried, again and again", async () => {
    const { service } = await open((_, response) => void response.end("<html>Welcome</html>"));

    for (const call of [service.profile, service.status, () => service.listAgents("any")]) {
      expect((await failure(call())).hint).toContain("/v1/models");
    }
  });

  it("gets no ids that another kind of service gave, and cancels nothing by them", async () => {
    const { service, server } = await open(
      routed({
        "GET /v1/models": servers.models,
        "POST /v1/chat/completions": (response, asked) =>
          (asked.body === "{" ? servers.unreadable : says("At two."))(response, asked),
      }),
    );
    const foreign = { conversation: "c1", by: "responses/cowork" };

    await eventsOf(service.ask("any", "support", question, { thread: foreign, resume: foreign }));

    expect(await service.cancel?.(foreign)).toBe("unknown");
    await service.forgetThread?.(foreign);
    expect(JSON.stringify(server.asked)).not.toContain("c1");
  });
});
