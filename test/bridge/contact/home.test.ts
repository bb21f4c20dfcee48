/** Parley's own tab: what a person sees who opens it. */
import { afterEach, describe, expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Job } from "../../../src/core/model/job.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Turn, TurnView } from "../../../src/core/model/turn.ts";
import type { HomeTab } from "../../../src/core/ports/chat-platform.ts";
import { inlineText } from "../../../src/presentation/drawing.ts";
import { sampleJob, sampleTurn } from "../../contracts/storage/sample-records.ts";
import { admin, alice, bob, general } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let published: Document[];

afterEach(() => parley.stop());

async function openHome(
  options: {
    readonly actor?: typeof alice;
    readonly shared?: HomeTab["sharedChannels"];
    readonly openGaps?: () => Promise<number>;
  } = {},
) {
  published = [];
  const home: HomeTab = {
    publish: async (_, document) => void published.push(document),
    sharedChannels: options.shared ?? (async () => [general, { ...general, channel: "random" }]),
  };
  const health = () => ({ isConnected: true, reason: "The app lacks a scope. Reinstall the app." });
  const { openGaps } = options;
  parley = await createHarness({ platform: { home, health }, ...(openGaps === undefined ? {} : { openGaps }) });
  await parley.bindings().setChannel(general, { agent: "sales" });
  const event = parley.send({
    ...{ kind: "home-opened", eventKey: "memory/T1/home/1", order: "1" },
    actor: options.actor ?? alice,
  });
  await parley.settle();
  await event.done;
  return { event, shown: JSON.stringify(published) };
}

describe("Parley's own tab", () => {
  it("shows the welcome card and who answers in the channels that the person shares with Parley", async () => {
    const { event, shown } = await openHome();

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(published).toHaveLength(1);
    expect(shown).toContain("Hi, I'm Parley");
    expect(shown).toContain('{"text":"general","channelId":"general"}');
    expect(shown).toContain("sales");
    expect(shown).toContain('{"text":"random","channelId":"random"}');
    expect(parley.agents.runs).toEqual([]);
  });

  it("tells people who manage what is wrong, and nobody else", async () => {
    expect((await openHome()).shown).not.toContain("Reinstall");
    await parley.stop();
    expect((await openHome({ actor: admin })).shown).toContain("Reinstall the app.");
  });

  it("tells people who manage how many questions wait for a better answer, and nobody else", async () => {
    const openGaps = async () => 3;
    expect((await openHome({ openGaps })).shown).not.toContain("better answer");
    await parley.stop();
    expect((await openHome({ openGaps, actor: admin })).shown).toContain("3 questions wait for a better answer");
    await parley.stop();
    expect((await openHome({ openGaps: async () => 0, actor: admin })).shown).not.toContain("better answer");
  });

  it("appears without the questions that wait if they can't be counted", async () => {
    const openGaps = () => Promise.reject(new ParleyError("state_unavailable"));

    expect((await openHome({ openGaps, actor: admin })).shown).toContain("Hi, I'm Parley");
  });

  it.each([
    ["is unknown", async () => undefined],
    [
      "can't be asked",
      async () => {
        throw new ParleyError("platform_unreachable");
      },
    ],
  ])("appears without the channels when the list %s", async (_, shared) => {
    const { shown } = await openHome({ shared });

    expect(shown).toContain("Hi, I'm Parley");
    expect(shown).not.toContain("Your channels");
  });
});

const failedTurn = (id: string, changes: Partial<Turn> = {}): Turn => {
  const turn = sampleTurn(id, {
    ...{ state: "failed", actor: alice, askedIn: general, conversation: { ...general, thread: id } },
    ...{ agent: { project: "mindsdb", name: "sales" }, question: "a secret question" },
    ...{ createdAtMs: parley.clock.now() - 3_600_000, endedAtMs: parley.clock.now() - 3_600_000 },
    ...changes,
  });
  const error = { code: "stream_too_long", what: "It said “secret words”.", hint: "" };
  const { ref, question } = turn;
  const outcome: TurnView = {
    ...{ turnId: id, ref, state: "failed", agent: "sales", question, steps: [], tables: [], sources: [], error },
    ...{ isPartial: false, isResumed: false },
  };
  return { ...turn, outcome };
};

const runningJob = (id: string, changes: Partial<Job> = {}): Job =>
  sampleJob(id, {
    ...{ state: "running", actor: alice, askedIn: general, knowledgeBase: "handbook" },
    items: [{ kind: "url", state: "waiting", label: "a secret page" }],
    ...changes,
  });

async function homeFor(actor: Actor, shared: readonly Place[] = []) {
  await openHome({ actor, shared: async () => shared });
  published.length = 0;
  return {
    see: async () => {
      await openAgain(actor);
      return published.at(-1);
    },
  };
}

async function openAgain(actor: Actor) {
  const event = parley.send({ ...{ kind: "home-opened", eventKey: "memory/T1/home/2", order: "2" }, actor });
  await parley.settle();
  await event.done;
}

const press = async (action: string, value: string, actor: Actor) => {
  const event = parley.send({
    ...{ kind: "action", eventKey: `memory/T1/press/${value}`, order: "3" },
    actor,
    action,
    value,
  });
  await parley.settle();
  await event.done;
  return event;
};

const buttonsOf = (document: Document | undefined) =>
  (document?.blocks ?? []).flatMap((block) => (block.kind === "actions" ? block.actions : []));

describe("running jobs in Parley's own tab", () => {
  it("are the person's own, all of the workspace for people who manage, and say nothing about their content", async () => {
    const { see } = await homeFor(bob);
    await parley.state().jobs.create(runningJob("j1"));
    await parley.state().jobs.create(runningJob("j2", { actor: bob, knowledgeBase: "pricing" }));
    await parley.state().jobs.create(runningJob("j3", { actor: bob, askedIn: { ...general, workspace: "T2" } }));
    await parley.state().jobs.create(runningJob("j4", { actor: bob, state: "done" }));

    const own = await see();
    await openAgain(admin);
    const all = published.at(-1);

    const cancelled = (document: Document | undefined) =>
      buttonsOf(document).flatMap(({ id, value }) => (id === "cancel-job" ? [value] : []));
    expect(cancelled(own)).toEqual(["j2"]);
    expect(cancelled(all).toSorted()).toEqual(["j1", "j2"]);
    expect(JSON.stringify(all)).toContain("Adding to");
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  it("disappear within ten seconds of their end, and are not looked for after that", async () => {
    const { see } = await homeFor(alice);
    await parley.state().jobs.create(runningJob("j1"));
    await see();

    await parley.clock.advance(10_000);
    expect(published).toHaveLength(1);
    await parley.state().jobs.transition("j1", ["running"], "done");
    await parley.clock.advance(10_000);
    await until("the tab without the job", () => published.length === 2);

    expect(buttonsOf(published[1]).some(({ id }) => id === "cancel-job")).toBe(false);
    await parley.clock.advance(60_000);
    expect(published).toHaveLength(2);
  });

  it("are published again after a press", async () => {
    await homeFor(alice);

    const event = parley.send({
      ...{ kind: "action", eventKey: "memory/T1/press", order: "3", action: "thumb-up", value: "t1", isInHome: true },
    });
    await parley.settle();
    await event.done.catch(() => undefined);

    expect(published).toHaveLength(1);
  });
});

describe("problems of the last day in Parley's own tab", () => {
  it("are counted by agent and error, for people who manage, without anyone's words", async () => {
    const { see } = await homeFor(admin);
    const { turns } = parley.state();
    await turns.create(failedTurn("t1", { ref: "aaaa" }));
    await turns.create(failedTurn("t2", { ref: "bbbb" }));
    await turns.create(failedTurn("t3", { ref: "cccc", agent: { project: "shop", name: "helper" } }));
    await turns.create(failedTurn("t4", { ref: "dddd", createdAtMs: parley.clock.now() - 25 * 3_600_000 }));
    await turns.create(failedTurn("t5", { ref: "eeee", conversation: { ...general, workspace: "T2" } }));
    await parley.clock.advance(10_001);

    const shown = await see();
    const lines = (shown?.blocks ?? []).flatMap((block) => (block.kind === "text" ? [inlineText(block.text)] : []));
    const problems = lines.filter((line) => line.startsWith("⚠️"));
    await openAgain(alice);

    expect(problems).toHaveLength(2);
    expect(problems.join("\n")).toMatch(/⚠️ sales: .* hit its time limit\. 2 times, last .* UTC · ref (aaaa|bbbb)/);
    expect(problems.join("\n")).toMatch(/shop\.helper: .* Once, .* · ref cccc/);
    expect(JSON.stringify(shown)).not.toContain("secret");
    expect(JSON.stringify(published.at(-1))).not.toContain("⚠️");
  });

  it("show each reference to a manager, with the channel only where that person is in it", async () => {
    await homeFor(admin, [general]);
    const { turns } = parley.state();
    await turns.create(failedTurn("t1", { ref: "aaaa", actor: bob }));
    await turns.create(
      failedTurn("t2", { ref: "bbbb", actor: bob, conversation: { ...general, channel: "board", thread: "9" } }),
    );
    await parley.clock.advance(10_001);

    const { sent } = await press("show-failures", "t1", admin);
    const list = sent[0]?.document.blocks.find((block) => block.kind === "list");
    const lines = list?.kind === "list" ? list.items.map(({ text }) => inlineText(text)) : [];

    expect(sent[0]?.visibility).toBe("private");
    expect(sent[0]?.document.summary).toContain("sales: The agent hit its time limit.");
    expect(lines.find((line) => line.includes("aaaa"))).toContain("general");
    expect(lines.find((line) => line.includes("bbbb"))).not.toContain("board");
    expect(JSON.stringify(sent)).not.toContain("secret");
  });

  it("are refused to everyone else, and gone when they were deleted", async () => {
    await homeFor(alice);

    const refused = await press("show-failures", "t1", alice);
    const gone = await press("show-failures", "t9", admin);

    expect(refused.sent[0]?.document.tone).toBe("failed");
    expect(JSON.stringify(refused.sent)).toContain("admin");
    expect(JSON.stringify(gone.sent)).toContain("older than a day");
  });
});
