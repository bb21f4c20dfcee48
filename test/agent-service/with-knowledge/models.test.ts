/** The dialects whose agents are models, with Parley's knowledge bases beside them: what the server gets and sends. */
import { expect, it, onTestFinished } from "vitest";
import { createAgentService, createServiceWithKnowledge } from "../../../src/agent-service/agent-service.ts";
import { searchText } from "../../../src/agent-service/built-in/answering/question.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { Dialect, ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { project } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { startModelServer } from "../../fakes/model-server/index.ts";
import { running } from "../built-in/running.ts";
import { keptBases } from "./room.ts";

it.each<[Dialect, "openai" | "litellm"]>([
  ["responses", "openai"],
  ["responses", "litellm"],
  ["chat", "openai"],
  ["chat", "litellm"],
])("a model behind %s of %s gets the passages, and its answer their source", async (kind, as) => {
  const models = await startModelServer({
    ...{ as, models: ["fast"] },
    script: ({ question }) => ({ text: question.includes("\n> ") ? "At dusk [1]." : "Nobody told me." }),
  });
  onTestFinished(models.close);
  const local = await running();
  const { root: baseUrl, key: token } = models;
  const service = createServiceWithKnowledge({
    main: createAgentService({ kind, baseUrl, token, clock, log }),
    knowledge: async () => ({ service: local.client, searchText, covers: local.client.coversIn }),
    store: keptBases(),
    log,
  });
  onTestFinished(service.close);
  const ask = async (messages: readonly ServiceMessage[]): Promise<readonly AgentEvent[]> => {
    const events: AgentEvent[] = [];
    for await (const event of service.ask(project, "fast", messages)) events.push(event);
    return events;
  };
  const question = "When is the lamp lit?";

  expect((await service.profile()).offers).toEqual(expect.arrayContaining(["knowledge-bases", "agent-bases"]));
  expect((await service.profile()).offers).not.toContain("agent-changes");
  await service.createKnowledgeBase(project, { name: "lights" });
  const rows = [{ id: "1", title: "The lamp", content: "The lamp is lit at dusk.", url: "https://example.com/lamp" }];
  await service.insert(project, "lights", { rows });
  await service.updateAgent(project, "fast", { knowledgeBases: ["lights"] });

  const events = await ask([{ question, answer: "" }]);

  const kinds = events.map(({ type }) => type);
  expect(kinds.slice(0, 3)).toEqual(["started", "step-started", "step-finished"]);
  expect(kinds.filter((type) => type === "started")).toHaveLength(1);
  expect(events.findLast(({ type }) => type === "answer")).toMatchObject({ text: "At dusk [1]." });
  expect(events[2]).toMatchObject({ sources: [{ title: "The lamp", url: "https://example.com/lamp" }] });
  const sent = () => models.calls.findLast((call) => call.asked !== undefined)?.asked;
  expect(sent()?.question).toMatch(
    /^Passages from .*\[1\] The lamp\n> The lamp is lit at dusk\..*\n\nQuestion:\nWhen/s,
  );

  await ask([
    { question, answer: "At dusk." },
    { question: "Who painted the Sistine chapel?", answer: "" },
  ]);
  expect(sent()?.messages.map(({ text }) => text)).toEqual([question, "At dusk.", "Who painted the Sistine chapel?"]);
});
