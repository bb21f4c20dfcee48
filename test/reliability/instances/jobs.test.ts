/** Jobs of several real processes over one real Redis: which of them gets a command, or dies, must not matter. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import type { FeedingOptions } from "../../doubles/service/feeding-service.ts";
import { type JobTown, openJobTown } from "../towns/job-town.ts";
import { until, wordsOf } from "../towns/slack-town.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasRedisServer())("jobs of instances over one Redis", () => {
  let redis: RedisServer;
  let town: JobTown;
  beforeEach(async () => {
    redis = await startRedisServer();
  });
  afterEach(async () => {
    expect(town.slack.violations).toEqual([]);
    for (const parley of town.processes) expect(parley.output()).not.toMatch(/unhandled/i);
    await town.close();
    await redis.stop();
  });

  async function open(count: number, options: FeedingOptions = {}): Promise<ParleyProcess[]> {
    town = await openJobTown({ ...options, settings: { REDIS_URL: redis.url } });
    return Promise.all(Array.from({ length: count }, () => town.parley()));
  }

  it("are taken over when one is killed, at any stage, and end in the same messages", async () => {
    const knowledgeBases = ["reading", "inserting", "between", "unposted", "unended"];
    const [one] = await open(1, {
      knowledgeBases,
      insert: ({ number, knowledgeBase }) => (knowledgeBase === "inserting" && number === 1 ? held.wait() : undefined),
    });
    const held = town.gate();
    const page = Object.fromEntries(knowledgeBases.map((name) => [name, town.page(name, name === "reading")]));
    const next = town.page("next", true);

    await town.ingest(`${page["inserting"]} into inserting by service`);
    await until("an insert", () => town.service.inserts.length === 1);
    await town.ingest(`${page["reading"]} into reading by parley`);
    await until("a page that is read", () => town.site.asked.includes("/reading"));
    await town.ingest(`${page["between"]} ${next} into between by parley`);
    await until("the second page", () => town.site.asked.includes("/next"));
    await until("the first page's outcome", () =>
      JSON.stringify(town.message("between")?.blocks).includes("1 of 2 done"),
    );
    const end = town.way.hold({ path: "chat.update", containing: "Added to unended", moment: "before" });
    await town.ingest(`${page["unended"]} into unended by service`);
    await end.reached;
    const post = town.way.hold({ path: "chat.postMessage", containing: "unposted", moment: "after" });
    await town.ingest(`${page["unposted"]} into unposted by service`);
    await post.reached;
    await town.parley();
    await one?.kill();
    for (const { release } of [end, post]) release();
    held.open();

    for (const name of knowledgeBases) {
      const count = name === "between" ? 2 : 1;
      const words = `Added to ${name} · ${count} of ${count} done`;
      await until(`the end of ${name}`, () => town.message(name)?.text.includes(words) === true);
    }
    expect(town.messages()).toHaveLength(knowledgeBases.length);
    for (const name of knowledgeBases) expect(town.service.rows(name)).toHaveLength(name === "between" ? 2 : 1);
    const count = (address: string | undefined) => town.inserted().filter((put) => put === address).length;
    expect([page["reading"], page["between"], next, page["unended"]].map(count)).toEqual([1, 1, 1, 1]);
    // What was being put in when it died may or may not be in.
    expect(count(page["inserting"])).toBe(2);
  });

  it("never start a URL that is already being added, not even for someone else", async () => {
    await open(3, { insert: () => held.wait() });
    const held = town.gate();
    const address = town.page("page");

    await Promise.all(Array.from({ length: 8 }, () => town.ingest(`${address} into docs by service`)));
    await until("an insert", () => town.service.inserts.length === 1);
    const said = () => [...town.slack.world.messages.values()].filter((message) => message.bot_id !== undefined);
    await until(
      "seven refusals",
      () =>
        town.slack.responses.filter((one) => JSON.stringify(one).includes("by another job")).length +
          said().filter((message) => wordsOf(message).includes("by another job")).length >=
        7,
    );
    held.open();
    await until("its end", () => wordsOf(town.messages()[0]).includes("Added to docs · 1 of 1 done"));

    expect(town.messages()).toHaveLength(1);
    expect(town.service.inserts).toHaveLength(1);
  });

  it("put one thing at a time into a knowledge base, and things into several side by side", async () => {
    await open(3, {
      knowledgeBases: ["docs", "other"],
      refusesSecond: true,
      insert: async () => {
        await pause(100);
        return undefined;
      },
    });
    const addresses = Array.from({ length: 10 }, (_, index) => town.page(`page${index}`));

    const at = (index: number) => (index < 8 ? "docs" : "other");
    await Promise.all(addresses.map((address, index) => town.ingest(`${address} into ${at(index)} by service`)));
    await until(
      "all ends",
      () => town.messages().filter(({ text }) => text.includes("1 of 1 done") && text.includes("Added")).length === 10,
    );

    expect(town.service.most("docs")).toBe(1);
    // Nobody was told that it is busy, and tried again.
    expect(town.service.inserts).toHaveLength(10);
  });

  it("obey Cancel on whichever instance it is pressed", async () => {
    const knowledgeBases = ["red", "blue", "green", "white", "black", "brown"];
    await open(2, { knowledgeBases, insert: () => held.wait() });
    const held = town.gate();
    for (const name of knowledgeBases) await town.ingest(`${town.page(name)} into ${name} by service`);
    await until("six inserts", () => town.service.inserts.length === 6 && town.messages().length === 6);

    for (const { ts } of town.messages()) await town.alice.click(ts, "Cancel");
    for (const name of knowledgeBases) {
      await until(`${name} to be cancelled`, () => wordsOf(town.message(name)).includes(`Cancelled adding to ${name}`));
    }

    await until("the service to be left", () => town.service.inserts.every(({ wasLeft }) => wasLeft));
    expect(town.messages()).toHaveLength(6);
  });

  it("continue an insert while Redis is down for longer than a lease, and nobody repeats it", async () => {
    const [one] = await open(1, { insert: ({ number }) => (number === 1 ? held.wait() : undefined) });
    const held = town.gate();
    const addresses = [town.page("first"), town.page("second")];
    await town.ingest(`${addresses.join(" ")} into docs by service`);
    await until("the first insert", () => town.service.inserts.length === 1);
    const two = await town.parley();
    // Others wait for the same knowledge base, too.
    await town.ingest(`${town.page("third")} into docs by service`);
    await until("the job that waits", () => town.messages().length === 2);
    await pause(1_000);

    await redis.kill();
    // A lease lasts 15 s.
    await pause(20_000);
    await redis.restart();
    await pause(6_000);
    const during = town.service.inserts.length;
    held.open();
    await until("the end", () => town.message("2 of 2 done")?.text.startsWith("Added to docs") === true);
    await until("the other end", () => town.message("1 of 1 done")?.text.startsWith("Added to docs") === true);

    expect(during).toBe(1);
    expect(town.service.most("docs")).toBe(1);
    expect(town.inserted().toSorted()).toEqual([...addresses, `${town.site.url}/third`].toSorted());
    expect(town.messages()).toHaveLength(2);
    for (const parley of [one, two]) expect(parley?.output()).not.toContain("could not be completed");
  });

  it("are left alone by an instance that was frozen while another one finished them", async () => {
    const [one] = await open(1, { insert: ({ number }) => (number === 1 ? held.wait() : undefined) });
    const held = town.gate();
    await town.ingest(`${town.page("page")} into docs by service`);
    await until("the insert", () => town.service.inserts.length === 1);
    await until("its message", () => town.messages().length === 1);
    await town.parley();

    one?.freeze();
    await until("its end", () => wordsOf(town.messages()[0]).includes("Added to docs · 1 of 1 done"));
    const before = town.messages()[0]?.versions.length;
    one?.thaw();
    await until("it to notice", () => one?.output().includes("Another instance has taken over a job") === true);
    held.open();
    await pause(2_000);

    expect(town.messages()).toHaveLength(1);
    expect(town.messages()[0]?.versions).toHaveLength(before ?? 0);
  });

  it("are shown as they ended when an edit of the frozen instance, long on its way, came after that end", async () => {
    const [one] = await open(1, { insert: ({ number }) => (number === 1 ? held.wait() : undefined) });
    const held = town.gate();
    await town.ingest(`${town.page("page")} into docs by service`);
    await until("the insert", () => town.service.inserts.length === 1);
    await until("its message", () => town.messages().length === 1);
    const words = () => wordsOf(town.messages()[0]);
    const edit = town.way.hold({ path: "chat.update", containing: "docs", moment: "before" });
    await edit.reached;
    await town.parley();

    one?.freeze();
    await until("its end", () => words().includes("Added to docs · 1 of 1 done"));
    edit.release();
    await until("the old edit", () => !words().includes("Added to docs · 1 of 1 done"));
    one?.thaw();
    held.open();

    await until("its end again", () => words().includes("Added to docs · 1 of 1 done"));
    expect(town.messages()).toHaveLength(1);
  });
});
