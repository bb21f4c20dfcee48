import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
const instructions = "Answer in French.";
const told = `Instructions for this channel:\n${instructions}`;

beforeEach(async () => {
  parley = await createHarness();
  await parley.bindings().setChannel(general, { instructions });
});

afterEach(() => parley.stop());

async function asked(text: string, index: number) {
  await parley.say(text).done;
  return parley.agents.run(index);
}

describe("the instructions of a channel", () => {
  it("stand before each question, and in no history", async () => {
    const first = await asked("How many?", 0);
    first.answer("Quarante-deux.");
    await parley.settle();
    const second = await asked("And Tuesday?", 1);

    expect(first.question).toBe(`${told}\n\nQuestion:\nHow many?`);
    expect(second.messages.slice(0, -1)).toMatchObject([{ question: "How many?", answer: "Quarante-deux." }]);
    expect(second.question).toBe(`${told}\n\nQuestion:\nAnd Tuesday?`);
    const stored: unknown[] = [];
    for await (const entry of parley.state().keyValue("conversations").entries("")) stored.push(entry);
    for await (const turn of parley.state().turns.ofConversation(thread)) stored.push(turn);
    expect(JSON.stringify(stored)).toContain("Quarante-deux.");
    expect(JSON.stringify(stored)).not.toContain("French");
  });

  it("hold in no other channel", async () => {
    const elsewhere = { ...general, channel: "random" };
    await parley.say("How many?", { place: elsewhere, conversation: { ...elsewhere, thread: "1" } }).done;

    expect((await parley.agents.run(0)).question).toBe("How many?");
  });

  it("are not sent to a service that ignores them", async () => {
    parley.agents.set({ profile: { ignores: ["instructions"] } });

    expect((await asked("How many?", 0)).question).toBe("How many?");
  });

  it("are read when the question runs", async () => {
    const first = await asked("How many?", 0);
    await parley.say("And Tuesday?").done;
    await parley.bindings().setChannel(general, { instructions: "" });
    first.answer("42");

    expect((await parley.agents.run(1)).question).toBe("And Tuesday?");
  });
});
