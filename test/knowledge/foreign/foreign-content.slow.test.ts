/** The real child process: what content does to it, and whose turn it is. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createForeignContent, type ForeignContent } from "../../../src/knowledge/foreign/foreign-content.ts";
import { createScratch, type Scratch } from "../../../src/knowledge/foreign/scratch.ts";
import { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { createTaskChild } from "../../../src/operations/child/task-child.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { childrenOf, isAlive } from "../../doubles/processes/children-of.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../reliability/towns/slack-town.ts";

let clock: ReturnType<typeof createFakeClock>;
let scratch: Scratch;
let content: ForeignContent;

// One for all tests, most of which leave its process to the next one: it takes half a second to start.
beforeAll(() => {
  clock = createFakeClock();
  scratch = createScratch({ log: silentLog });
  content = createForeignContent({ folder: scratch.folder, clock, log: silentLog });
});

afterAll(async () => {
  await content.close();
  await scratch.close();
});

/** Deep nesting costs the parser its square: many seconds. */
const slowPage = `<p>${"<b><i>".repeat(40_000)}</p>`;

async function read(html: string, owner = "alice", signal?: AbortSignal): Promise<string> {
  const [body, text] = [await scratch.file(), await scratch.file()];
  await writeFile(body.path, html);
  const task = { path: body.path, contentType: "text/html", address: "https://example.com/", into: text.path };
  return (await content.run("page", task, { owner, signal })).title;
}

const reason = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (failure: unknown) => (failure instanceof ReadFailure ? failure.reason : String(failure)),
  );

const children = () => childrenOf(process.pid, "foreign-child");
const oneChild = async (): Promise<number> => {
  await until("the child", async () => (await children()).length === 1);
  return (await children())[0] ?? 0;
};

describe("foreign content", () => {
  it("is parsed in one process, which is used again", async () => {
    expect(await read("<title>First</title><p>words</p>")).toBe("First");
    const first = await children();
    expect(await read("<title>Second</title><p>words</p>")).toBe("Second");

    expect(await children()).toEqual(first);
    expect(first).toHaveLength(1);
  });

  it("fails alone when it ends the process, and the next is read by a new one", async () => {
    const first = reason(read(slowPage));
    const pid = await oneChild();
    const second = read("<title>Next</title><p>words</p>");
    process.kill(pid, "SIGKILL");

    expect(await first).toBe("reading it needs too much memory");
    expect(await second).toBe("Next");
  });

  it("fails alone when it takes too long, also where the process no longer listens", async () => {
    const first = reason(read(slowPage));
    const pid = await oneChild();
    const second = read("<title>Next</title><p>words</p>");
    process.kill(pid, "SIGSTOP");
    await clock.advance(25_000);

    expect(await first).toBe("reading it took longer than 20 s");
    expect(await second).toBe("Next");
    expect(isAlive(pid)).toBe(false);
  });

  it("says itself that it takes too long, before it is killed", async () => {
    const body = await scratch.file();
    await writeFile(body.path, slowPage);
    const task = { path: body.path, contentType: "text/html", address: "https://example.com/", into: body.path };
    const program = new URL("../../../src/knowledge/foreign/foreign-child.ts", import.meta.url);
    const child = createTaskChild({ program, folder: scratch.folder, heapMegabytes: 192, maxKeptBytes: 2e8, clock });

    expect(await child.perform({ kind: "page", task, limitMs: 50 })).toEqual({ outcome: "late" });
    await child.close();
  });

  it("ends where the heap ends, which is far below what the main process may have", async () => {
    // An attribute is no tag, and each that is looked at takes a hundred times what it takes as text.
    const names = "id=a role=b dir=c lang=d rel=e itemprop=f start=g type=h checked src=i href=j alt=k";

    expect(await reason(read(`<p ${names}>words</p>`.repeat(30_000)))).toBe("reading it needs too much memory");
    expect(await read("<title>Next</title><p>words</p>")).toBe("Next");
  });

  it("of one owner waits for at most one task of another, however many there are", async () => {
    const order: string[] = [];
    const all = Array.from({ length: 50 }, (_, at) =>
      read(`<title>a${at}</title><p>words</p>`, "alice").then((title) => order.push(title)),
    );
    await until("the first", () => order.length > 0);
    await read("<title>b</title><p>words</p>", "bob").then((title) => order.push(title));

    expect(order.length).toBeLessThan(10);
    await Promise.all(all);
    expect(order).toHaveLength(51);
  });

  it("that waits is dropped immediately when nobody wants it any longer", async () => {
    const cancelled = new AbortController();
    const first = reason(read(slowPage));
    const pid = await oneChild();
    const second = reason(read("<p>words</p>", "alice", cancelled.signal));
    cancelled.abort(new Error("cancelled"));

    expect(await second).toBe("Error: cancelled");
    process.kill(pid, "SIGKILL");
    await first;
  });

  it("is read without anything of Parley's environment", async () => {
    await read("<p>words</p>");
    const pid = await oneChild();
    // There is no such folder on other systems than Linux.
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");

    expect(environment.split("\0").filter((entry) => !/^(?:NODE_CHANNEL_|$)/.test(entry))).toEqual([]);
  });

  it("cannot be exchanged for a file of this machine's: the process reads its own code and its task", async () => {
    const parent = await temporaryFolder("secret");
    await writeFile(join(parent, ".env"), "SLACK_BOT_TOKEN=xoxb-1");
    const titleOf = async (path: string) => {
      const { path: into } = await scratch.file();
      return content.run(
        "page",
        { path, contentType: "text/plain", address: "https://a.b/", into },
        { owner: "alice" },
      );
    };

    expect(await reason(titleOf(join(parent, ".env")))).toBe("too complex to read");
    expect(await reason(titleOf(`/proc/${process.pid}/environ`))).toBe("too complex to read");
    expect(await read("<title>Next</title><p>words</p>")).toBe("Next");
  });

  it("is read again as soon as there are file handles, and nothing is left when Parley ends", async () => {
    const parent = await temporaryFolder("scratch");
    const script = fileURLToPath(new URL("./no-handles-child.ts", import.meta.url));
    // Rejects when the process ends with anything but 0.
    const { stdout } = await promisify(execFile)("sh", [
      ...["-c", 'ulimit -n 256 && exec "$0" "$@"'],
      ...[process.execPath, script, parent],
    ]);

    expect(stdout.trim().split("\n")).toEqual([
      "ready",
      "ReadFailure: Parley has no memory or process left to read it. Try again later",
      "Read",
    ]);
    expect(await readdir(parent)).toEqual([]);
  });

  it("leaves no process behind when there is nothing to read, or its reader has left", async () => {
    await read("<p>words</p>");
    await clock.advance(30_000);
    await until("the end of the child", async () => (await children()).length === 0);

    await read("<p>words</p>");
    await content.close();
    expect(await children()).toEqual([]);
    expect(await reason(read("<p>words</p>"))).toContain("Parley is shutting down");
  });
});
