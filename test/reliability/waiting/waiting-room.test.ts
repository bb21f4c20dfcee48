import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { alice, general, thread } from "../../doubles/people.ts";

let parley: Harness;
let isAway = true;
beforeEach(async () => {
  parley = await createHarness();
  takeStorageAway();
});

function takeStorageAway(): void {
  isAway = true;
  const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
  const { create } = turns;
  turns.create = async (turn, limits) => {
    if (isAway) throw new ParleyError("state_unavailable");
    return create(turn, limits);
  };
}
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

describe("a question that arrives while the storage is down", () => {
  it("gets a note to wait, in the message that becomes the answer", async () => {
    const event = parley.say("When?");
    await event.done;
    await parley.settle(5_000);
    expect(parley.texts()[0]).toContain("I'll ask when it's back");
    const { messageId } = parley.last() ?? {};

    isAway = false;
    await parley.settle(10_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.last()?.messageId).toBe(messageId);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("becomes the answer in that message also when the process that kept it died, and the event comes again", async () => {
    const event = { eventKey: "memory/T1/general/7", messageId: "7" };
    await parley.say("When?", event).done;
    await parley.settle(5_000);
    const { messageId } = parley.last() ?? {};

    isAway = false;
    await parley.restart();
    await parley.say("When?", { ...event, isRepeated: true }).done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.last()?.messageId).toBe(messageId);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("is one message, however many processes that died have asked the person to wait", async () => {
    const event = { eventKey: "memory/T1/general/7", messageId: "7" };
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await parley.say("When?", { ...event, isRepeated: deaths > 0 }).done;
      await parley.settle(5_000);
      expect(parley.texts()).toEqual([expect.stringContaining("I'll ask when it's back")]);
      // As the platform shows it to whoever reads the thread.
      parley.platform.say(thread, {
        ...{ messageId: "900", order: "0000000900", authorName: "Parley", isBot: true, isOwn: true, atMs: 0 },
        ...{ text: parley.texts()[0] ?? "", attachments: [] },
      });
      await parley.restart();
      takeStorageAway();
    }
    isAway = false;
    await parley.say("When?", { ...event, isRepeated: true }).done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(10_000);

    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
  });

  it("is one message when two instances received it and asked the person to wait", async () => {
    await parley.stop();
    // Two notices at first: without storage, instances know nothing of each other.
    parley = await createHarness({ platform: { violations: [] } });
    takeStorageAway();
    const event = { eventKey: "memory/T1/general/7", messageId: "7" };
    const other = parley.neighbour();
    await Promise.all([parley.say("When?", event).done, parley.say("When?", event, other).done]);
    await parley.settle(5_000);

    isAway = false;
    await parley.settle(10_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(60_000);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
  });

  it("stays unacknowledged, so that the platform sends it again in case this process dies", async () => {
    const event = parley.say("When?");
    await event.done;
    await parley.settle(5_000);

    expect(event.acks).toEqual([]);
  });

  it("is one question, however often it is delivered meanwhile", async () => {
    const again = { eventKey: "memory/T1/general/7", messageId: "7" };
    for (let count = 0; count < 3; count += 1) await parley.say("When?", again).done;
    await parley.settle(5_000);

    isAway = false;
    await parley.settle(10_000);
    await parley.say("When?", again).done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toHaveLength(1);
  });

  it("leaves no message behind where another instance has taken it", async () => {
    await parley.say("When?", { eventKey: "memory/T1/general/7" }).done;
    await parley.settle(5_000);
    isAway = false;
    // The other one was handed the same event a moment before this one tries again.
    await parley.say("When?", { eventKey: "memory/T1/general/7" }).done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(10_000);

    expect(parley.texts(thread).filter((text) => text.includes("storage"))).toEqual([]);
    expect(parley.texts()).toHaveLength(1);
  });

  it("leaves no message behind in a channel whose thread could be opened only later", async () => {
    const opened = { ...general, thread: "900" };
    const places = [general];
    await parley.stop();
    parley = await createHarness({ platform: { replyPlaces: { prepare: async () => places.shift() ?? opened } } });
    takeStorageAway();
    await parley.say("When?").done;
    await parley.settle(5_000);
    expect(parley.texts(general)[0]).toContain("I'll ask when it's back");

    isAway = false;
    await parley.settle(10_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.texts(general)).toEqual([]);
    expect(parley.texts(opened)).toHaveLength(1);
  });

  it("is not called lost when it is asked and only the note of it fails", async () => {
    const log = createCollectedLog();
    await parley.stop();
    parley = await createHarness({ log: log.log });
    takeStorageAway();
    const { keyValue } = parley.state();
    const isDown = async () => Promise.reject(new ParleyError("state_unavailable"));
    const failing = (namespace: string) =>
      namespace === "latest-questions" ? { ...keyValue(namespace), get: isDown } : keyValue(namespace);
    Object.assign(parley.state(), { keyValue: failing });
    await parley.say("When?", {}, parley.neighbour()).done;
    await parley.settle(5_000);
    isAway = false;
    await parley.settle(10_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
    const said = log.lines().map(({ level, msg }) => `${level}: ${msg}`);
    expect(said).toContain("warn: The newest question of a thread could not be stored");
    expect(said.filter((line) => line.includes("A question that waited"))).toEqual([]);
  });

  it("gets a note when it waited without success", async () => {
    await parley.say("When?").done;
    await parley.settle(11 * 60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Parley can't reach its storage.");
  });
});

describe("a question that every instance receives, when one that can't store it asks the person to wait, and dies", () => {
  const event = { eventKey: "memory/T1/general/7", messageId: "7" };

  it("is answered once by another one; the note says to ask again after a restart", async () => {
    await parley.say("When?", event).done;
    await parley.settle(5_000);
    isAway = false;
    await parley.restart();
    await parley.say("When?", event).done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(60_000);

    const isAnswer = (text: string) => text.includes("At two.");
    expect(parley.texts().filter(isAnswer)).toHaveLength(1);
    for (const text of parley.texts().filter((one) => !isAnswer(one))) {
      expect(text).toContain("if I restart before that, please ask again");
    }
  });
});

describe("a question with a note to wait from a process that died, which comes again and exceeds the limit", () => {
  const event = { eventKey: "memory/T1/general/7", messageId: "7" };
  const elsewhere = { conversation: { ...general, thread: "200" } };

  async function toldToWait(options: Parameters<typeof createHarness>[0] = {}): Promise<void> {
    await parley.stop();
    parley = await createHarness({
      ...options,
      settings: { waiting: { perPerson: 1, inAll: 5 }, ...options.settings },
    });
    takeStorageAway();
    await parley.say("When?", event).done;
    await parley.settle(5_000);
    expect(parley.texts()[0] ?? parley.texts(general)[0]).toContain("I'll ask when it's back");
    isAway = false;
    await parley.restart();
    await parley.say("First?", elsewhere).done;
    await parley.settle();
  }

  it("is refused; the note says to ask again after a restart", async () => {
    await toldToWait();
    const refused = parley.say("When?", { ...event, isRepeated: true });
    await refused.done;
    await parley.settle(1_000);

    expect(JSON.stringify(refused.sent)).toContain("You have 1 question waiting");
    expect(parley.texts()).toEqual([expect.stringContaining("if I restart before that, please ask again")]);
  });

  it("keeps its answer when its redelivery is refused after another instance has answered it", async () => {
    await toldToWait();
    (await parley.agents.run(0)).answer("First.");
    await parley.settle();
    await parley.say("When?", { ...event, isRepeated: true }).done;
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();
    await parley.say("When?", { ...event, isRepeated: true, actor: { ...alice, isExternal: true } }).done;
    await parley.settle(1_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });
});
