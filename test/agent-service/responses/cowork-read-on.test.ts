/** Runs of cowork-server that are read on, and what becomes of those that can't be. */
import { describe, expect, it } from "vitest";
import type { ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import { until, untilAdvanced } from "../../doubles/until.ts";
import { backupAnswer, openCowork, read } from "./open-responses.ts";

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
