/**
 * kill -9 at every step of the way, one after the other: before and after each effect that one question has on the world.
 * Whatever the moment, the next start ends the question in the same message, once.
 */
import { describe, expect, it } from "vitest";
import type { AppSettings } from "../../../src/app.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { only } from "../../doubles/room-parts.ts";
import { createMortalParley, type Death, type MortalParley, type Play } from "../towns/mortal-parley.ts";

const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");

async function* answering(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  yield { type: "step-finished", observation: "docs", outcome: { kind: "text" }, sources: [] };
  yield { type: "answer", text };
  yield { type: "ended" };
}

const source = { title: "Check-in", url: "https://example.com/check-in" };

async function* finding(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_query_tool", input: "SELECT * FROM docs" };
  const outcome = { kind: "passages", count: 1 } as const;
  yield { type: "step-finished", observation: "until 23:00", outcome, sources: [source] };
  yield { type: "answer", text };
  yield { type: "ended" };
}

async function* working(): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  await new Promise(() => {});
}

let answerNow = () => {};

async function* answeringLate(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  await new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  yield { type: "answer", text };
  yield { type: "ended" };
}

type Story = {
  readonly play: Play;
  readonly settings?: Partial<AppSettings>;
  /** Before the first start. */
  readonly begins?: (parley: MortalParley) => void;
  /** What people do; done again after each start, as a platform delivers again what was not acknowledged. */
  readonly happens: (parley: MortalParley) => Promise<void>;
  readonly ends: (parley: MortalParley) => Promise<void>;
};

/** Tells the story once for every moment there is in it, and once without a death. Returns how many there were. */
async function dieEverywhere(story: Story): Promise<number> {
  const died = async (death: Death | undefined): Promise<boolean> => {
    const parley = await createMortalParley(story.play, story.settings);
    try {
      story.begins?.(parley);
      await parley.start(death);
      await story.happens(parley);
      await parley.settle();
      const { length } = parley.steps();
      const last = parley.steps()[length - 1];
      const isDead = parley.isDead();
      if (isDead) {
        await parley.start();
        await story.happens(parley);
        await parley.settle();
      }
      const moment = `${death?.side} step ${length}: ${last}`;
      await story.ends(parley).catch((failure: unknown) => {
        throw new Error(`After a death ${moment}`, { cause: failure });
      });
      return isDead;
    } finally {
      await parley.close();
    }
  };
  expect(await died(undefined)).toBe(false);
  let deaths = 0;
  for (let at = 1; ; at += 1) {
    if (!(await died({ at, side: "before" }))) return deaths;
    await died({ at, side: "after" });
    deaths += 2;
  }
}

/** One Reply, nothing twice, nothing lost, the end recorded. */
async function expectOneAnswer(parley: MortalParley, text: string): Promise<void> {
  const shown = parley.texts().join(" ").replaceAll(/\s+/g, " ");
  expect(shown.split(text)).toHaveLength(2);
  expect(await parley.turn()).toMatchObject({ state: "answered" });
  expect((await parley.history()).map((entry) => entry.answer)).toEqual([text]);
  expectNoTwins(parley);
}

function expectNoTwins(parley: MortalParley): void {
  // What stood there when a process died is not known for certain, so it may be written once more.
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
}

describe("killed at any step", () => {
  it("an answer in several messages is there once and whole", async () => {
    const deaths = await dieEverywhere({
      play: () => answering(words),
      happens: async (parley) => {
        parley.ask("When?");
      },
      ends: (parley) => expectOneAnswer(parley, words),
    });

    expect(deaths).toBeGreaterThan(30);
  });

  it("a question that is asked again is answered in the same message", async () => {
    const deaths = await dieEverywhere({
      play: (run) => answering(run === 1 ? "" : "At two."),
      happens: async (parley) => {
        parley.ask("When?");
        await parley.settle(1_000);
        await parley.press("retry");
      },
      ends: async (parley) => {
        if ((await parley.turn())?.state === "failed") {
          // Died with the press in hand: it was not acknowledged, so whoever pressed sees that nothing happened.
          expect(parley.texts()).toHaveLength(1);
          return;
        }
        await expectOneAnswer(parley, "At two.");
        expect(parley.texts()).toHaveLength(1);
      },
    });

    expect(deaths).toBeGreaterThan(30);
  });

  it("a question that was stopped is stopped, or answered when the stop died too", async () => {
    const deaths = await dieEverywhere({
      play: (run) => (run === 1 ? working() : answering("At two.")),
      happens: async (parley) => {
        parley.ask("When?");
        await parley.settle(1_000);
        await parley.press("stop");
      },
      ends: async (parley) => {
        expect(parley.texts()).toHaveLength(1);
        const turn = await parley.turn();
        if (turn?.state === "answered") await expectOneAnswer(parley, "At two.");
        else {
          expect(turn?.state).toBe("stopped");
          expect(parley.texts()[0]).toContain("Stopped");
        }
        expectNoTwins(parley);
      },
    });

    expect(deaths).toBeGreaterThan(20);
  });

  it("an edited question is answered by its new text", async () => {
    const deaths = await dieEverywhere({
      play: (run, question) => (run === 1 ? working() : answering(`You asked: ${question}`)),
      happens: async (parley) => {
        parley.ask("When?");
        await parley.settle(1_000);
        parley.edit("When exactly?");
      },
      ends: async (parley) => {
        await expectOneAnswer(parley, "You asked: When exactly?");
        expect(parley.texts()).toHaveLength(1);
      },
    });

    expect(deaths).toBeGreaterThan(20);
  });

  it("an answer to nobody in particular is shown once if it rests on a source", async () => {
    const deaths = await dieEverywhere({
      play: () => finding("Until 23:00."),
      happens: (parley) => parley.ponder("How late can a guest check in?"),
      ends: async (parley) => {
        await expectOneAnswer(parley, "Until 23:00.");
        expect(parley.texts()).toHaveLength(1);
        expect((await parley.turn())?.notAnswered).toBeUndefined();
      },
    });

    expect(deaths).toBeGreaterThan(20);
  });

  it("the same where it gets a thread of its own, which is opened once", async () => {
    const opened = { platform: "memory", workspace: "T1", channel: "general", thread: "900" };
    const deaths = await dieEverywhere({
      play: () => finding("Until 23:00."),
      begins: ({ platform }) => Object.assign(platform, { replyPlaces: { prepare: async () => opened } }),
      happens: (parley) => parley.ponder("How late can a guest check in?"),
      ends: async (parley) => {
        expect(only(parley.platform.thread(opened)).payload.text).toContain("Until 23:00.");
        expect(parley.texts()).toEqual([]);
        expect(await parley.turn()).toMatchObject({ state: "answered", conversation: opened });
        expect((await parley.history()).map((entry) => entry.answer)).toEqual(["Until 23:00."]);
        expectNoTwins(parley);
      },
    });

    expect(deaths).toBeGreaterThan(20);
  });

  it("an answer to nobody in particular that rests on nothing is shown to nobody", async () => {
    const deaths = await dieEverywhere({
      play: () => answering("I found nothing."),
      happens: (parley) => parley.ponder("How late can a guest check in?"),
      ends: async (parley) => {
        expect(parley.platform.writes).toEqual([]);
        expect(await parley.turn()).toMatchObject({ state: "answered", notAnswered: "nothing" });
        expect(await parley.history()).toEqual([]);
      },
    });

    expect(deaths).toBeGreaterThan(8);
  });

  it("an answer to nobody in particular isn't asked for again once it is stored", async () => {
    const parley = await createMortalParley(() => finding("Until 23:00."));
    await parley.start({ on: "to running outcome", side: "after" });
    await parley.ponder("How late can a guest check in?");
    await parley.settle();
    expect(parley.isDead()).toBe(true);
    expect(parley.texts()).toEqual([]);

    await parley.start();
    await parley.settle();
    await expectOneAnswer(parley, "Until 23:00.");
    expect(parley.asked()).toBe(1);
    await parley.close();
  });

  it("an answer that took long is announced once", async () => {
    const deaths = await dieEverywhere({
      play: () => answeringLate("At two."),
      settings: { notifyAfterMs: 1_000 },
      happens: askedLate,
      ends: async (parley) => {
        const texts = parley.texts();
        expect(texts.filter((text) => text.includes("At two."))).toHaveLength(1);
        expect(texts.filter((text) => text.includes("your answer is ready."))).toHaveLength(1);
        expect(texts).toHaveLength(2);
        expect(await parley.turn()).toMatchObject({ state: "answered" });
        expectNoTwins(parley);
      },
    });

    expect(deaths).toBeGreaterThan(30);
  });

  it("an answer that took long and ends with a new message is not announced", async () => {
    const deaths = await dieEverywhere({
      play: () => answeringLate(words),
      settings: { notifyAfterMs: 1_000 },
      happens: askedLate,
      ends: async (parley) => {
        expect(parley.texts().join(" ")).not.toContain("your answer is ready.");
        await expectOneAnswer(parley, words);
      },
    });

    expect(deaths).toBeGreaterThan(30);
  });
});

async function askedLate(parley: MortalParley): Promise<void> {
  parley.ask("When?");
  await parley.settle(2_000);
  answerNow();
}
