/** Pages that end the process which parses them, again and again, through jobs, the real reader and its real child process. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { admin } from "../../doubles/people.ts";
import { childrenOf } from "../../doubles/processes/children-of.ts";
import { until } from "../../reliability/towns/slack-town.ts";
import { openRoom, type Room } from "../room.ts";

/** Deep nesting costs the parser its square: many seconds, in which the test ends the process. */
const slowPage = `<p>${"<b><i>".repeat(40_000)}</p>`;
const noMemory = "reading it needs too much memory";
const deadly = Array.from({ length: 10 }, (_, at) => `/deadly${at}`);

let room: Room;
let site: Site;

beforeEach(async () => {
  site = await startSite({ "/robots.txt": { status: 404 }, "/good": article("Good", "All is well.") });
  for (const path of deadly) site.set(path, slowPage);
  room = await openRoom();
  await room.makeBase("docs");
});

afterEach(async () => {
  await room.close();
  await site.close();
});

const children = () => childrenOf(process.pid, "foreign-child");

/** Each is at a page when it is found: it is started for one. */
async function endEachChild(times: number): Promise<void> {
  let last = 0;
  for (let ended = 0; ended < times; ended += 1) {
    await until("another child", async () => (await children()).some((pid) => pid !== last));
    last = (await children()).find((pid) => pid !== last) ?? 0;
    process.kill(last, "SIGKILL");
  }
}

/** That have ended, and that nobody has asked how. */
async function zombies(): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "ppid=,stat="]);
  return stdout.split("\n").filter((line) => new RegExp(`^\\s*${process.pid}\\s+Z`).test(line)).length;
}

async function expectNothingLeft(): Promise<void> {
  expect(await readdir(room.parts().knowledge.reading.scratch.folder)).toEqual([]);
  expect((await children()).length).toBeLessThanOrEqual(1);
  await until("no zombie", async () => (await zombies()) === 0);
}

it("ten pages in a row that end the process are ten failures with their reason, and the page behind them is read", async () => {
  const urls = [...deadly, "/good"].map((path) => site.url + path).join(" ");
  await room.say(`/kb ingest ${urls} into docs by parley`);
  await endEachChild(deadly.length);

  expect((await room.over()).items.map(({ state, reason }) => reason ?? state)).toEqual([
    ...deadly.map(() => noMemory),
    "done",
  ]);
  await expectNothingLeft();
});

it("ten of them in one crawl are skipped, and the crawl continues", async () => {
  site.set("/start", article("Start", "The start.", [...deadly, "/good"]));
  await room.say(`/kb ingest ${site.url}/start into docs by parley depth 1 limit 50`);
  await until("the start", () => site.asked.includes("/deadly0"));
  await endEachChild(deadly.length);

  expect((await room.over()).items).toMatchObject([{ state: "done", pages: 2 }]);
  await expectNothingLeft();
});

it("twenty people who crawl at once have one process between them, also while it is ended", async () => {
  const people = Array.from({ length: 20 }, (_, at) => ({ ...admin, id: `U1${at}` }));
  const begun = [];
  for (const [at, actor] of people.entries()) {
    site.set(`/start${at}`, article(`Start ${at}`, "The start.", [`/a${at}`, `/b${at}`, `/c${at}`]));
    for (const name of ["a", "b", "c"]) site.set(`/${name}${at}`, article(`${name} of ${at}`, "Words."));
    await room.say(`/kb ingest ${site.url}/start${at} into docs by parley depth 1`, { actor });
    begun.push(await room.newest());
  }
  const { jobs } = room.parts().knowledge;
  let isOver = false;
  const all = Promise.all(begun.map(({ id }) => jobs.ended(id))).finally(() => {
    isOver = true;
  });
  let most = 0;
  let ended = 0;
  while (!isOver) {
    const [pid, ...others] = await children();
    most = Math.max(most, others.length + (pid === undefined ? 0 : 1));
    if (pid === undefined || ended >= 5) continue;
    ended += 1;
    process.kill(pid, "SIGKILL");
  }
  const items = (await all).flatMap((job) => job?.items ?? []);

  expect([items.length, most, ended]).toEqual([20, 1, 5]);
  for (const { state, reason } of items) expect(reason ?? state).toBe(state === "failed" ? noMemory : "done");
  expect(items.filter(({ state }) => state === "done").length).toBeGreaterThanOrEqual(15);
  await expectNothingLeft();
});
