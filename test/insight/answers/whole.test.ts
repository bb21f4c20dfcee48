/** A whole Parley over every kind of agent: a question without an answer, the answer added, and who said so. */
import { afterEach, expect, it } from "vitest";
import { createServiceWithKnowledge } from "../../../src/agent-service/agent-service.ts";
import { searchText } from "../../../src/agent-service/built-in/answering/question.ts";
import { startLocalService } from "../../../src/agent-service/built-in/local-service.ts";
import type { Action, Document, Form } from "../../../src/core/document.ts";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import type { Acknowledgement, ChatPlatform, Inbound } from "../../../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { composeParley, type Parley } from "../../../src/parley.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../src/state/open-state.ts";
import { readingReply } from "../../agent-service/built-in/model/reading-model.ts";
import { piecesOf, scriptedModel } from "../../agent-service/built-in/model/scripted-model.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { admin, bob, general, project } from "../../doubles/people.ts";
import { createAgentsOnly } from "../../doubles/service/agents-only.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

const question = "Can a guest move a non-refundable booking?";
let at: Awaited<ReturnType<typeof open>>;
afterEach(() => at.close());

const kinds = ["an agent that quotes", "an agent with a language model", "a model of another service"] as const;

/** It reads the passages that it is given. */
const readingModel = () =>
  scriptedModel([
    async function* ({ messages }) {
      yield* piecesOf(readingReply(messages.map(({ text }) => text)));
    },
  ]);

/** Another service, that gives its model what it is asked. */
function otherService() {
  const other = createAgentsOnly(["support"]);
  other.state.events = ({ question: asked }) => {
    const lines = asked.split("\n").filter((line) => line.startsWith("> "));
    const text = lines.length === 0 ? "I don't know." : `${lines.map((line) => line.slice(2)).join(" ")} [1]`;
    return [{ type: "started" }, { type: "answer", text }, { type: "ended" }];
  };
  return other.service;
}

async function open(kind: (typeof kinds)[number]) {
  const dataDir = await temporaryFolder("answered");
  const model = kind === "an agent with a language model" ? { model: readingModel() } : {};
  const client = await startLocalService({ dataDir, clock, log, stepDelayMs: 0, ...model });
  const state = await openState({ dataDir, clock, log });
  const isElsewhere = kind === "a model of another service";
  const knowledge = async () => ({ service: client, searchText, covers: client.coversIn });
  const service = isElsewhere
    ? createServiceWithKnowledge({ main: otherService(), knowledge, store: state.keyValue("agent-bases"), log })
    : client;
  await service.createKnowledgeBase(project, { name: "handbook" });
  const rows = [{ id: "r1", title: "Breakfast", content: "Breakfast is served from seven to ten." }];
  await service.insert(project, "handbook", { rows }, new AbortController().signal);
  const knowledgeBases = ["handbook"];
  if (isElsewhere) await service.updateAgent(project, "support", { knowledgeBases });
  else await service.createAgent(project, { name: "support", knowledgeBases, tables: [] });
  const memory = createMemoryPlatform({ clock });
  const platform: ChatPlatform = {
    ...memory,
    visibility: async (): Promise<Visibility> => "public",
    isMember: async () => true,
  };
  const parley: Parley = await composeParley({
    ...{ settings: settingsWith(), state, service, clock, log, reading: readingFor(clock), metrics: noMetrics },
    platforms: [{ name: "memory", connect: async () => platform }],
  });
  await parley.start();
  let events = 0;

  async function send(inbound: Record<string, unknown>, actor: Actor) {
    events += 1;
    const sent: Document[] = [];
    let form: Form | undefined;
    await memory.emit({
      ...{ eventKey: `memory/T1/${events}`, order: String(events).padStart(10, "0"), place: general, actor },
      conversation: { ...general, thread: `asked-${events}` },
      attachments: [],
      ack: async (ack: Acknowledgement) => {
        if (ack.kind === "form") form = ack.form;
      },
      reply: { send: async (document: Document) => void sent.push(document) },
      ...inbound,
    } as unknown as Inbound);
    return { sent, form, text: () => sent.map(documentText).join("\n") };
  }

  return {
    say: (text: string, actor: Actor = admin) => send({ kind: "command", input: { kind: "typed", text } }, actor),
    act: ({ id, value }: Pick<Action, "id" | "value">) => send({ kind: "action", action: id, value }, admin),
    submit: (form: Form, values: Record<string, unknown>) =>
      send({ kind: "form", formId: form.id, context: form.context, values }, admin),
    /** Asks, and waits for the end of the answer. */
    ask: async (text: string, actor: Actor): Promise<string> => {
      const place: Place = { ...general, thread: `asked-${events + 1}` };
      await send({ kind: "command", input: { kind: "typed", text: `/ask ${text}` } }, actor);
      const shown = () => memory.thread(place).at(-1)?.payload;
      await until("the answer has ended", () => shown()?.actions.some(({ id }) => id === "thumb-up") === true);
      return shown()?.text ?? "";
    },
    close: async () => {
      await parley.drain(0);
      await parley.close();
      await service.close();
      if (isElsewhere) await client.close();
      await state.close();
    },
  };
}

it.each(kinds)(
  "%s answers what found nothing once someone added the answer, with that name beside it",
  async (kind) => {
    at = await open(kind);
    expect(await at.ask(question, bob)).not.toContain("from Admin");
    let listed: Action | undefined;
    await until("the question is listed", async () => {
      const { sent } = await at.say("/kb gaps");
      listed = sent
        .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "actions" ? block.actions : [])))
        .find(({ id }) => id === "add-answer");
      return listed !== undefined;
    });

    const { form } = await at.act(listed as Action);
    expect(form?.fields[0]).toMatchObject({ initial: question });
    const added = await at.submit(form as Form, {
      ...{ question, answer: "Yes, once, up to 48 hours before check-in.", base: "handbook", urls: "", tell: [] },
    });
    await until("the answer is in", () => added.text().includes("Added to handbook"));

    const answer = await at.ask("May guests move a non-refundable booking?", bob);
    expect(answer).toContain("48 hours before check-in");
    expect(answer).toMatch(new RegExp(`${question.replace("?", "\\?")} · from ${admin.name}, \\d+ [A-Z][a-z]{2}`));
    const base = await at.say("/kb show handbook");
    expect(base.text()).toContain(`answer by ${admin.name}`);
  },
);
