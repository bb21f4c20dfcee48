/** What is too large to be parsed is refused with a sentence before it costs anything. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { usedMs } from "../../../bench/own-work.ts";
import { createScratch } from "../../../src/knowledge/foreign/scratch.ts";
import { readPageContent } from "../../../src/knowledge/pages/page-content.ts";
import type { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { mayRead, rulesFor, rulesIn } from "../../../src/knowledge/pages/robots-rules.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import type { RowsFormat } from "../../../src/knowledge/rows/row-format.ts";
import { readRows } from "../../../src/knowledge/rows/rows.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

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
  for await (const _row of readRows(pieces, { format, title: "" }, createReadingNotes())) count += 1;
  return count;
}

describe("a page", () => {
  const page = (html: string) => reason(async () => readPageContent(Buffer.from(html), "text/html", "https://e.com/"));

  it("of more than 100,000 tags is refused before its tree is built", async () => {
    const beforeMs = usedMs();

    expect(await page("<p>a".repeat(700_000))).toBe("the page has more than 100,000 HTML tags");
    expect(await page(`<p>${'<a href="/x">y</a>'.repeat(100_000)}`)).toBe("the page has more than 100,000 HTML tags");
    expect(usedMs() - beforeMs).toBeLessThan(2_000);
  });

  it("that expands its links with a long base URL keeps its words, and is refused beyond 5 MB", async () => {
    const linked = (pathChars: number, links: number) =>
      `<base href="https://e.com/${"a".repeat(pathChars)}/">${'<p><a href="b">words</a>'.repeat(links)}`;
    const read = (html: string) => readPageContent(Buffer.from(html), "text/html", "https://e.com/").content;

    expect(await page(linked(1_900, 5_000))).toBe("its text is larger than 5 MB");
    expect(read(linked(1_900, 10))).toContain("/b)");
    expect(read(linked(20_000, 300)).length).toBeLessThan(10_000);
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
      JSON.stringify([{ id: 1, ["n".repeat(201)]: 2 }]),
      "json",
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
    ["of long JSON", `[${'{"a":1},'.repeat(800_000)}{"a":1}]`, "json", "larger than 5 MB"],
    ["of JSON that is wrong everywhere", `[${",".repeat(4_000_000)}`, "json", "invalid JSON at line 1, column 2"],
    ["of long text", "words ".repeat(1_000_000), "text", "larger than 5 MB"],
  ])("%s are refused", async (_what, text, format, sentence) => {
    const beforeMs = usedMs();

    expect(await reason(() => readAll(text, format))).toBe(sentence);
    expect(usedMs() - beforeMs).toBeLessThan(5_000);
  });

  it("with brackets inside of their words are not deep", async () => {
    expect(await readAll(JSON.stringify([{ content: `${"[{".repeat(300)} \\" ${"[".repeat(300)}` }]), "json")).toBe(1);
  });

  it("with 500 columns are read", async () => {
    expect(await readAll(`${row(500)}\n${row(500)}\n`, "csv")).toBe(1);
  });
});

describe("a robots.txt", () => {
  const origin = "https://e.com";
  const allows = (file: string, path: string) => mayRead(rulesFor(file, "Parley").rules, origin + path);
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join("\n");

  it("applies to Parley where it is named, otherwise to everyone", () => {
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
      `User-agent: *\nDisallow: /${"*b".repeat(250_000)}c`,
      // No two rules are the same, and each meets the path as often as it can before it fails.
      `User-agent: *\n${lines(1_000, (at) => `Disallow: /*${"ab".repeat(240)}${at}`)}`,
      `User-agent: *\n${lines(2_300, (at) => `Disallow: /${"*b".repeat(100)}${at}`)}`,
      `User-agent: *\n${lines(30_000, (at) => `Disallow: /*b*${at}c`)}`,
      `User-agent: *\n${lines(30_000, (at) => `Allow: /*'é${at}`)}`,
    ];
    const beforeMs = usedMs();
    for (const file of hostile) {
      const { rules } = rulesFor(file, "Parley");
      expect(rules.length).toBeLessThan(530_000);
      mayRead(rules, origin + longPath);
    }

    expect(usedMs() - beforeMs).toBeLessThan(5_000);
  });

  it("holds whole, however many rules it has and however long they are", () => {
    const many = `User-agent: *\n${lines(20_000, (at) => `Disallow: /shop/${at}/`)}`;
    const wild = `/a${"*b".repeat(100)}`;
    const long = `/${"x".repeat(1_500)}`;

    expect([allows(many, "/shop/19999/x"), allows(many, "/shop/20000/x")]).toEqual([false, true]);
    expect(allows(`User-agent: *\nDisallow: ${wild}`, `/a${"b".repeat(99)}`)).toBe(true);
    expect(allows(`User-agent: *\nDisallow: ${wild}`, `/a${"xb".repeat(100)}`)).toBe(false);
    expect(allows(`User-agent: *\nDisallow: ${long}$`, `${long}x`)).toBe(true);
    expect(allows(`User-agent: *\nDisallow: ${long}$`, long)).toBe(false);
    expect(allows(`User-agent: *\nDisallow: /\nAllow: ${wild}`, `/a${"b".repeat(100)}`)).toBe(true);
  });

  it.each([
    ["/", "/a", false],
    ["/fish", "/fish.html", false],
    ["/fish", "/catfish", true],
    ["/fish*", "/fishheads/yummy.html", false],
    ["/fish/", "/fish", true],
    ["/*.php", "/folder/any.php.file?x", false],
    ["/*.php$", "/filename.php", false],
    ["/*.php$", "/filename.php?parameters", true],
    ["/*.php$", "/filename.php5.php", false],
    ["/fish*.php", "/fishheads/catfish.php?parameters", false],
    ["/fish*.php", "/Fish.PHP", true],
    ["/$", "/", false],
    ["/$", "/a", true],
    ["/a*$", "/abc", false],
    ["/ab*b$", "/ab", true],
    ["*/private", "/x/private/y", false],
    ["/a$b", "/a$bc", false],
    ["/a%24", "/a$", false],
    ["/a%2A", "/a*", false],
    ["/a%2a", "/ab", true],
    ["/foo/bar?baz=quz", "/foo/bar?baz=quz", false],
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84", false],
    ["/foo/bar/%e3%83%84", "/foo/bar/ツ", false],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["/a%2Fb", "/a/b", true],
    ["/it's", "/it%27s", false],
    ["/a%", "/a%b", false],
    ["/\ud800", "/a", true],
    ["private", "/private", true],
  ])("whose rule is %s says of %s: %s", (rule, path, isAllowed) => {
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(isAllowed);
  });

  it("goes by the longest rule, and by the one that allows where two are as long", () => {
    const file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /*/x\nDisallow: /p/x\nAllow: /p/x";

    expect(["/a", "/a/b", "/a/b/c", "/p/x"].map((path) => allows(file, path))).toEqual([false, true, false, true]);
    expect(allows("User-agent: *\nDisallow: /a\nAllow: /a**b", "/axb")).toBe(true);
  });

  it("has groups that a sitemap between their names does not part", () => {
    const file = "User-agent: Parley\nSitemap: https://e.com/a\nUser-agent: other\nDisallow: /a";

    expect(allows(file, "/a")).toBe(false);
  });

  it("that is longer than what is read of it ends with its last whole line", () => {
    const head = "User-agent: *\nDisallow: /private\n";
    const filling = `# ${"x".repeat(512 * 1024 - head.length - "Disallow: /".length - 3)}\n`;
    const cut = `${head}${filling}Disallow: /`;

    expect(cut).toHaveLength(512 * 1024);
    expect(
      ["/private", "/a"].map((path) => mayRead(rulesIn(Buffer.from(cut), "", "Parley").rules, origin + path)),
    ).toEqual([false, true]);
    expect(mayRead(rulesIn(Buffer.from("User-agent: *\nDisallow: /"), "", "Parley").rules, `${origin}/a`)).toBe(false);
  });
});

/** As a process with that id on this machine would have left it. */
const leftFolder = (pid: number) => `parley-reading-${hostname()}-${pid}-${randomUUID()}`;

describe("files of one task", () => {
  it("are this user's alone, and gone when Parley ends", async () => {
    const parent = await temporaryFolder("scratch");
    const scratch = createScratch({ log: silentLog, parent });
    const file = await scratch.file();
    await writeFile(file.path, "what people attach");

    expect((await stat(scratch.folder)).mode & 0o777).toBe(0o700);
    await file.remove();
    await file.remove();
    expect(await readdir(scratch.folder)).toEqual([]);
    await scratch.close();
    expect(await readdir(parent)).toEqual([]);
  });

  it("that another user left aren't touched: a folder's owner could redirect the removal elsewhere", async () => {
    const parent = await temporaryFolder("scratch");
    const left = leftFolder(2 ** 31 - 2);
    await mkdir(join(parent, left));
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(54_321);
    await createScratch({ log: silentLog, parent }).file();
    getuid.mockRestore();

    expect(await readdir(parent)).toContain(left);
  });

  it("of a process in another container stay: the same process id is a different process there", async () => {
    const parent = await temporaryFolder("scratch");
    const theirs = `parley-reading-elsewhere.example-${process.pid}-${randomUUID()}`;
    await mkdir(join(parent, theirs));
    await createScratch({ log: silentLog, parent }).file();

    expect(await readdir(parent)).toContain(theirs);
  });

  it("that a killed process left are removed, and those of a living one are not", async () => {
    const parent = await temporaryFolder("scratch");
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
  });
});
