/** `/kb sync`: a knowledge base has what a folder has. */
import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { allCommands } from "../../../src/commands/all-commands.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { look } from "../../doubles/look.ts";
import { bob, general, project } from "../../doubles/people.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { openRoom, type Room } from "../room.ts";

const weekMs = 7 * 86_400_000;
const docs = { project, name: "docs" };

let room: Room;
let allowed: string;
let handbook: string;
let passedMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + passedMs };

beforeEach(async () => {
  passedMs = 0;
  allowed = await temporaryFolder("synced");
  handbook = join(allowed, "handbook");
  await mkdir(join(handbook, "people"), { recursive: true });
  await writeFile(join(handbook, "leave.md"), "# Leave\n\nEverybody has 27 days of leave.\n");
  await writeFile(join(handbook, "people", "parents.txt"), "Parents have twelve months.");
  await writeFile(join(handbook, "prices.csv"), "id,name,price\n1,Chair,120\n2,Table,340\n");
  await writeFile(join(handbook, "build.ts"), "export {};");
  room = await openRoom({ clock, folders: [allowed] });
  await room.makeBase("docs");
  await room.client.createAgent(project, { name: "sales", knowledgeBases: ["docs"] });
  await room.parts().names.refresh();
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
});

const documents = async () => (await room.parts().knowledge.ledger.page(docs, 0, 100)).documents;
const titles = async () => (await documents()).map(({ title }) => title).sort();
const found = async (words: string) => (await room.passages("docs", words)).map(({ content }) => content).join("\n");
const shown = () => room.shown().at(-1) ?? "";

const begin = async (source: string) => (await room.say(`/kb sync "${source}" into docs`)).text;

async function sync(source = handbook): Promise<string> {
  const text = await begin(source);
  await room.over();
  return text;
}

/** A week passes, and what is due is done. */
async function nextWeek(): Promise<void> {
  passedMs += weekMs;
  await look(room.parts().state.works, ["schedules"]);
  await room.over();
}

it("adds Markdown, text and tables, and names what it left out", async () => {
  expect(await sync()).toContain("To read it again at fixed times: /kb refresh docs every monday 9:00");

  expect(shown()).toContain("Synced docs · 3 added");
  expect(shown()).toContain("3 files, 1 of other kinds left out");
  expect(shown()).toContain("Added: ");
  expect(await titles()).toEqual(["handbook/leave.md", "handbook/people/parents.txt", "handbook/prices.csv"]);
  expect(await found("leave days")).toContain("27 days");
  expect(await found("Table price")).toContain("340");
});

it("says in one message what was added, changed, gone and failed, and changes nothing else", async () => {
  await sync();
  await writeFile(join(handbook, "leave.md"), "Everybody has 30 days of leave.");
  await writeFile(join(handbook, "new.md"), "Bicycles are paid for.");
  await writeFile(join(handbook, "broken.pdf"), "%PDF-1.7 nothing else");
  await rm(join(handbook, "people", "parents.txt"));
  const inserted: string[] = [];
  room.faults.insert = async (...args) => {
    for (const row of args[2].rows ?? []) inserted.push(String(row["title"]));
    return room.client.insert(...args);
  };
  await sync();

  expect(inserted.sort()).toEqual(["handbook/leave.md", "handbook/new.md"]);
  expect(shown()).toContain("Synced docs · 1 added, 1 updated, 1 unchanged, 1 gone and removed, 1 failed");
  expect(shown()).toContain("Added: new.md");
  expect(shown()).toContain("Changed: leave.md");
  expect(shown()).toContain("Gone: people/parents.txt");
  expect(shown()).toContain("broken.pdf · the PDF is damaged or incomplete");
  expect(await found("leave days")).not.toContain("27 days");
  expect(await found("parents months")).not.toContain("twelve");
});

it("replaces a table as a whole, and keeps those of two files with the same ids apart", async () => {
  await writeFile(join(handbook, "people", "prices.csv"), "id,name,price\n1,Desk,900\n");
  await sync();
  expect(await found("Chair price")).toContain("120");
  expect(await found("Desk price")).toContain("900");
  await writeFile(join(handbook, "prices.csv"), "id,name,price\n2,Table,350\n");
  await sync();
  expect(await found("Chair price")).not.toContain("120");
  expect(await found("Table price")).toContain("350");
  expect(await found("Desk price")).toContain("900");
});

it("is read again with the pages, at fixed times too, and is silent when nothing changed", async () => {
  await sync();
  await room.say("/kb refresh docs every monday 9:00");
  const before = room.shown().length;
  await nextWeek();
  expect(room.shown()).toHaveLength(before);
  expect((await room.newest()).items.map(({ outcome }) => outcome)).toEqual(["unchanged"]);

  await rm(join(handbook, "prices.csv"));
  await nextWeek();
  expect(room.shown()).toHaveLength(before + 1);
  expect(shown()).toContain("Refreshed docs · 2 unchanged, 1 gone and removed");
  expect((await documents()).map(({ readAtMs }) => readAtMs).every((ms) => ms > Date.now() + weekMs)).toBe(true);
});

it("removes nothing when the folder is empty or away, as a lost mount is", async () => {
  await sync();
  await rename(handbook, `${handbook}-away`);
  await sync();
  expect(shown()).toContain("the folder can't be opened. Is it mounted? Nothing was removed");
  await mkdir(handbook);
  await sync();
  expect(shown()).toContain("there are no files now, but 3 files are known. Is it mounted? Nothing was removed");
  expect(await titles()).toHaveLength(3);
  expect(await found("leave days")).toContain("27 days");
});

it("keeps what is known of a part that can't be opened", async () => {
  await sync();
  await chmod(join(handbook, "people"), 0o000);
  await sync();
  await chmod(join(handbook, "people"), 0o755);
  // As root everything can be opened.
  const isRoot = process.getuid?.() === 0;
  expect(shown()).toContain(isRoot ? "3 unchanged" : "people/ · the folder can't be opened");
  expect(await titles()).toHaveLength(3);
});

it("follows links to files within the folders of SYNC_FOLDERS, and none out of them", async () => {
  const outside = await temporaryFolder("outside");
  await writeFile(join(outside, "secret.md"), "The password is swordfish.");
  await symlink(join(outside, "secret.md"), join(handbook, "file.md"));
  await symlink(outside, join(handbook, "linked"));
  await mkdir(join(allowed, "shared"));
  await writeFile(join(allowed, "shared", "tone.md"), "Write plainly.");
  await symlink(join("..", "shared", "tone.md"), join(handbook, "tone.md"));
  await symlink(handbook, join(handbook, "people", "again"));
  await sync();

  expect(shown()).toContain("file.md · it's a link to something outside the folder");
  expect(await titles()).toEqual([
    "handbook/leave.md",
    "handbook/people/parents.txt",
    "handbook/prices.csv",
    "handbook/tone.md",
  ]);
  expect(await found("password swordfish")).not.toContain("swordfish");

  await symlink(outside, join(allowed, "door"));
  await sync(join(allowed, "door"));
  expect(shown()).toContain("it isn't within a folder that SYNC_FOLDERS names");
});

it.each(["/etc", "handbook", "/", "//etc/..", "~/handbook"])("refuses %j without opening it", async (given) => {
  expect(await begin(given)).toContain("isn't within a folder that SYNC_FOLDERS names. Write its whole path.");
  expect(await room.parts().knowledge.jobs.recent(general, 5)).toEqual([]);
});

it("refuses .. and folders that only begin like an allowed one", async () => {
  await mkdir(`${allowed}-other`);
  for (const given of [join(handbook, "..", "..", "etc"), `${allowed}/../`, `${allowed}-other`]) {
    expect(await begin(given)).toContain("isn't within a folder");
  }
  await rm(`${allowed}-other`, { recursive: true });
});

it("is the managers', also when it is read again or retried", async () => {
  expect(allCommands.find(({ path }) => path === "kb sync")?.role).toBe("manage");
  await rename(handbook, `${handbook}-away`);
  await sync();
  const { id } = await room.newest();
  await expect(room.press("retry-job", id, { actor: bob })).rejects.toThrow(/Only managers can read a synced folder/);
  await rename(`${handbook}-away`, handbook);
  await sync();
  expect((await room.say("/kb refresh docs", { actor: bob })).text).toContain("no web pages to refresh");
});

it("removes a folder as a whole when a manager says so, and nothing else", async () => {
  await sync();
  await room.say("/kb add Bicycles are paid for. into:docs");
  await room.over();
  await expect(room.say(`/kb remove docs ${handbook}`, { actor: bob })).rejects.toThrow(/Only managers can remove/);
  expect((await room.say(`/kb remove docs ${handbook}/`)).text).toContain("Removed 3 files of ");
  expect(await titles()).toEqual(["Bicycles are paid for."]);
  expect(await found("leave days")).not.toContain("27 days");
});

it("survives files that grow without end, pipes and hostile names", async () => {
  execFileSync("/usr/bin/mkfifo", [join(handbook, "pipe.md")]);
  const growing = join(handbook, "log.txt");
  await writeFile(growing, "a".repeat(1_000));
  let isOver = false;
  const grow = (async () => {
    while (!isOver) {
      await appendFile(growing, "a".repeat(200_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await writeFile(join(handbook, "@everyone [x](http:__evil.test)\n# Hi.md"), "Hello there, colleague.");
  await writeFile(join(handbook, "\u202Efdp.md"), "Turned around.");
  await sync();
  isOver = true;
  await grow;
  expect(shown()).toMatch(/log\.txt · (?:it changed while it was read|the file is larger than 25 MB)/);
  expect((await titles()).join()).not.toMatch(/[\n\u202E]/);
  expect(shown()).toContain("pipe.md · it isn't a file");
  expect(await found("Hello colleague")).toContain("Hello there");
});

it("continues after a kill and counts what was done before", async () => {
  for (let file = 0; file < 30; file += 1) await writeFile(join(handbook, `f${file}.md`), `Number ${file} is fine.`);
  let inserts = 0;
  room.faults.insert = async (...args) => {
    inserts += 1;
    if (inserts === 10) return new Promise<never>(() => {});
    return room.client.insert(...args);
  };
  await room.say(`/kb sync ${handbook} into docs`);
  await expect.poll(() => inserts, { timeout: 20_000 }).toBe(10);
  // Progress is stored within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  delete room.faults.insert;
  await room.restart();
  await room.over();

  expect(await titles()).toHaveLength(33);
  expect(shown()).toContain("Synced docs · 33 added, 9 unchanged");
});
