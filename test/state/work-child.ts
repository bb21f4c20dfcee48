/**
 * A process that adds one work and does it, and kills itself at the step that it is told: before or after one of its
 * changes of the store, or within the run. What it does is in a file, since it says nothing at its end.
 * Arguments: "sqlite" and a folder, or "redis" and a URL; the file; the step; or "poison": each run kills it.
 */
import { appendFileSync } from "node:fs";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisWorks } from "../../src/state/redis/works/works.ts";
import { openSqlite } from "../../src/state/sqlite/database.ts";
import { createSqliteWorks } from "../../src/state/sqlite/works.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { shortWorkTimes } from "./short-times.ts";

const [store = "", where = "", file = "", dying = ""] = process.argv.slice(2);
const note = (line: string) => appendFileSync(file, `${line}\n`);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(dying)) process.kill(process.pid, "SIGKILL");
}

/** With a step on either side. */
async function between<T>(change: () => Promise<T>): Promise<T> {
  step();
  const result = await change();
  step();
  return result;
}

async function open() {
  if (store === "sqlite") {
    const database = await openSqlite({ dataDir: where, clock, log });
    const write = <T>(change: () => T) => between(() => database.write(change));
    return createSqliteWorks({ database: { ...database, write }, clock, log });
  }
  const connection = await connectRedis({ url: where, clock, log });
  const coordinator = createRedisCoordinator({ connection, clock, log });
  const evaluate: typeof connection.evaluate = (...call) => between(() => connection.evaluate(...call));
  const mortal = { ...connection, evaluate };
  return createRedisWorks({ connection: mortal, coordinator, url: where, clock, log, times: shortWorkTimes });
}

const works = await open();
works.define<string>("letters", {
  ...{ concurrency: 1, attempts: 3, backoff: () => 50, giveUpAfterMs: 3_600_000 },
  run: async ({ payload, begun }) => {
    step();
    note(`run ${payload} ${begun}`);
    if (dying === "poison") process.kill(process.pid, "SIGKILL");
    step();
    return undefined;
  },
});
// It ends with its parent, at the latest.
process.stdin.resume().on("end", () => process.exit());
await works.start();
if (dying !== "poison") {
  await works.add("letters", "a", "Hello");
  note("added");
  const isLeft = async () =>
    (await Promise.all((["waiting", "active"] as const).map((state) => works.list("letters", state, 1)))).flat().length;
  while ((await isLeft()) > 0) await clock.sleep(5);
  // The step after the last change.
  await new Promise((resolve) => setTimeout(resolve, 50));
  note(`through ${steps}`);
  process.exit();
}
