/**
 * The real process, and pages that mean harm. Before there was a child process, 10 kB of the first one ended Parley, and
 * again after every start.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, isAlive, residentBytes } from "../../doubles/processes/children-of.ts";
import { type JobTown, openJobTown } from "../towns/job-town.ts";
import { until, wordsOf } from "../towns/slack-town.ts";

let town: JobTown;
afterEach(async () => {
  expect(town.slack.violations).toEqual([]);
  await town.close();
});

const html = { "content-type": "text/html" };
/** Its nesting costs the parser its square: the child is at it until its time is over. */
const slowPage = `<p>${"<b><i>".repeat(45_000)}</p>`;

const metric = async (url: string, name: string) => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
};

describe("a hostile page", () => {
  it("of 10 kB that unpacks to 10 MB of open tags is one failed page, and isn't fetched again", async () => {
    town = await openJobTown();
    const parley = await town.parley();
    const pages = {
      "/ten": "<p>a".repeat(2_600_000),
      "/three": "<p>a".repeat(750_000),
      "/most": "<p>a".repeat(30_000),
    };
    for (const [path, body] of Object.entries(pages)) {
      town.site.set(path, { headers: { ...html, "content-encoding": "gzip" }, body: gzipSync(body) });
    }
    const good = town.page("good");
    const pid = parley.pid();
    const [ten, three, most] = Object.keys(pages).map((path) => town.site.url + path);

    await town.ingest(`${ten} ${three} ${most} ${good} into docs by parley`);
    await until("its end", () => wordsOf(town.messages()[0]).includes("Added to docs · 2 of 4 done, 2 failed"));
    await parley.kill();
    await parley.start();
    // By then it has looked for what was left behind.
    await until("a job after the start", async () => {
      if (town.messages().length < 2) await town.ingest(`${good} into docs by parley`);
      return wordsOf(town.messages()[1]).includes("1 of 1 done");
    });

    const shown = wordsOf(town.messages()[0]);
    expect(shown).toContain("larger than 3 MB");
    expect(shown).toContain("the page has more than 100,000 HTML tags");
    expect(pid).not.toBe(parley.pid());
    for (const path of Object.keys(pages)) expect(town.site.asked.filter((asked) => asked === path)).toHaveLength(1);
    expect(town.inserted()).toHaveLength(3);
  });

  it("doesn't block the process or anyone else, and stays small", async () => {
    town = await openJobTown();
    const parley = await town.parley();
    town.site.set("/slow", { headers: html, body: slowPage });
    town.site.set("/large", { headers: html, body: `<p>${'<a href="x">y</a> '.repeat(10_000)}</p>` });
    const good = town.page("good");
    await town.ingest(`${town.site.url}/large ${town.site.url}/slow ${good} into docs by parley`);
    let childBytes = 0;
    await until(
      "its end",
      async () => {
        for (const child of await childrenOf(parley.pid() ?? 0, "foreign-child")) {
          childBytes = Math.max(childBytes, await residentBytes(child));
        }
        return wordsOf(town.messages()[0]).includes("Added to docs");
      },
      80_000,
    );

    expect(wordsOf(town.messages()[0])).toContain("2 of 3 done, 1 failed");
    expect(await metric(parley.url, "process_resident_memory_bytes")).toBeLessThan(400 * 1024 ** 2);
    expect(childBytes).toBeGreaterThan(0);
    expect(childBytes).toBeLessThan(350 * 1024 ** 2);
  });

  it("is no longer read after Parley was killed", async () => {
    town = await openJobTown();
    const parley = await town.parley();
    town.site.set("/slow", { headers: html, body: slowPage });
    await town.ingest(`${town.site.url}/slow into docs by parley`);
    let child = 0;
    await until("the child at work", async () => {
      [child = 0] = await childrenOf(parley.pid() ?? 0, "foreign-child");
      return child !== 0 && town.site.asked.includes("/slow");
    });

    await parley.kill();

    await until("the end of the child", () => !isAlive(child));
  });

  it("ends Parley twice at most, where it ends it", async () => {
    let lives = 0;
    town = await openJobTown({ insert: ({ what }) => (what.includes(poison) ? held() : undefined) });
    const gates: ReturnType<JobTown["gate"]>[] = [];
    const held = () => {
      lives += 1;
      const gate = town.gate();
      gates.push(gate);
      return gate.wait();
    };
    const poison = town.page("poison");
    const good = town.page("good");
    const parley = await town.parley();
    await town.ingest(`${poison} ${good} into docs by service`);
    for (const life of [1, 2]) {
      await until("the attempt", () => lives === life);
      await parley.kill();
      await parley.start();
    }
    await until("its end", () => wordsOf(town.messages()[0]).includes("Added to docs · 1 of 2 done, 1 failed"));

    expect(wordsOf(town.messages()[0])).toContain("Parley stopped unexpectedly twice while adding it");
    expect(town.inserted()).toEqual([poison, poison, good]);
  });
});

describe("a stored job that is damaged", () => {
  it("is skipped, counted and reported once, and no other job waits for it", async () => {
    town = await openJobTown({ insert: () => held.wait() });
    const held = town.gate();
    const parley = await town.parley();
    const [first, second, third] = ["first", "second", "third"].map((name) => town.page(name));
    for (const [at, page] of [first, second].entries()) {
      await town.ingest(`${page} into docs by service`);
      await until("its message", () => town.messages().length === at + 1);
    }
    await parley.kill();
    const database = new DatabaseSync(join(parley.dataDir, "parley.db"));
    database.exec("UPDATE jobs SET record = substr(record, 1, 40) WHERE id = (SELECT min(id) FROM jobs)");
    database.close();
    await parley.start();
    held.open();
    await town.ingest(`${third} into docs by service`);

    await until("the healthy ones", () => town.service.rows("docs").length === 2);
    await until("their ends", () => town.messages().filter((one) => wordsOf(one).includes("1 of 1 done")).length === 2);
    const ready = await fetch(`${parley.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining("1 stored record is damaged")]);
    expect(parley.output().split("Skipping a damaged record")).toHaveLength(2);
  });
});
