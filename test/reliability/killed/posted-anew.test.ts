/**
 * kill -9 at every step of an end that is posted beside its progress because edits are short: whatever the moment, one
 * answer is there in the end, whole, and nothing else.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { createMortalParley, type Death, type MortalParley, type Play } from "../towns/mortal-parley.ts";

/** Few edits, so that progress uses them up; posts are plenty. */
const writes = {
  perWorkspace: { capacity: 1, refillPerMinute: 6, counts: "edits" },
  posts: {
    perWorkspace: { capacity: 50, refillPerMinute: 300 },
    perChannel: { capacity: 5, refillPerMinute: 60 },
  },
  keptForFinals: 0,
} as const;

const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");

let answerNow = () => {};

/** After its step is shown, which takes the edit. */
async function* answering(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  await new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  yield { type: "answer", text };
  yield { type: "ended" };
}

async function* answeringAtOnce(text: string): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "answer", text };
  yield { type: "ended" };
}

async function asked(parley: MortalParley): Promise<void> {
  parley.ask("When?");
  await parley.settle(1_000);
  answerNow();
}

async function* working(): AsyncGenerator<AgentEvent> {
  yield { type: "started" };
  yield { type: "step-started", tool: "kb_list_tool", input: "" };
  await new Promise(() => {});
}

type Story = {
  readonly play: Play;
  readonly begins?: (parley: MortalParley) => void;
  readonly happens: (parley: MortalParley) => Promise<void>;
  readonly ends: (parley: MortalParley) => Promise<void>;
};

/** Once for every moment there is, and once without a death. Returns what is done when nobody dies. */
async function dieEverywhere(story: Story): Promise<readonly string[]> {
  const told = async (death: Death | undefined) => {
    const parley = await createMortalParley(story.play, {}, { limits: { writes } });
    try {
      story.begins?.(parley);
      await parley.start(death);
      await story.happens(parley);
      await parley.settle(120_000);
      const steps = [...parley.steps()];
      const isDead = parley.isDead();
      if (isDead) {
        await parley.start();
        await story.happens(parley);
        await parley.settle(120_000);
      }
      await story.ends(parley).catch((failure: unknown) => {
        const moment = `${death?.side} step ${steps.length}: ${steps.at(-1)}`;
        throw new Error(`After a death ${moment}`, { cause: failure });
      });
      return { isDead, steps };
    } finally {
      await parley.close();
    }
  };
  const { steps } = await told(undefined);
  for (let at = 1; ; at += 1) {
    if (!(await told({ at, side: "before" })).isDead) return steps;
    await told({ at, side: "after" });
  }
}

/** Nothing but the answer, and nothing left to remove. */
async function expectOneAnswer(parley: MortalParley, text: string): Promise<void> {
  const shown = parley.texts().join(" ").replaceAll(/\s+/g, " ");
  expect(shown.split(text)).toHaveLength(2);
  expect(shown).not.toContain("looking it up");
  const turn = await parley.turn();
  expect(turn).toMatchObject({ state: "answered" });
  expect(turn?.reply.superseded).toBeUndefined();
  expect(await parley.untidied()).toEqual([]);
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
}

describe("killed while an end is posted beside its progress", () => {
  it("the answer is there once, and the progress is gone", async () => {
    const steps = await dieEverywhere({
      play: () => answering("At two."),
      happens: asked,
      ends: (parley) => expectOneAnswer(parley, "At two."),
    });

    expect(steps.join(", ")).toMatch(
      /post.*edit.*add tidying, to running reply, post, to running reply.*to answered.*add tidying.*remove, to answered reply, end tidying/,
    );
  });

  it("a long answer is there once, in order, and the progress is gone", async () => {
    await dieEverywhere({
      play: () => answering(words),
      happens: asked,
      ends: (parley) => expectOneAnswer(parley, words),
    });
  });

  it("a question that is edited meanwhile is answered by its new text, once", async () => {
    await dieEverywhere({
      play: (run, question) => (run === 1 ? working() : answering(`You asked: ${question}`)),
      happens: async (parley) => {
        parley.ask("When?");
        await parley.settle(1_000);
        parley.edit("When exactly?");
        await parley.settle(1_000);
        answerNow();
      },
      ends: (parley) => expectOneAnswer(parley, "You asked: When exactly?"),
    });
  });

  it("a question that is stopped then says so once, or is answered when the stop died too", async () => {
    await dieEverywhere({
      play: (run) => (run === 1 ? working() : answering("At two.")),
      happens: async (parley) => {
        parley.ask("When?");
        await parley.settle(1_000);
        await parley.press("stop");
        await parley.settle(1_000);
        answerNow();
      },
      ends: async (parley) => {
        const turn = await parley.turn();
        if (turn?.state === "answered") return expectOneAnswer(parley, "At two.");
        expect(turn?.state).toBe("stopped");
        expect(parley.texts()).toHaveLength(1);
        expect(parley.texts()[0]).toContain("Stopped");
        expect(await parley.untidied()).toEqual([]);
      },
    });
  });

  it("a question that is asked again meanwhile is answered once", async () => {
    await dieEverywhere({
      play: (run) => answering(run === 1 ? "" : "At two."),
      happens: async (parley) => {
        await asked(parley);
        await parley.settle(200);
        await parley.press("retry");
        await parley.settle(1_000);
        answerNow();
      },
      ends: async (parley) => {
        // Died with the press in hand: it was not acknowledged, so the person sees that nothing happened.
        if ((await parley.turn())?.state === "failed") expect(parley.texts()).toHaveLength(1);
        else await expectOneAnswer(parley, "At two.");
        expect(await parley.untidied()).toEqual([]);
      },
    });
  });

  it("an answer that an edit had shown before stays the only one, although edits are short after the start", async () => {
    const parley = await createMortalParley(() => answeringAtOnce("At two."), {}, { limits: { writes } });
    try {
      await parley.start({ on: "edit", side: "after" });
      parley.ask("When?");
      await parley.settle(5_000);
      expect(parley.isDead()).toBe(true);
      expect(parley.texts().join(" ")).toContain("At two.");

      parley.platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 30_000, times: 1 });
      await parley.start();
      await parley.settle(120_000);

      expect(parley.steps()).toContain("edit");
      expect(parley.steps()).not.toContain("post");
      await expectOneAnswer(parley, "At two.");
    } finally {
      await parley.close();
    }
  });

  it("what can't be removed says that the answer is below", async () => {
    await dieEverywhere({
      play: () => answering("At two."),
      begins: ({ platform }) => platform.fail({ on: "remove", error: "not_permitted", times: 1_000 }),
      happens: asked,
      ends: async (parley) => {
        const texts = parley.texts().filter((text) => !text.includes("is ready"));
        expect(texts.join(" ").split("At two.")).toHaveLength(2);
        expect(texts.filter((text) => !text.includes("At two."))).toEqual(texts.length > 1 ? ["Answered below."] : []);
        expect(await parley.untidied()).toEqual([]);
      },
    });
  });
});
