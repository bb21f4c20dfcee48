/** Runs of cowork-server that are read on, and what becomes of those that can't be. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import { until, untilAdvanced } from "../../doubles/until.ts";
import { backupAnswer, openClient, openCowork, read } from "./open-responses.ts";

const asked = (turnId: string, question: string): ServiceMessage => ({ turnId, question, answer: "" });
const before: ServiceMessage = { turnId: "a", question: "When?", answer: backupAnswer };

async function leftInConversation(question: string) {
  const { server, service, clock } = await openCowork({ wordMs: 1 });
  const first = await read(service.ask("general", "anton", [asked("a", "When?")]));
  const thread = first.last("thread")?.thread ?? {};
  const messages = [before, asked("b", question)];
  const left = await read(
    service.ask("general", "anton", messages, { thread }),
    (event) => event.type === "answer-delta",
  );
  // Parley has shut down in an orderly way: the question begins where it began before.
  const again = { resume: left.last("run")?.run ?? {}, thread };
  return { server, service, clock, messages, again, conversation: thread["conversation"] ?? "" };
}

describe("a run in an earlier conversation of cowork-server", () => {
  it("is asked again in another one if the server has lost it, and the old one is deleted", async () => {
    const { server, service, messages, again, conversation } = await leftInConversation("slow");
    server.restart();
    const seen = await read(service.ask("general", "anton", messages, again));

    expect(seen.error).toBeUndefined();
    expect(seen.answer()).toMatch(/word59$/);
    expect(server.lost).toEqual([]);
    expect(seen.last("thread")?.thread).toMatchObject({ turns: "a b" });
    await until("the old one is deleted", () => !server.conversations().includes(conversation));
  });

  it("is read to its end half an hour later, without a second run", async () => {
    const { server, service, clock, messages, again } = await leftInConversation("slow");
    await until("the run has ended there", () => server.running() === 0);
    await clock.advance(30 * 60_000);
    const seen = await read(service.ask("general", "anton", messages, again));

    expect(seen.error).toBeUndefined();
    expect(seen.answer()).toBe(Array.from({ length: 60 }, (_, at) => `word${at}`).join(" "));
    expect(server.calls.filter(({ method, path }) => method === "POST" && path === "/api/v1/responses/")).toHaveLength(
      2,
    );
  });

  it("is cancelled when it is read on and silent for too long", async () => {
    const { server, service, clock, messages, again } = await leftInConversation("hang");
    const events = service.ask("general", "anton", messages, again)[Symbol.asyncIterator]();
    while ((await events.next()).value?.type !== "answer-delta");
    const rest = read({ [Symbol.asyncIterator]: () => events });
    await untilAdvanced(clock, "the run is cancelled", () => server.running() === 0, 10_000);

    expect((await rest).error?.code).toBe("stream_silent");
  });

  it("is read on once more when the connection breaks while it is read on", async () => {
    const { server, service, messages, again } = await leftInConversation("slow");
    let hasDropped = false;
    const seen = await read(service.ask("general", "anton", messages, again), (event) => {
      if (!hasDropped && event.type === "answer-delta" && event.text.startsWith("word5")) {
        hasDropped = true;
        server.dropConnections();
      }
      return false;
    });

    expect(hasDropped).toBe(true);
    expect(seen.error).toBeUndefined();
    expect(seen.answer()).toBe(Array.from({ length: 60 }, (_, at) => `word${at}`).join(" "));
  });
});

it("a run that is named only after its first connection broke is kept with its conversation, too", async () => {
  const created = { type: "response.created", response: { id: "resp-1" }, conversation_id: "kept-there" };
  const ended = { type: "response.completed", response: { id: "resp-1", output: [] }, conversation_id: "kept-there" };
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (url.startsWith("/health")) return response.end(JSON.stringify({ mode: "anton", config_ready: true }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (url.startsWith("/responses/tail")) {
      return response.end([created, ended].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    }
    return response.write('data: {"type":"keepalive"}\n\n', () => setImmediate(() => response.destroy()));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { service } = openClient({
    baseUrl: `http://127.0.0.1:${port}`,
    server: { generation: "cowork", version: "2.26" },
  });

  const seen = await read(service.ask("general", "anton", [asked("a", "When?")]));

  expect(seen.last("thread")?.thread).toMatchObject({ conversation: "kept-there" });
  expect(seen.last("run")?.run).toEqual({ conversation: "kept-there", response: "resp-1" });
});
