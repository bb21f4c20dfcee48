/** Parley's own manual is not the team's knowledge: it leaves an agent that gets another knowledge base, and is read-only. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { basesToOffer } from "../../src/commands/adding/base-choices.ts";
import { findDestination } from "../../src/commands/adding/destination.ts";
import type { CommandApp } from "../../src/commands/app.ts";
import type { FormValues } from "../../src/core/document.ts";
import { admin, project } from "../doubles/people.ts";
import { general, openRoom, type Room } from "./room.ts";

let room: Room;
let app: CommandApp;

beforeEach(async () => {
  room = await openRoom({
    ownDocsBase: "docs",
    over: (given) => {
      app = given as CommandApp;
      return {};
    },
  });
  for (const name of ["docs", "handbook", "prices"]) {
    room.names.keepKnowledgeBase(await room.client.createKnowledgeBase(project, { name }));
  }
  room.names.keepAgent(await room.client.createAgent(project, { name: "guide", knowledgeBases: ["docs"] }));
});
afterEach(() => room.close());

async function edit(changes: FormValues) {
  const form = room.formOf("/agent edit guide");
  return room.submit("agent edit", { ...asShown(form), ...changes }, form.context);
}

const asShown = (form: ReturnType<Room["formOf"]>) =>
  Object.fromEntries(
    form.fields.map(({ name, type, initial }) => [name, initial ?? (type === "multiselect" ? [] : "")]),
  );

const basesOf = async (agent: string) => (await room.client.getAgent(project, agent)).knowledgeBases;

it("leaves an agent that gets its first other knowledge base, and comes back with one press", async () => {
  const connected = await room.press("connect-base", "handbook guide");

  expect(connected.text).toContain("guide now uses handbook.");
  expect(connected.text).toContain("guide no longer looks in docs, which is Parley's own manual.");
  expect(await basesOf("guide")).toEqual(["mindsdb.handbook"]);

  const [back] = connected.document.actions;
  expect(back).toMatchObject({ id: "connect-base", label: "Connect docs to guide" });
  const again = await room.press("connect-base", back?.value ?? "");

  expect(again.text).toBe("guide now uses docs.");
  expect(await basesOf("guide")).toEqual(["mindsdb.handbook", "mindsdb.docs"]);
});

it("stays where it was connected again when a third one comes", async () => {
  await room.press("connect-base", "handbook guide");
  await room.press("connect-base", "docs guide");

  const third = await room.press("connect-base", "prices guide");

  expect(third.text).toMatch(/^guide now uses prices\./);
  expect(third.text).not.toContain("no longer looks in docs");
  expect(await basesOf("guide")).toEqual(["mindsdb.handbook", "mindsdb.docs", "mindsdb.prices"]);
});

it("leaves with the form of the agent too", async () => {
  const { text, document } = await edit({ knowledgeBases: ["docs", "handbook"] });

  expect(text).toContain("guide no longer looks in docs");
  expect(document.actions.map(({ label }) => label)).toContain("Connect docs to guide");
  expect(await basesOf("guide")).toEqual(["mindsdb.handbook"]);
});

it("stays with an agent that keeps nothing else", async () => {
  await edit({ knowledgeBases: ["docs"], instructions: "Be brief." });

  expect(await basesOf("guide")).toEqual(["mindsdb.docs"]);
});

it("can't be chosen for a channel", async () => {
  expect((await room.say("/kb use docs")).text).toContain("docs is Parley's own manual");
});

it("is no place to add to: not by name, not by default, and in no form", async () => {
  const who = { actor: admin, place: general };

  const named = await findDestination(app, who, "docs");
  const byDefault = await findDestination(app, who, undefined);

  expect("refusal" in named && named.refusal).toMatchObject({ document: { tone: "failed" } });
  expect(byDefault).toEqual({ destination: { project, knowledgeBase: "handbook" } });
  expect(await basesToOffer(app, who)).toEqual(["handbook", "prices"]);
});

it("is no default where there is no other, so that creating one is offered", async () => {
  for (const name of ["handbook", "prices"]) await room.client.deleteKnowledgeBase(project, name);
  await room.names.refresh();

  const found = await findDestination(app, { actor: admin, place: general }, undefined);

  expect("refusal" in found && found.refusal).toMatchObject({ document: { actions: [{ value: "kb create" }] } });
});
