/** A file sent with words like "save this" is offered for saving, and not asked about. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Saving } from "../../../src/commands/adding/save.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let offered: string[];
let refused: string[];

const nothing = async () => ({ kind: "document" as const, document: infoDocument("Nothing") });
const saving: Saving = {
  isSaveMark: () => false,
  openForm: nothing,
  saveMarked: nothing,
  offerFiles: async (files, base) => {
    offered.push(`${files.map(({ name }) => name).join()} ${base ?? ""}`.trim());
    return infoDocument("Add it?", {
      actions: [{ id: "save-file", label: "Add", value: "1", style: "primary" }],
    });
  },
};

beforeEach(async () => {
  offered = [];
  refused = [];
  const commands = {
    refused: async ({ kind }: { kind: string }, role: string) => void refused.push(`${kind} ${role}`),
  };
  parley = await createHarness({ saving, commands });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const csv = { id: "F1", name: "prices.csv", mediaType: "text/csv", sizeBytes: 4, reference: "a,b\n" };

async function sent(text: string, changes: Record<string, unknown> = {}) {
  const event = parley.say(text, { attachments: [csv], ...changes });
  await event.done;
  await parley.settle();
  return event;
}

describe("A file sent with words that want it saved", () => {
  it("is offered for saving in its thread, acknowledged, and not asked about", async () => {
    const event = await sent("add this to handbook");

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(offered).toEqual(["prices.csv handbook"]);
    expect(parley.notices()).toMatchObject([{ key: "save-file/memory/T1/general/101", place: thread }]);
    expect(parley.agents.runs).toEqual([]);
    expect(event.sent).toEqual([]);
  });

  it("is offered once, in however many events and on however many instances its message arrives", async () => {
    const same = { eventKey: "memory/T1/general/900" };
    await sent("save", same);
    await sent("save", same);
    await parley.say("save", { attachments: [csv], ...same }, parley.neighbour()).done;

    expect(parley.notices()).toHaveLength(1);
  });

  it("is offered in a direct message, and in a thread of one person and Parley, without a mention", async () => {
    await sent("remember this", { isDirect: true, mentionsParley: false });
    await parley.say("How late can a guest check in?").done;
    (await parley.agents.run(0)).answer("Until 23:00.");
    await parley.settle();
    await sent("save this too please", { place: thread, mentionsParley: false });

    expect(offered).toHaveLength(2);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("is left alone in a thread of other people and in a channel", async () => {
    await sent("save this please", { place: general, mentionsParley: false });
    await parley.say("How late can a guest check in?", { place: thread }).done;
    (await parley.agents.run(0)).answer("Until 23:00.");
    await parley.settle();
    await sent("save this please", { place: thread, mentionsParley: false, actor: bob });

    expect(offered).toEqual([]);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("tells a person who can't add knowledge whom to ask, privately, and offers nothing", async () => {
    const event = await sent("save this", { actor: { ...alice, isGuest: true } });

    expect(event.sent).toMatchObject([
      {
        visibility: "private",
        document: { summary: expect.stringContaining("You can't add to knowledge bases here") },
      },
    ]);
    expect(JSON.stringify(event.sent)).toContain("Ask a workspace admin.");
    expect(refused).toEqual(["save ingest"]);
    expect(offered).toEqual([]);
    expect(parley.agents.runs).toEqual([]);
  });

  it("is not acknowledged when the offer can't be stored, so that the platform sends it again", async () => {
    await parley.stop();
    const failing = { ...saving, offerFiles: () => Promise.reject(new Error("The disk is full")) };
    parley = await createHarness({ saving: failing });
    const event = await sent("save this");

    expect(event.acks).toEqual([]);
    expect(parley.agents.runs).toEqual([]);
  });
});

describe("A file with a question", () => {
  it.each(["What does it say?", "save it, but what is in it?", "Summarize this"])(
    "stays a question: %s",
    async (text) => {
      await sent(text);

      expect(offered).toEqual([]);
      expect(parley.agents.runs).toHaveLength(1);
    },
  );

  it("and the same words without a file, stay questions", async () => {
    await sent("add this to handbook", { attachments: [] });

    expect(offered).toEqual([]);
    expect(parley.agents.runs).toHaveLength(1);
  });
});
