/**
 * kill -9 at every step of the way, one after the other: before and after each effect that one question has on the world.
 * Whatever the moment, the next start ends the question in the same message, once.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/ports/agent-service.ts";
import { createMortalParley, type Death, type MortalParley, type Play } from "../towns/mortal-parley.ts";

const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");

async function* answering(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  yield { type: "step-finished", observation: "docs", outcome: { kind: "text" }, sources: [] };
  yield { type: "answer", text };
  yield { type: "ended" };
}

async function* working(): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  await new Promise(() => {});
}

type Story = {
  readonly play: Play;
  /** What people do; done again after each start, as a platform delivers again what was not acknowledged. */
  readonly happens: (parley: MortalParley) => Promise<void>;
  readonly ends: (parley: MortalParley) => Promise<void>;
};

/** Tells the story once for every moment there is in it, and once without a death. Returns how many there were. */
async function dieEverywhere(story: Story): Promise<number> {
  const died = async (death: Death | undefined): Promise<boolean> => {
    const parley = await createMortalParley(story.play);
    try {
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
  it("an answer in several messages is there once and whole", { timeout: 60_000 }, async () => {
    const deaths = await dieEverywhere({
      play: () => answering(words),
      happens: async (parley) => {
        parley.ask("When?");
      },
      ends: (parley) => expectOneAnswer(parley, words),
    });

    expect(deaths).toBeGreaterThan(30);
  });

  it("a question that is asked again is answered in the same message", { timeout: 60_000 }, async () => {
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

  it("a question that was stopped is stopped, or answered when the stop died too", { timeout: 60_000 }, async () => {
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

  it("an edited question is answered by its new text", { timeout: 60_000 }, async () => {
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
});
