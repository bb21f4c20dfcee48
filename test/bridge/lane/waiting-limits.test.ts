/**
 * Limits of waiting questions, per person and in total. A question beyond them is refused at once, in a sentence, and
 * nothing of it is stored.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alice, bob, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({ settings: { waiting: { perPerson: 3, inAll: 5 } } });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function stored(): Promise<readonly string[]> {
  return (await parley.state().turns.recent(100)).map((turn) => turn.question);
}

async function askThree(changes: Record<string, unknown> = {}): Promise<void> {
  for (const text of ["One?", "Two?", "Three?"]) await parley.say(text, changes).done;
  await parley.settle();
}

describe("a question too many", () => {
  it("of one person is refused in one private sentence, and isn't stored", async () => {
    await askThree();
    const refused = parley.say("Four?");
    await refused.done;
    await parley.settle();

    expect(refused.acks).toEqual([{ kind: "none" }]);
    expect(refused.sent).toHaveLength(1);
    expect(refused.sent[0]?.visibility).toBe("private");
    expect(JSON.stringify(refused.sent[0]?.document)).toContain("You have 3 questions waiting");
    expect(await stored()).not.toContain("Four?");
    expect(parley.texts()).toHaveLength(3);
  });

  it("of all people together is refused, and the message says so", async () => {
    await askThree();
    await parley.say("Four?", { actor: bob }).done;
    await parley.say("Five?", { actor: bob }).done;
    const refused = parley.say("Six?", { actor: { ...alice, id: "U3" } });
    await refused.done;

    expect(JSON.stringify(refused.sent)).toContain("5 questions are waiting in total");
    expect(await stored()).not.toContain("Six?");
  });

  it("is answered once, however often the platform sends it", async () => {
    await askThree();
    const first = parley.say("Four?", { eventKey: "memory/T1/general/again" });
    const second = parley.say("Four?", { eventKey: "memory/T1/general/again" });
    await Promise.all([first.done, second.done]);

    expect([...first.sent, ...second.sent]).toHaveLength(1);
  });

  it("is accepted again as soon as another one has ended, in whatever way", async () => {
    await askThree();
    (await parley.agents.run(0)).answer("1");
    await parley.settle();
    await parley.say("Four?").done;
    expect(await stored()).toContain("Four?");
  });

  it("blocks no other questions: the lane of the conversation moves on", async () => {
    await askThree();
    await parley.say("Four?").done;
    for (let run = 0; run < 3; run += 1) {
      (await parley.agents.run(run)).answer(`${run}`);
      await parley.settle();
    }

    expect(parley.texts()).toHaveLength(3);
    expect(parley.texts()[2]).toContain("2");
  });

  it("says nothing where Parley was not addressed", async () => {
    await askThree();
    const known = { place: thread, mentionsParley: false };
    const refused = parley.say("Four?", known);
    await refused.done;

    expect(refused.sent).toEqual([]);
    expect(refused.acks).toEqual([{ kind: "none" }]);
  });

  it("asked as a command is answered privately", async () => {
    await parley.stop();
    parley = await createHarness({
      settings: { waiting: { perPerson: 1, inAll: 5 } },
      commands: {
        plan: () => ({ acknowledgement: { kind: "defer" }, role: "ask", question: { text: "How?" } }),
      },
    });
    await parley.say("One?").done;
    const command = parley.send({
      ...{ kind: "command", eventKey: "memory/T1/command/1", order: "1", attachments: [], conversation: thread },
      input: { kind: "typed", text: "/ask How?" },
    });
    await command.done;

    expect(command.acks).toEqual([{ kind: "defer-private" }]);
    expect(command.sent).toHaveLength(1);
    expect(await stored()).toEqual(["One?"]);
  });

  it("pressed as Try again is refused, and stays as it is", async () => {
    await parley.say("Zero?").done;
    (await parley.agents.run(0)).fail(new Error("x") as never);
    await parley.settle();
    await askThree();
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    const pressed = parley.press("retry", turn?.id ?? "");
    await pressed.done;

    expect(JSON.stringify(pressed.sent)).toContain("You have 3 questions waiting");
    expect((await parley.state().turns.getByEventKey("memory/T1/general/101"))?.state).toBe("failed");
  });

  it("counts after a restart, and does not after its answers are there", async () => {
    await askThree();
    await parley.restart();
    await parley.settle();
    const refused = parley.say("Four?");
    await refused.done;
    expect(JSON.stringify(refused.sent)).toContain("You have 3 questions waiting");
  });
});

describe("questions that waited while the storage was down", () => {
  it("are refused as too many, in the message that said to wait", async () => {
    await askThree();
    const { turns } = parley.state() as unknown as { turns: { create: unknown } };
    const { create } = turns;
    turns.create = () => Promise.reject(new Error("away"));
    await parley.say("Four?", { conversation: { ...thread, thread: "900" } }).done;
    await parley.settle(1_000);
    turns.create = create;
    await parley.settle(20_000);

    expect(parley.texts({ ...thread, thread: "900" }).join()).toContain("You have 3 questions waiting");
    expect(await stored()).not.toContain("Four?");
  });
});
