import { describe, expect, it } from "vitest";
import { createNameCache } from "../../src/commands/names/name-cache.ts";
import { ParleyError } from "../../src/core/errors.ts";
import type { Agent } from "../../src/core/ports/agent-service.ts";
import { appOf } from "../doubles/app.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { olderProfile } from "./room.ts";

const agent = (name: string): Agent => ({ name, project: "mindsdb", tables: [], knowledgeBases: [] });

function setUp(names: readonly string[]) {
  const clock = createFakeClock();
  let listed = names;
  let isAway = false;
  let reads = 0;
  let hold: Promise<void> = Promise.resolve();
  const answer = async <T>(value: T): Promise<T> => {
    await hold;
    if (isAway) throw new ParleyError("service_unreachable");
    return value;
  };
  const service = {
    listAgents: async () => {
      reads += 1;
      const now = listed;
      return answer(now.map(agent));
    },
    listKnowledgeBases: () => answer([{ name: "docs", project: "mindsdb" }]),
    listProjects: () => answer(["mindsdb"]),
    listDataSources: () => answer(["shop"]),
    listFiles: () => answer(["prices"]),
    profile: async () => ({ ...olderProfile, offers: ["agent-bases" as const] }),
  };
  const cache = createNameCache(appOf({ service, clock }), "mindsdb");
  return {
    cache,
    clock,
    reads: () => reads,
    list: (next: readonly string[]) => {
      listed = next;
    },
    goAway: () => {
      isAway = true;
    },
    /** Answers wait until the returned function is called. */
    holdAnswers: () => {
      let release = () => {};
      hold = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    complete: async (typed: string) => (await cache.complete("agent", typed)).map(({ value }) => value),
  };
}

describe("names that complete", () => {
  it("that start with the text come first, then those with a word that does, then those that contain it", async () => {
    const { complete } = setUp(["resales", "sales", "pre_sales", "salesforce", "other"]);

    expect(await complete("sal")).toEqual(["sales", "salesforce", "pre_sales", "resales"]);
  });

  it("are 25 at most, from 5,000 and without asking the service again", async () => {
    const { complete, reads } = setUp(Array.from({ length: 5_000 }, (_, index) => `agent_${index}`));
    await complete("");

    expect(await complete("4999")).toEqual(["agent_4999"]);
    expect(await complete("agent")).toHaveLength(25);
    expect(reads()).toBe(1);
  });

  it("come from memory when the service is down", async () => {
    const { complete, goAway, clock } = setUp(["sales"]);
    await complete("");

    goAway();
    await clock.advance(60_000);

    expect(await complete("s")).toEqual(["sales"]);
    await clock.advance(0);
    expect(await complete("s")).toEqual(["sales"]);
  });

  it("do not wait for a slow service", async () => {
    const { complete, holdAnswers, clock } = setUp(["sales"]);
    const release = holdAnswers();

    const asked = complete("");
    await clock.advance(200);

    expect(await asked).toEqual([]);
    release();
    await clock.advance(0);
    expect(await complete("")).toEqual(["sales"]);
  });

  it("don't hold up what the service offers", async () => {
    const { cache, holdAnswers, clock } = setUp(["sales"]);
    const release = holdAnswers();
    cache.touch();
    await clock.advance(0);

    expect(cache.offers("agent-bases")).toBe(true);
    expect(cache.offers("agent-changes")).toBe(false);
    release();
    await clock.advance(0);
    expect(cache.offers("agent-changes")).toBe(false);
  });

  it("are read again in the background once they are old", async () => {
    const { complete, list, clock } = setUp(["sales"]);
    await complete("");

    list(["sales", "support"]);
    await clock.advance(20_000);

    expect(await complete("")).toEqual(["sales"]);
    await clock.advance(0);
    expect(await complete("")).toEqual(["sales", "support"]);
  });

  it("immediately show what was created, renamed and deleted here", async () => {
    const { cache, complete } = setUp(["sales", "old"]);
    await complete("");

    cache.keepAgent(agent("fresh"));
    cache.keepAgent(agent("shop"), "sales");
    cache.dropAgent({ project: "mindsdb", name: "old" });

    expect(await complete("")).toEqual(["fresh", "shop"]);
  });

  it("keep what was created here when an older list arrives later", async () => {
    const { cache, complete, holdAnswers, clock } = setUp(["sales"]);
    await complete("");
    const release = holdAnswers();

    const reading = cache.refresh();
    cache.keepAgent(agent("fresh"));
    cache.dropAgent({ project: "mindsdb", name: "sales" });
    release();
    await reading;

    expect(await complete("")).toEqual(["fresh"]);
    expect(clock.pending()).toBe(0);
  });

  it("are read again when the response in flight may be too old", async () => {
    const { cache, complete, list, holdAnswers } = setUp(["sales"]);
    await complete("");
    const release = holdAnswers();

    const older = cache.refresh();
    list(["sales", "support"]);
    const newer = cache.refresh();
    release();

    expect(await older).toBe(true);
    expect(await newer).toBe(true);
    expect(await complete("")).toEqual(["sales", "support"]);
  });

  it("say when they could not be read", async () => {
    const { cache, goAway } = setUp(["sales"]);
    goAway();

    expect(await cache.refresh()).toBe(false);
  });

  it("offer all tables of a source and each file", async () => {
    const { cache } = setUp([]);

    const found = await cache.complete("table", "");

    expect(found.map(({ value }) => value)).toEqual(["shop.*", "files.prices"]);
  });
});
