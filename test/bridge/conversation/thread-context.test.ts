import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
  parley.platform.say(thread, {
    messageId: "50",
    order: "0000000050",
    authorName: "Bob",
    isBot: false,
    isOwn: false,
    text: "The backup failed again.",
    attachments: [],
    atMs: parley.clock.now(),
  });
});
afterEach(async () => {
  await parley.stop();
});

/** The only permit is somebody else's: a question asked now has been prepared, and waits for the service. */
async function keepServiceBusy(): Promise<void> {
  parley.agents.set({ profile: { maxRuns: 1 } });
  await parley.say("Something long?", { conversation: { ...thread, thread: "900" } }).done;
  await parley.agents.run(0);
  await parley.settle();
}

const inThread = { place: thread };

describe("what a thread said before the question", () => {
  it("is included when the question waited for the service while Parley was restarted", async () => {
    await keepServiceBusy();
    await parley.say("Why?", inThread).done;
    await parley.settle();

    await parley.restart();
    await parley.settle();
    (await parley.agents.run(1)).answer("Done.");
    await parley.settle();
    await parley.agents.run(2);

    const run = parley.agents.runs.find(({ question }) => question.endsWith("Why?"));
    expect(run?.question).toContain("Bob: The backup failed again.");
  });

  it("is included when the question was edited while it waited for the service", async () => {
    await keepServiceBusy();
    await parley.say("Why?", inThread).done;
    await parley.settle();
    const text = "Why does it fail?";
    await parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit", order: "0000000200", text, attachments: [] },
      ...{ questionKey: "memory/T1/general/102", messageId: "102", mentionsParley: true },
    }).done;
    await parley.settle();

    (await parley.agents.run(0)).answer("Done.");
    await parley.settle();
    const run = await parley.agents.run(1);

    expect(run.question).toContain("Bob: The backup failed again.");
    expect(run.question).toContain(text);
  });

  it("is included once: a follow-up doesn't repeat it", async () => {
    await parley.say("Why?", inThread).done;
    (await parley.agents.run(0)).answer("The disk is full.");
    await parley.settle();

    await parley.say("And since when?", inThread).done;
    const run = await parley.agents.run(1);

    expect(run.question).toBe("And since when?");
  });

  function say(at: number, text: string): void {
    const message = { authorName: "Jira", isBot: true, isOwn: false, attachments: [], atMs: parley.clock.now() };
    parley.platform.say(thread, { ...message, messageId: String(at), order: `00000000${at}`, text });
  }

  it("includes the beginning of a message that is longer than all of it, and says what is left out", async () => {
    say(51, `Alert ZEBRA-7 ${"x".repeat(59_000)}`);

    await parley.say("What does this mean?", inThread).done;
    const { question } = await parley.agents.run(0);

    expect(question).toContain("Jira: Alert ZEBRA-7 xxx");
    expect(question).toMatch(/\(The rest of this message is left out: [\d,]+ characters\.\)/);
    expect(question.length).toBeLessThan(12_000);
  });

  it("says of one message that it was left out", async () => {
    for (let at = 51; at < 54; at += 1) say(at, `Note ${at} ${"y".repeat(6_650)}`);

    await parley.say("What does this mean?", inThread).done;
    const { question } = await parley.agents.run(0);

    expect(question).toContain("(1 earlier message left out)\nJira: Note 51");
  });
});
