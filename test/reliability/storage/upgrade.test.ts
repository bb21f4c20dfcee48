/**
 * The upgrade: what a killed process of an earlier version left in its storage is taken up by this one, and nothing is
 * lost. The storages are real ones: README.md in test/fixtures/0.1.0, before-quiet, before-gaps and before-responses says
 * how they were made.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBindings } from "../../../src/access/bindings.ts";
import type { DayCell } from "../../../src/insight/digest/day-cell.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { hasRedisServer } from "../../doubles/processes/redis-server.ts";
import { textOf } from "../../fakes/discord/world.ts";
import { type Facts, type OldVersion, openOldTown } from "../towns/old-town.ts";
import { until } from "../towns/slack-town.ts";

type Town = Awaited<ReturnType<typeof openOldTown>>;

let town: Town | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await town?.close();
  town = undefined;
});

const unfinished = ({ turns }: Facts) =>
  turns.filter(({ state }) => ["queued", "running", "interrupted"].includes(state));

/** Every message that stands in one of the three chats, as text, by its id. */
async function allMessages({ slack, discord, parley }: Town): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { ts, text, blocks } of slack.world.messages.values()) found.set(ts, `${text} ${JSON.stringify(blocks)}`);
  for (const one of discord.world.messages.values()) if (!one.isDeleted) found.set(one.id, textOf(one));
  const get = async (path: string) => (await fetch(parley.url + path)).json();
  const { conversations } = (await get("/api/conversations")) as {
    conversations: { channel: string; thread: string }[];
  };
  for (const { channel, thread } of conversations) {
    const { messages } = (await get(`/api/conversations/${channel}/${thread}`)) as { messages: { id: string }[] };
    for (const message of messages) found.set(message.id, JSON.stringify(message));
  }
  return found;
}

/** The ids of the messages that say so. */
const idsOf = async (opened: Town, words: string): Promise<string[]> =>
  [...(await allMessages(opened))].flatMap(([id, text]) => (text.includes(words) ? [id] : []));

/** Messages that everybody sees. */
const publicCount = ({ slack, discord }: Town) =>
  [...slack.world.messages.values()].filter(({ visibleTo }) => visibleTo === undefined).length +
  [...discord.world.messages.values()].filter(({ seenBy, isDeleted }) => seenBy === undefined && !isDeleted).length;

const storages = (["sqlite", "redis"] as const).filter((storage) => storage === "sqlite" || hasRedisServer());

const versions: readonly OldVersion[] = ["0.1.0", "before-quiet", "before-gaps", "before-responses"];
const left = versions.flatMap((version) => storages.map((storage) => ({ version, storage })));

describe.each(left)("a start on what $version left in $storage", ({ version, storage }) => {
  it("gives every Turn one ending in its own message, ends the Jobs, and keeps everything else", async () => {
    const opened = await openOldTown(version, storage);
    town = opened;
    const { facts, service, slack, feeding, parley, redis } = opened;
    const before = publicCount(opened);
    expect(unfinished(facts)).toHaveLength(10);

    await parley.start();
    for (const { question, hasOutcome } of unfinished(facts)) {
      const answer = `${hasOutcome ? "This is the" : "The new"} answer to: ${question}`;
      await until(`the answer to: ${question}`, async () => (await idsOf(opened, answer)).length > 0);
    }
    await until("the end of the Jobs", async () => (await idsOf(opened, "Added to")).length === facts.jobs.length);
    slack.person("U0BOB").mention("C0GENERAL", "And now?", {
      thread: [...slack.world.messages.values()].find(({ text }) => text.includes("When is the backup"))?.ts ?? "",
    });
    await until("an answer in the old thread", () =>
      [...slack.world.messages.values()].some(({ blocks }) => JSON.stringify(blocks).includes("answer to: And now")),
    );
    await until("the end of all Turns", () => service.runs.atOnce === 0);

    // Votes of that version count on: Alice's 👍, and Bob's 👎, which he changes now.
    const rated = facts.turns.find(({ question }) => question.includes("When is the backup"))?.parts[0] ?? "";
    await slack.person("U0BOB").click(rated, "👍");
    const lineOf = (ts: string) => JSON.stringify(slack.world.messages.get(ts)?.blocks);
    await until("both votes", () => lineOf(rated).includes(' · 👍 2"'));
    await until("Bob's note", () =>
      [...slack.world.messages.values()].some(
        ({ visibleTo, blocks }) => visibleTo === "U0BOB" && JSON.stringify(blocks).includes("Your vote is now 👍."),
      ),
    );

    // Each answer stands once, in the message that was there; one message had not been posted.
    for (const { question, parts } of unfinished(facts)) {
      const [messageId = expect.any(String)] = parts.filter((part) => part !== null);
      expect(await idsOf(opened, `answer to: ${question}`)).toEqual([messageId]);
    }
    const unposted = unfinished(facts).filter(({ parts }) => parts.includes(null)).length;
    const [oneQuestion, oneAnswer] = [1, 1];
    expect(publicCount(opened)).toBe(before + unposted + oneQuestion + oneAnswer);
    const asked = service.requests.filter(({ path }) => path.endsWith("/completions/stream"));
    expect(asked).toHaveLength(unfinished(facts).filter(({ hasOutcome }) => !hasOutcome).length + 1);
    const followUp = asked.map(({ body }) => body).find((body) => body.includes("And now?"));
    expect(followUp).toContain("This is the answer to: When is the backup?");
    expect(followUp).toContain("This is the answer to: And the restore?");
    expect(feeding.inserts.flatMap(({ what }) => what).sort()).toEqual(
      ["one", "three", "two"].map((name) => `https://docs.example.com/${name}`),
    );
    expect(slack.violations).toEqual([]);

    expect(await parley.end()).toBe(0);
    const { log, text } = createCollectedLog();
    // The time of the fixtures here as well: keyv asks no other clock.
    vi.spyOn(Date, "now").mockReturnValue(facts.madeAtMs + 60_000);
    const state = await openState({
      dataDir: parley.dataDir,
      ...(redis === undefined ? {} : { redisUrl: redis.url }),
      clock: createFakeClock(facts.madeAtMs + 60_000),
      log,
    });
    for (const { id, question, feedback } of facts.turns) {
      expect(await state.turns.get(id)).toMatchObject({ state: "answered", question, feedback });
    }
    for (const { id } of facts.jobs) expect(await state.jobs.get(id)).toMatchObject({ state: "done" });
    for (const [namespace, keys] of Object.entries(facts.keyValues)) {
      const store = state.keyValue<unknown>(namespace);
      for (const key of keys) expect([namespace, key, await store.get(key)]).not.toContain(undefined);
    }
    // A question that ended before days were counted is counted with the next vote on it.
    let [counted, up] = [0, 0];
    for await (const [, cell] of state.keyValue<DayCell>("day-counts").entries("slack/T0ACME/")) {
      const sums = Object.values(cell.agents).flatMap((quarters) => Object.values(quarters));
      counted += sums.reduce((all, [questions]) => all + questions, 0);
      up += sums.reduce((all, [, , ups]) => all + ups, 0);
    }
    expect(counted).toBeGreaterThan(1);
    expect(up).toBe(2);
    if (version !== "0.1.0") {
      const bindings = createBindings({
        inTurn: (_key, work) => work(),
        ...{ store: state.keyValue("bindings"), stamps: state.keyValue("binding-stamps"), clock: createFakeClock() },
        ...{ service: { listAgents: async () => [] }, settings: { project: "mindsdb" } },
      });
      const general = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
      // It meant every message once.
      expect(await bindings.modeOf(general)).toBe(version === "before-quiet" ? "every" : "channel");
    }
    expect(state.damage()).toEqual({ count: 0, keys: [] });
    expect(text()).not.toContain("damaged");
    vi.restoreAllMocks();
    await state.close();
  });
});
