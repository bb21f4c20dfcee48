import { expect, it } from "vitest";
import { profileOf } from "../../../src/agent-service/mindsdb/profile.ts";
import { project } from "../../doubles/people.ts";
import { agentsOnlyProfile } from "../../doubles/service/agents-only.ts";
import { keptBases, model, openRoom } from "./room.ts";

const refunds = "Refunds\nRefunds are paid within five days after a parcel has come back.";
const parcels = "Parcels\nParcels leave the warehouse every morning at nine.";

it("offers knowledge bases beside the agents of a service without any", async () => {
  const { service } = await openRoom();

  const profile = await service.profile();

  expect(profile).toEqual({
    ...agentsOnlyProfile,
    offers: ["knowledge-bases", "agent-bases", "files"],
    ignores: ["base-models"],
    urlSourcesSurvive: true,
  });
  expect((await service.status()).offers).toEqual(profile.offers);
});

it("starts nothing beside a service that has knowledge bases of its own, and asks it for them", async () => {
  const { service, main, counts } = await openRoom();
  const own = profileOf({ mindsdb_version: "26.1.0" }, undefined);
  main.state.profile = own;

  await expect(service.listKnowledgeBases(project)).rejects.toMatchObject({ code: "resource_not_found" });

  expect(await service.profile()).toEqual(own);
  expect(main.calls).toContain("listKnowledgeBases");
  expect(counts.starts).toBe(0);
});

it("starts the knowledge bases when the service turns out to have none, and leaves them when it has some again", async () => {
  const { service, main, counts, local } = await openRoom();
  main.state.isDown = true;
  await expect(service.listKnowledgeBases(project)).rejects.toMatchObject({ code: "service_unreachable" });
  expect(counts.starts).toBe(0);

  main.state.isDown = false;
  await service.createKnowledgeBase(project, { name: "handbook" });
  expect((await local.client.listKnowledgeBases(project)).map(({ name }) => name)).toEqual(["handbook"]);

  main.state.profile = profileOf({ mindsdb_version: "25.9.1" }, undefined);
  await expect(service.getKnowledgeBase(project, "handbook")).rejects.toMatchObject({ code: "resource_not_found" });
});

it("keeps knowledge bases in reach while the service with the agents is down", async () => {
  const { service, main, fill } = await openRoom();
  await fill("handbook", [refunds]);
  main.state.isDown = true;

  expect(await service.search(project, "handbook", "refunds", 5)).toHaveLength(1);
  await expect(service.listAgents(project)).rejects.toMatchObject({ code: "service_unreachable" });
});

it("lets an agent look in knowledge bases, for as long as the store keeps that", async () => {
  const store = keptBases();
  const { look, fill } = await openRoom({ store });
  await fill("handbook", [refunds]);

  expect(await look([`${project}.handbook`])).toMatchObject({
    name: model,
    knowledgeBases: [`${project}.handbook`],
  });

  const { service } = await openRoom({ store });
  expect((await service.getAgent(project, model)).knowledgeBases).toEqual([`${project}.handbook`]);
  expect((await service.listAgents(project)).map(({ name, knowledgeBases }) => [name, knowledgeBases])).toEqual([
    ["gpt-4.1", []],
    [model, [`${project}.handbook`]],
  ]);
  await service.updateAgent(project, model, { knowledgeBases: [], tables: [] });
  expect((await service.getAgent(project, model)).knowledgeBases).toEqual([]);
});

it("changes nothing else about an agent, and nothing about one that isn't there", async () => {
  const { service } = await openRoom();

  await expect(service.updateAgent(project, model, { promptTemplate: "Be kind." })).rejects.toMatchObject({
    code: "service_request_refused",
  });
  await expect(service.updateAgent(project, model, { tables: ["shop.orders"] })).rejects.toMatchObject({
    code: "service_request_refused",
  });
  await expect(service.updateAgent(project, "gone", { knowledgeBases: ["docs"] })).rejects.toMatchObject({
    code: "agent_not_found",
  });
});

it("asks an agent without knowledge bases exactly as the person did", async () => {
  const { ask, counts } = await openRoom();

  const { sent, events } = await ask("When do refunds come?");

  expect(sent).toBe("When do refunds come?");
  expect(events.map(({ type }) => type)).toEqual(["started", "answer", "ended"]);
  expect(counts.starts).toBe(0);
});

it("puts the best passages before the question, and tells the search as a step with its sources", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [refunds, parcels]);
  await look([`${project}.handbook`]);

  const { sent, events, sources } = await ask("When are refunds paid?");

  expect(sent).toMatch(/^Passages from the team's knowledge bases/);
  expect(sent).toContain("\n\n[1] Refunds\n> Refunds\n> Refunds are paid within five days");
  expect(sent.endsWith("\n\nQuestion:\nWhen are refunds paid?")).toBe(true);
  expect(events.map(({ type }) => type)).toEqual(["started", "step-started", "step-finished", "answer", "ended"]);
  expect(events[1]).toMatchObject({
    tool: "kb_query_tool",
    input: "SELECT * FROM `mindsdb`.`handbook` WHERE content = 'When are refunds paid?' LIMIT 5;",
  });
  expect(events[2]).toMatchObject({ outcome: { kind: "passages", count: 1 } });
  expect(sources).toMatchObject([{ title: "Refunds", url: "https://example.com/handbook/0" }]);
});

it("asks without passages when nothing was found, and the step says so", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [refunds]);
  await look([`${project}.handbook`]);

  const { sent, events } = await ask("Who designed the Eiffel tower?");

  expect(sent).toBe("Who designed the Eiffel tower?");
  expect(events[2]).toMatchObject({ type: "step-finished", outcome: { kind: "passages", count: 0 }, sources: [] });
});

it("keeps the context of a question, and searches for the person's own words", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [refunds]);
  await look(["handbook"]);
  const question = "Instructions for this channel:\nBe brief.\n\nQuestion:\nWhen are refunds paid?";

  const { sent, events } = await ask(question);

  expect(sent.endsWith(`\n\n${question}`)).toBe(true);
  expect(sent.split("Question:\n")).toHaveLength(2);
  expect(events[1]).toMatchObject({ input: expect.stringContaining("content = 'When are refunds paid?'") });
});

it("finds what a follow-up means by the question before it", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [
    "Refunds in Germany\nRefunds are paid within five days.",
    "Offices in Germany\nThe office is in Berlin.",
    "Refunds in Spain\nRefunds are paid within nine days.",
    "Holidays in Spain\nThere are twelve holidays.",
  ]);
  await look(["handbook"]);
  const before = [{ question: "How long do refunds take in Germany?", answer: "Five days." }];

  const { sent, messages } = await ask("And Spain?", before);
  const more = await ask("Tell me more", before);

  expect(sent).toContain("[1] Refunds in Spain\n");
  expect(messages[0]).toEqual(before[0]);
  expect(more.sent).toContain("[1] Refunds in Germany\n");
});

it("looks in every knowledge base of a project, and leaves out one that was deleted", async () => {
  const { ask, fill, look, service } = await openRoom();
  await fill("handbook", [refunds]);
  await fill("shop", ["Refunds in the shop\nThe shop pays refunds at once."]);
  await look([`${project}.*`, `${project}.gone`]);

  const both = await ask("refunds");
  await service.deleteKnowledgeBase(project, "shop");
  const one = await ask("refunds");

  expect(both.events.filter(({ type }) => type === "step-started")).toHaveLength(2);
  expect(both.sent).toContain("The shop pays refunds at once.");
  expect(one.events.filter(({ type }) => type === "step-started")).toHaveLength(1);
  expect(one.sent).not.toContain("The shop pays refunds at once.");
});

it("asks without passages when the knowledge bases can't be searched, and the step has failed", async () => {
  const { ask, fill, look, local } = await openRoom();
  await fill("handbook", [refunds]);
  await look(["handbook"]);
  await local.close();

  const { sent, events } = await ask("When are refunds paid?");

  expect(sent).toBe("When are refunds paid?");
  expect(events[2]).toMatchObject({ type: "step-finished", outcome: { kind: "failed" } });
  expect(events.at(-2)).toMatchObject({ type: "answer" });
});

it("tells nothing of a search before the service answers", async () => {
  const { ask, fill, look, main } = await openRoom();
  await fill("handbook", [refunds]);
  await look(["handbook"]);
  main.state.events = () => [{ type: "status", text: "Thinking" }, { type: "ended" }];
  const { events } = await ask("When are refunds paid?");
  expect(events.map(({ type }) => type)).toEqual(["step-started", "step-finished", "status", "ended"]);

  main.state.isDown = true;
  await expect(ask("When are refunds paid?")).rejects.toMatchObject({ code: "service_unreachable" });
});

it("tells the searches once when a run continues after an approval", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [refunds]);
  await look(["handbook"]);

  const { events, sent } = await ask("When are refunds paid?", [], { approvals: [] });

  expect(events.map(({ type }) => type)).toEqual(["started", "answer", "ended"]);
  expect(sent).toContain("Refunds are paid within five days");
});

it("knows before a run whether the knowledge bases of an agent cover a question, and asks it where there are none", async () => {
  const { service, fill, look, main } = await openRoom();
  await fill("handbook", [refunds]);
  const covers = (question: string) => service.covers?.(project, model, { question });

  expect(await covers("Who brings cake?")).toBe(true);
  await look([`${project}.handbook`, `${project}.gone`]);

  expect(await covers("When are refunds paid?")).toBe(true);
  expect(await covers("Who brings cake?")).toBe(false);
  expect(main.runs).toHaveLength(0);
});

it("stops looking when the question is stopped", async () => {
  const { ask, fill, look } = await openRoom();
  await fill("handbook", [refunds]);
  await look(["handbook"]);

  await expect(ask("When are refunds paid?", [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "stopped",
  });
});
