/**
 * The real process before a service that keeps its runs and conversations, and SIGKILL in the middle of an answer: the
 * service gets the question once.
 */
import { afterEach, describe, expect, it } from "vitest";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { type Cowork, startCowork } from "../../fakes/cowork/index.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

let town: Town;
let cowork: Cowork;
afterEach(async () => {
  expect(town.slack.violations).toEqual([]);
  await town.close();
  await cowork.close();
});

async function open(wordMs: number) {
  cowork = await startCowork({ wordMs });
  town = await openTown({
    script: (run) => answers25({ question: run.question, answer: "Not this one." }),
    settings: { AGENT_SERVICE_URL: cowork.root, AGENT_DEFAULT: "anton" },
  });
}

const alice = () => town.slack.person("U0ALICE");
const shown = (ts: string) => wordsOf(town.replies(ts)[0]);
const asked = () => cowork.calls.filter(({ method, path }) => method === "POST" && /\/responses\/?$/.test(path)).length;

async function askSlowly(): Promise<string> {
  const { ts } = alice().mention(general, "slow please");
  await until("its first words", () => shown(ts).includes("word3"));
  expect(shown(ts)).toContain("still writing");
  return ts;
}

async function expectWhole(ts: string): Promise<void> {
  await until("the whole answer", () => shown(ts).includes("word59") && !shown(ts).includes("still writing"), 40_000);
  expect(town.replies(ts)).toHaveLength(1);
  expect(asked()).toBe(1);
  expect(cowork.conversations()).toHaveLength(1);
  expect(cowork.lost).toEqual([]);
}

describe("a run that the service keeps", () => {
  it("is read on by the next process after SIGKILL, and its conversation is continued", async () => {
    await open(100);
    const parley = await town.parley();
    const ts = await askSlowly();
    await parley.kill();

    await parley.start();
    await expectWhole(ts);
    alice().mention(general, "history please", { thread: ts });
    await until("the next answer", () => town.replies(ts).some((message) => wordsOf(message).includes("Earlier:")));

    expect(cowork.conversations()).toHaveLength(1);
  });
});
