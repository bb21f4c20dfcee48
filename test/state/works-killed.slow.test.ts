/** A work is done once, whatever dies in between: a process that does it is killed between every two of its steps. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Works } from "../../src/core/ports/storage/works.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisWorks } from "../../src/state/redis/works/works.ts";
import { openSqlite } from "../../src/state/sqlite/database.ts";
import { createSqliteWorks } from "../../src/state/sqlite/works.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";
import { shortWorkTimes } from "./short-times.ts";

const script = new URL("work-child.ts", import.meta.url).pathname;

type Opened = { readonly works: Works; readonly close: () => Promise<void> };

/** `fresh` gives the child's arguments for a store that nothing is in, and opens it after the child. */
type Store = () => Promise<{ readonly args: readonly string[]; readonly open: () => Promise<Opened> }>;

/** What it noted until it died, or was through. */
async function runChild(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "ignore", "inherit"] });
  await once(child, "exit");
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

/** Does here what is left in the store. Resolves with what was given up. */
async function doTheRest({ works }: Opened, file: string): Promise<readonly string[]> {
  const givenUp: string[] = [];
  works.define<string>("letters", {
    ...{ concurrency: 1, attempts: 3, backoff: () => 50, giveUpAfterMs: 3_600_000 },
    run: async ({ payload, begun }) => {
      appendFileSync(file, `run ${payload} ${begun}\n`);
      return undefined;
    },
    onGivenUp: async (_, error) => void givenUp.push(String(error)),
  });
  await works.start();
  const states = ["waiting", "delayed", "active"] as const;
  await until("the rest", async () => {
    const left = await Promise.all(states.map((state) => works.list("letters", state, 10)));
    return left.flat().length === 0;
  });
  return givenUp;
}

function describeDeaths(name: string, fresh: Store): void {
  it(`on ${name} it is done once, in whatever step the process dies`, async () => {
    let deaths = 0;
    for (let step = 1; ; step += 1) {
      const { args, open } = await fresh();
      const file = join(await temporaryFolder("works-killed"), "notes");
      await runChild([...args, file, String(step)]);
      const before = linesOf(file);
      const opened = await open();
      await doTheRest(opened, file);
      await opened.close();
      const lines = linesOf(file);
      const runs = lines.filter((line) => line.startsWith("run"));

      // What was acknowledged is done. Before that, nobody counts on it.
      if (before.includes("added")) expect(runs.length, `step ${step}`).toBeGreaterThan(0);
      // Not more often than once by each process, and the second one knows it.
      const hadBegun = before.some((line) => line.startsWith("run"));
      if (hadBegun) expect(runs.slice(1).every((run) => run === "run Hello 2")).toBe(true);
      expect(runs.length, `step ${step}`).toBeLessThanOrEqual(hadBegun ? 2 : 1);
      const through = before.find((line) => line.startsWith("through"));
      if (through !== undefined) {
        expect(runs).toEqual(["run Hello 1"]);
        expect(Number(through.split(" ")[1])).toBeLessThan(step);
        break;
      }
      deaths += 1;
    }
    // Adding, beginning and ending, with two steps each, and two in the run.
    expect(deaths).toBeGreaterThanOrEqual(8);
  });

  it(`on ${name} it is given up when the process dies of it each time`, async () => {
    const { args, open } = await fresh();
    const file = join(await temporaryFolder("works-poison"), "notes");
    const first = await open();
    await first.works.add("letters", "a", "Hello");
    await first.close();
    for (let death = 1; death <= 3; death += 1) await runChild([...args, file, "poison"]);
    expect(linesOf(file)).toEqual(["run Hello 1", "run Hello 2", "run Hello 3"]);

    const opened = await open();
    const givenUp = await doTheRest(opened, file);

    expect(givenUp).toEqual(["Error: The process ended during the last attempt."]);
    expect(await opened.works.list("letters", "failed", 10)).toMatchObject([{ key: "a" }]);
    expect(linesOf(file)).toHaveLength(3);
    await opened.close();
  });
}

describe("a work", () => {
  describeDeaths("SQLite", async () => {
    const dataDir = await temporaryFolder("works");
    return {
      args: ["sqlite", dataDir],
      open: async () => {
        const database = await openSqlite({ dataDir, clock, log });
        const works = createSqliteWorks({ database, clock, log });
        return {
          works,
          close: async () => {
            await works.drain();
            await database.close();
          },
        };
      },
    };
  });

  describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedisServer();
    });
    afterAll(() => server?.stop());

    async function open(): Promise<Opened> {
      const connection = await connectRedis({ url: server.url, clock, log });
      const coordinator = createRedisCoordinator({ connection, clock, log });
      const works = createRedisWorks({
        ...{ connection, coordinator, clock, log },
        url: server.url,
        times: shortWorkTimes,
      });
      return {
        works,
        close: async () => {
          await works.close();
          await coordinator.close();
          await connection.close();
        },
      };
    }

    describeDeaths("Redis", async () => {
      await server.restart({ forgets: true });
      return { args: ["redis", server.url], open };
    });
  });
});
