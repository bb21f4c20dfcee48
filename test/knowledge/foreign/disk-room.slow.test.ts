/** What all files under way take on the disk together: refused beyond a limit, and free again whatever becomes of them. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Attachment } from "../../../src/core/model/place.ts";
import { maxRowsBytes } from "../../../src/knowledge/foreign/content-limits.ts";
import { createScratch } from "../../../src/knowledge/foreign/scratch.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { admin } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../reliability/towns/slack-town.ts";
import { createGate, openRoom, type Room } from "../room.ts";

const noRoom = "Parley's disk is full. Try again later";
const megabyte = 1024 ** 2;

let room: Room | undefined;
let site: Site | undefined;

afterEach(async () => {
  await room?.close();
  await site?.close();
  room = site = undefined;
});

describe("files of many tasks", () => {
  it("are refused where all of them together are too large, and counted as what they turned out to be", async () => {
    const scratch = createScratch({ log: silentLog, parent: await temporaryFolder("scratch"), maxBytes: 100 });
    const first = await scratch.file(60);

    await expect(scratch.file(41)).rejects.toMatchObject({ reason: noRoom });
    const second = await scratch.file(40);
    expect(() => second.reserve(1)).toThrow(noRoom);
    await writeFile(first.path, "0123456789");
    await first.settle();
    second.reserve(50);
    expect(() => second.reserve(1)).toThrow(noRoom);
    await Promise.all([first.remove(), first.remove(), second.remove()]);

    const third = await scratch.file(100);
    expect(() => scratch.claim().reserve(1)).toThrow(noRoom);
    await third.remove();
    await third.settle();
    const claim = scratch.claim();
    claim.reserve(100);
    claim.release();
    claim.release();
    await (await scratch.file(100)).remove();
    await scratch.close();
  });

  it("that a killed process left are removed when Parley starts, before anything is read", async () => {
    const parent = await temporaryFolder("scratch");
    const left = join(parent, `parley-reading-${hostname()}-${2 ** 31 - 2}-${crypto.randomUUID()}`);
    await mkdir(left);
    await writeFile(join(left, "1"), "half a file");
    const scratch = createScratch({ log: silentLog, parent });

    await until("an empty folder", async () => (await readdir(parent)).length === 0);
    await scratch.close();
  });
});

describe("an attached file", () => {
  const bob = { ...admin, id: "U2", name: "Bob" };
  const attached = (name: string): Attachment => ({
    ...{ id: name, name, mediaType: "text/csv", sizeBytes: 10, reference: "" },
  });
  const table = Buffer.from(`a,b\n${"some words,other words\n".repeat(50)}`);

  /** Room for one table that is parsed, and a megabyte besides. */
  async function openNarrowRoom(): Promise<Room> {
    const opened = await openRoom({ maxScratchBytes: maxRowsBytes + megabyte });
    await opened.makeBase("docs");
    await opened.makeBase("other");
    return opened;
  }

  it("for which no room is left fails with a sentence, and is taken when another one is done", async () => {
    room = await openNarrowRoom();
    const gate = createGate();
    room.attach(async function* () {
      yield Buffer.concat([table, Buffer.alloc(megabyte - 2 * table.length, "c,d\n")]);
      await gate.wait();
    });
    await room.say("/kb add into:docs", { attachments: [attached("large.csv")] });
    const large = await room.newest();
    await gate.arrived;
    room.attach(async function* () {
      yield Buffer.concat([table, table, table]);
    });
    const add = async () => {
      await room?.say("/kb add into:other", { attachments: [attached("small.csv")], actor: bob });
      return (await room?.over())?.items[0];
    };

    expect(await add()).toMatchObject({ state: "failed", reason: noRoom });
    gate.open();
    await room.parts().knowledge.jobs.ended(large.id);
    expect(await add()).toMatchObject({ state: "done" });
  });

  it.each<[string, string, () => AsyncIterable<Uint8Array>]>([
    [
      "is no table",
      "bad.csv",
      async function* () {
        yield Buffer.concat([Buffer.alloc(megabyte / 2, "a,b\n"), Buffer.from('"')]);
      },
    ],
    [
      "breaks off",
      "cut.csv",
      async function* () {
        yield Buffer.alloc(megabyte / 2, "a");
        throw new Error("cut");
      },
    ],
    [
      "breaks off on its way to the service",
      "cut.parquet",
      async function* () {
        yield Buffer.alloc(maxRowsBytes / 4, "a");
        throw new Error("cut");
      },
    ],
  ])(
    "that %s frees its space for others, however often it comes",
    async (_what, name, content) => {
      room = await openNarrowRoom();
      for (let times = 0; times < 6; times += 1) {
        room.attach(content);
        await room.say("/kb add into:docs", { attachments: [attached(name)] });
        const [item] = (await room.over()).items;
        expect(item?.state).toBe("failed");
        expect(item?.reason).not.toBe(noRoom);
      }
      room.attach(async function* () {
        yield table;
      });
      await room.say("/kb add into:docs", { attachments: [attached("small.csv")] });

      expect((await room.over()).items).toMatchObject([{ state: "done" }]);
    },
    60_000,
  );

  it("that the service reads counts while it is sent", async () => {
    room = await openNarrowRoom();
    room.attach(async function* () {
      for (let sent = 0; sent < 90; sent += 1) yield Buffer.alloc(megabyte, "a");
    });
    const gate = createGate();
    let sending = 0;
    room.faults.deleteFile = async () => {};
    room.faults.insert = async () => {};
    room.faults.uploadFile = async (_name, { content }) => {
      for await (const _part of content);
      sending += 1;
      await gate.wait();
    };
    const add = async (id: string) => {
      await room?.say("/kb add into:docs", { attachments: [attached("a.parquet")], actor: { ...bob, id } });
      return (await room?.newest())?.id ?? "";
    };
    const firsts = [await add("U11"), await add("U12")];
    await until("two on their way", () => sending === 2);
    const { jobs } = room.parts().knowledge;

    expect((await jobs.ended(await add("U13")))?.items).toMatchObject([{ state: "failed", reason: noRoom }]);
    gate.open();
    for (const id of firsts) expect((await jobs.ended(id))?.items).toMatchObject([{ state: "done" }]);
    expect((await jobs.ended(await add("U14")))?.items).toMatchObject([{ state: "done" }]);
  });
});

describe("a page", () => {
  it.each([
    ["is left for its robots.txt", megabyte / 4],
    ["is left for its text", megabyte],
  ])("fails with a sentence where no room %s", async (_what, maxScratchBytes) => {
    site = await startSite({ "/a": article("A", "Page a."), "/robots.txt": { status: 404 } });
    room = await openRoom({ maxScratchBytes });
    await room.makeBase("docs");
    await room.say(`/kb ingest ${site.url}/a into docs by parley`);

    expect((await room.over()).items).toMatchObject([{ state: "failed", reason: noRoom }]);
  });

  it("frees its space for others, however it ends", async () => {
    site = await startSite({
      "/a": article("A", "Page a.", ["/b", "/c", "/d"]),
      "/b": article("B", "Page b."),
      "/c": "<p>a".repeat(150_000),
      "/d": { headers: { "content-type": "text/html", "content-length": "9000000" } },
    });
    // Room for one page, its robots.txt and its text.
    room = await openRoom({ maxScratchBytes: 19 * megabyte });
    await room.makeBase("docs");
    for (let times = 0; times < 4; times += 1) {
      await room.say(`/kb ingest ${site.url}/a into docs by parley depth 1`);
      expect((await room.over()).items).toMatchObject([{ state: "done", pages: 2 }]);
    }
  });
});
