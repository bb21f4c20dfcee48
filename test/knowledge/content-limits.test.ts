/** What is too large to be parsed is refused with a sentence before it costs anything. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readPageContent } from "../../src/knowledge/page-content.ts";
import type { ReadFailure } from "../../src/knowledge/read-failure.ts";
import { mayRead, rulesFor } from "../../src/knowledge/robots-rules.ts";
import type { RowsFormat } from "../../src/knowledge/row-format.ts";
import { readRows } from "../../src/knowledge/rows.ts";
import { createScratch } from "../../src/knowledge/scratch.ts";
import { silentLog } from "../state/silent-log.ts";

async function reason(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => "no failure",
    (failure: ReadFailure) => failure.reason,
  );
}

async function readAll(text: string, format: RowsFormat): Promise<number> {
  async function* pieces() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  let count = 0;
  for await (const _row of readRows(pieces(), { format, title: "" })) count += 1;
  return count;
}

describe("a page", () => {
  const page = (html: string) => reason(async () => readPageContent(Buffer.from(html), "text/html", "https://e.com/"));

  it("of more than 100,000 tags is refused before a tree is made of it", async () => {
    const startedAtMs = performance.now();

    expect(await page("<p>a".repeat(700_000))).toBe("the page has more than 100,000 HTML tags");
    expect(await page(`<p>${'<a href="/x">y</a>'.repeat(100_000)}`)).toBe("the page has more than 100,000 HTML tags");
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  it("hands on 5,000 links at most, and none that is too long to be read", () => {
    const links = Array.from({ length: 8_000 }, (_, at) => `<a href="/${at}">${at}</a>`);
    const html = `<p>words</p><a href="/${"x".repeat(3_000)}">long</a>${links.join(" ")}`;
    const page = readPageContent(Buffer.from(html), "text/html", "https://e.com/");

    expect(page.links).toHaveLength(5_000);
    expect(page.links[0]).toBe("https://e.com/0");
  });
});

describe("rows", () => {
  const row = (cells: number) => Array.from({ length: cells }, (_, at) => `c${at}`).join(",");

  it.each<[string, string, RowsFormat, string]>([
    ["with 501 columns", `${row(501)}\n${row(501)}\n`, "csv", "it has 501 columns: at most 500 can be added"],
    ["with 20,000 columns", `${row(20_000)}\n`, "csv", "it has 20,000 columns: at most 500 can be added"],
    [
      "with many names",
      JSON.stringify([Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`n${at}`, at]))]),
      "json",
      "it has 501 columns: at most 500 can be added",
    ],
    [
      "with a name of 201 characters",
      `id,${"n".repeat(201)}\n1,2\n`,
      "csv",
      "the name of column 2 is longer than 200 characters",
    ],
    ["of one endless line", `a,b\n${"1".repeat(3_000_000)}`, "csv", "line 2 is longer than 1,000,000 characters"],
    ["of one endless first line", "a,".repeat(2_000_000), "csv", "line 1 is longer than 1,000,000 characters"],
    [
      "of one endless JSON line",
      `{"a":"${"1".repeat(3_000_000)}`,
      "jsonl",
      "line 1 is longer than 1,000,000 characters",
    ],
    ["of deep JSON", "[".repeat(1_000_000), "json", "its JSON is nested more than 100 levels deep"],
    [
      "of deep JSON in a cell",
      `[{"content":"a","b":${"[".repeat(200)}${"]".repeat(200)}}]`,
      "json",
      "its JSON is nested more than 100 levels deep",
    ],
    ["of long JSON", `[${'{"a":1},'.repeat(800_000)}{"a":1}]`, "json", "it is larger than 5 MB"],
    ["of JSON that is wrong everywhere", `[${",".repeat(4_000_000)}`, "json", "the JSON is wrong at line 1, column 2"],
    ["of long text", "words ".repeat(1_000_000), "text", "it is larger than 5 MB"],
  ])("%s are refused", async (_what, text, format, sentence) => {
    const startedAtMs = performance.now();

    expect(await reason(() => readAll(text, format))).toBe(sentence);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  it("with brackets inside of their words are not deep", async () => {
    expect(await readAll(JSON.stringify([{ content: `${"[{".repeat(300)} \\" ${"[".repeat(300)}` }]), "json")).toBe(1);
  });

  it("of 500 columns are read", async () => {
    expect(await readAll(`${row(500)}\n${row(500)}\n`, "csv")).toBe(1);
  });
});

describe("a robots.txt", () => {
  const origin = "https://e.com";
  const allows = (file: string, path: string) => mayRead(rulesFor(file, "Parley").rules, origin + path);

  it("holds for Parley where it is named, else for everybody", () => {
    const both =
      "User-agent: *\nDisallow: /\n\nuser-agent: PARLEY/1.0\nDisallow: /private # secret\nAllow: /private/open";

    expect([allows(both, "/"), allows(both, "/private/x"), allows(both, "/private/open")]).toEqual([true, false, true]);
    expect(allows("User-agent: other\nUser-agent: *\nDisallow: /a", "/a")).toBe(false);
    expect(allows("User-agent: other\nDisallow: /a", "/a")).toBe(true);
    expect(allows("User-agent: *\nDisallow:", "/a")).toBe(true);
    expect(rulesFor("User-agent: *\nCrawl-delay: 2.5", "Parley")).toEqual({ rules: "", delaySeconds: 2.5 });
  });

  it("is matched in a moment, whatever it holds", () => {
    const longPath = `/${"ab".repeat(970)}`;
    const hostile = [
      `User-agent: *\n${`Disallow: /${"*b".repeat(100)}c\n`.repeat(2_300)}`,
      `User-agent: *\n${"Disallow: /*b*c\n".repeat(36_000)}`,
      `User-agent: *\n${`Disallow: /${"*".repeat(200)}c\n`.repeat(2_500)}`,
      `${"User-agent: *\n".repeat(30_000)}Disallow: /x`,
      `User-agent: *\nDisallow: ${"#".repeat(500_000)}`,
      `User-agent: *\nDisallow: /${"a".repeat(500_000)}`,
      `User-agent: *\n${`Disallow: /*${"ab".repeat(240)}c\n`.repeat(1_000)}`,
    ];
    const startedAtMs = performance.now();
    for (const file of hostile) {
      const { rules } = rulesFor(file, "Parley");
      expect(rules.split("\n").length).toBeLessThanOrEqual(1_001);
      expect(rules.length).toBeLessThan(520_000);
      mayRead(rules, origin + longPath);
    }

    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  it("forbids rather more than less where a rule is too long to be matched", () => {
    const wild = `/a${"*b".repeat(20)}`;
    const long = `/${"x".repeat(600)}$`;

    expect(allows(`User-agent: *\nDisallow: ${wild}`, `/a${"b".repeat(10)}`)).toBe(false);
    expect(allows(`User-agent: *\nDisallow: ${long}`, `/${"x".repeat(700)}`)).toBe(false);
    expect(allows(`User-agent: *\nDisallow: /a\nAllow: ${wild}`, `/a${"b".repeat(20)}`)).toBe(false);
    expect(allows("User-agent: *\nDisallow: /a\nAllow: /a**b", "/axb")).toBe(true);
  });
});

/** As a process with that id on this machine would have left it. */
const leftFolder = (pid: number) => `parley-reading-${hostname()}-${pid}-${randomUUID()}`;

describe("files of one task", () => {
  it("are this user's alone, and gone when Parley ends", async () => {
    const parent = await mkdtemp(join(tmpdir(), "parley-scratch-"));
    const scratch = createScratch({ log: silentLog, parent });
    const file = await scratch.file();
    await writeFile(file.path, "what people attach");

    expect((await stat(scratch.folder)).mode & 0o777).toBe(0o700);
    await file.remove();
    await file.remove();
    expect(await readdir(scratch.folder)).toEqual([]);
    await scratch.close();
    expect(await readdir(parent)).toEqual([]);
    await rm(parent, { recursive: true });
  });

  it("that another user left are not touched: whoever owns a folder can lead what is removed elsewhere", async () => {
    const parent = await mkdtemp(join(tmpdir(), "parley-scratch-"));
    const left = leftFolder(2 ** 31 - 2);
    await mkdir(join(parent, left));
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(54_321);
    await createScratch({ log: silentLog, parent }).file();
    getuid.mockRestore();

    expect(await readdir(parent)).toContain(left);
    await rm(parent, { recursive: true });
  });

  it("of a process in another container stay: there, the same process id is another one's", async () => {
    const parent = await mkdtemp(join(tmpdir(), "parley-scratch-"));
    const theirs = `parley-reading-elsewhere.example-${process.pid}-${randomUUID()}`;
    await mkdir(join(parent, theirs));
    await createScratch({ log: silentLog, parent }).file();

    expect(await readdir(parent)).toContain(theirs);
    await rm(parent, { recursive: true });
  });

  it("that a killed process left are removed, and those of a living one are not", async () => {
    const parent = await mkdtemp(join(tmpdir(), "parley-scratch-"));
    // No process has this id, one always has the other, and this one had a predecessor with the same id.
    const [dead, alive, before] = [2 ** 31 - 2, process.ppid, process.pid].map(leftFolder);
    for (const name of [dead, alive, before, "other"]) await mkdir(join(parent, String(name)));
    const [first, second] = [createScratch({ log: silentLog, parent }), createScratch({ log: silentLog, parent })];
    await first.file();
    await second.file();

    const left = await readdir(parent);
    expect(left).toEqual(expect.arrayContaining([alive, "other"]));
    expect(left).not.toEqual(expect.arrayContaining([dead]));
    expect(left).not.toEqual(expect.arrayContaining([before]));
    expect(left).toHaveLength(4);
    await rm(parent, { recursive: true });
  });
});
