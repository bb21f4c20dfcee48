/** Which knowledge base the form of an added answer selects. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CommandApp, CommandParts } from "../../../src/commands/app.ts";
import { basesForAnswer } from "../../../src/commands/insight/adding-answers.ts";
import type { Ledger } from "../../../src/core/content/ledger.ts";
import { createLedger } from "../../../src/knowledge/ledger/ledger.ts";
import { admin, project } from "../../doubles/people.ts";
import { general, openRoom, type Room } from "../room.ts";

const agent = { project, name: "guide" };

let room: Room;
let parts: CommandParts;
let ledger: Ledger;
/** What the agent looks in. */
let looksIn: readonly string[];

beforeEach(async () => {
  room = await openRoom({
    ownDocsBase: "docs",
    over: (given, { keyValue }) => {
      parts = given;
      ledger = createLedger({ documents: keyValue("ledger"), rows: keyValue("ledger-rows") });
      return {};
    },
  });
  for (const name of ["docs", "handbook", "prices"]) await room.client.createKnowledgeBase(project, { name });
  await room.names.refresh();
  looksIn = ["docs", "handbook", "prices"];
});
afterEach(() => room.close());

const offered = () => {
  const basesOf = async () => looksIn.map((name) => ({ project, name }));
  const app = { ...parts, knowledge: { ledger }, basesOf } as unknown as CommandApp;
  return basesForAnswer(app, agent, { actor: admin, place: general });
};

async function add(knowledgeBase: string, addedAtMs: number): Promise<void> {
  const by = { key: "slack/T1/U1", name: "Ana" };
  await ledger.put(
    {
      ...{
        version: 1,
        id: knowledgeBase,
        project,
        knowledgeBase,
        origin: { kind: "rows" },
        title: "Text",
        way: "parley",
      },
      ...{ by, addedAtMs, readAtMs: addedAtMs },
    },
    ["row-1"],
  );
}

it("selects the first of the agent's, and never offers Parley's own manual", async () => {
  expect(await offered()).toEqual(["handbook", "prices"]);
});

it("selects the one that people added to last", async () => {
  await add("handbook", 1_000);
  await add("prices", 2_000);

  expect(await offered()).toEqual(["prices", "handbook"]);
});

it("selects the one that was chosen for the channel", async () => {
  await add("prices", 2_000);
  await room.bindings.setChannel(general, { knowledgeBase: "handbook" });

  expect(await offered()).toEqual(["handbook", "prices"]);
});

it("offers the others for an agent that looks in Parley's own manual alone", async () => {
  looksIn = ["docs"];

  expect(await offered()).toEqual(["handbook", "prices"]);
});

it("offers what the person reaches there for an agent that looks in none", async () => {
  looksIn = [];

  expect(await offered()).toEqual(["handbook", "prices"]);
});
