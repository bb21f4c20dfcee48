/** A whole Parley over a service that has agents only: the built-in knowledge bases beside it, from creation to a sourced answer. */
import { expect, it, onTestFinished } from "vitest";
import { createServiceWithKnowledge } from "../../../src/agent-service/agent-service.ts";
import { createBuiltInKnowledge, startBuiltInService } from "../../../src/agent-service/built-in/start-service.ts";
import type { Action, Document } from "../../../src/core/document.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Acknowledgement, Inbound } from "../../../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { composeParley } from "../../../src/parley.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { startLoopbackSite } from "../../doubles/network/loopback-site.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { admin, bob, general, project } from "../../doubles/people.ts";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { createAgentsOnly } from "../../doubles/service/agents-only.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

const model = "gpt-4.1";
const elsewhere: Place = { ...general, channel: "elsewhere" };

async function open(redisUrl?: string) {
  const dataDir = await temporaryFolder("beside");
  const site = await startLoopbackSite();
  onTestFinished(site.close);
  const main = createAgentsOnly([model, "gpt-4.1-mini"]);
  main.state.events = ({ question }) => [
    { type: "started" },
    {
      type: "answer",
      text: /^\[1\] (.*)$/m.exec(question)?.[1] === undefined ? "I can't say." : "It is lit at dusk [1].",
    },
    { type: "ended" },
  ];
  const memory = createMemoryPlatform({ clock });
  let starts = 0;
  let events = 0;

  async function start() {
    const reading = readingFor(clock);
    const beside = createBuiltInKnowledge(() => {
      starts += 1;
      return startBuiltInService({ dataDir, project, readPages: reading.readPages, clock, log });
    });
    const state = await openState({ ...{ dataDir, clock, log }, ...(redisUrl === undefined ? {} : { redisUrl }) });
    const service = createServiceWithKnowledge({
      main: main.service,
      knowledge: beside.knowledge,
      store: state.keyValue("agent-bases"),
      log,
    });
    const parley = await composeParley({
      ...{ settings: settingsWith(), state, service, clock, log, reading, metrics: noMetrics },
      platforms: [{ name: "memory", connect: async () => memory }],
    });
    await parley.start();
    return async () => {
      await parley.drain(0);
      await parley.close();
      await beside.close();
      await service.close();
      await state.close();
    };
  }
  let stop = await start();
  onTestFinished(() => stop());

  async function send(inbound: Record<string, unknown>, actor: Actor, place: Place) {
    events += 1;
    const sent: Document[] = [];
    await memory.emit({
      ...{ eventKey: `memory/T1/${events}`, order: String(events).padStart(10, "0"), place, actor },
      conversation: { ...place, thread: `asked-${events}` },
      attachments: [],
      ack: async (_ack: Acknowledgement) => undefined,
      reply: { send: async (document: Document) => void sent.push(document) },
      ...inbound,
    } as unknown as Inbound);
    return {
      text: () => sent.map(documentText).join("\n"),
      actions: (): readonly Action[] =>
        sent.flatMap(({ blocks, actions }) => [
          ...actions,
          ...blocks.flatMap((block) => (block.kind === "actions" ? block.actions : [])),
        ]),
    };
  }

  return {
    main,
    site,
    memory,
    starts: () => starts,
    say: (text: string, actor: Actor = admin, place: Place = general) =>
      send({ kind: "command", input: { kind: "typed", text } }, actor, place),
    submit: (formId: string, values: Record<string, unknown>) =>
      send({ kind: "form", formId, context: "", values }, admin, general),
    press: ({ id, value }: Pick<Action, "id" | "value">) => send({ kind: "action", action: id, value }, admin, general),
    ask: async (text: string, actor: Actor = bob) => {
      const place: Place = { ...general, thread: `asked-${events + 1}` };
      await send({ kind: "command", input: { kind: "typed", text: `/ask ${text}` } }, actor, general);
      const shown = () => memory.thread(place).at(-1)?.payload;
      await until("the answer has ended", () => shown()?.actions.some(({ id }) => id === "thumb-up") === true);
      return shown()?.text ?? "";
    },
    restart: async () => {
      await stop();
      stop = await start();
    },
  };
}

it("a team gives a model its pages, and it answers from them with their sources, also after a restart", () =>
  fromPagesToAnswers());

it.skipIf(!hasRedisServer())("the same with Redis", async () => {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  await fromPagesToAnswers(redis.url);
});

async function fromPagesToAnswers(redisUrl?: string): Promise<void> {
  const { main, memory, site, say, submit, press, ask, restart, starts } = await open(redisUrl);

  await say(`/agent use ${model}`);
  const created = await submit("kb create", { name: "lights" });
  await until("the knowledge base is there", () => created.text().includes("Created knowledge base lights."));
  const connectBase = created.actions().find(({ id }) => id === "connect-base");
  expect(connectBase?.label).toBe(`Connect lights to ${model}`);
  const connected = await press(connectBase as Action);
  await until("it looks there", () => connected.text().includes(`${model} now uses lights.`));
  await say(`/kb ingest ${site.good.join(" ")} into lights`);
  const written = () => memory.writes.map(({ payload }) => payload?.text ?? "").join("\n");
  await until("the pages are in", () => written().includes("2 of 2 done"));

  const answer = await ask("When is the lamp of the lighthouse lit?");
  expect(answer).toContain("It is lit at dusk [1].");
  expect(answer).toContain("[1] The lighthouse lamp");
  expect(main.runs.at(-1)?.question).toContain("> The lamp of the lighthouse is lit at dusk by the keeper");
  expect(await ask("Who painted the ceiling of the Sistine chapel?")).toContain("I can't say.");

  await restart();
  expect(await ask("When is the lamp of the lighthouse lit?")).toContain("[1] The lighthouse lamp");
  expect((await say("/kb show lights")).text()).toContain("The lighthouse foghorn");
  expect(starts()).toBe(2);
}

it("who can't ask the agent can't search its knowledge bases either", async () => {
  const { say, submit, press } = await open();
  await say(`/agent use ${model}`);
  const created = await submit("kb create", { name: "lights" });
  await until("the knowledge base is there", () => created.text().includes("Created knowledge base lights."));
  await press(created.actions().find(({ id }) => id === "connect-base") as Action);

  expect((await say("/kb search lamp in:lights", bob)).text()).toContain("Nothing found");
  expect((await say("/kb search lamp in:lights", bob, elsewhere)).text()).toContain("no knowledge base");
  expect((await say("/kb list", bob, elsewhere)).text()).not.toContain("lights");
});
