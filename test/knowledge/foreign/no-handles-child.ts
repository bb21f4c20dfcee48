/**
 * Parses a page while the process has no file handle left, and another one afterwards, then ends. It prints a line for
 * each.
 */
import { closeSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createForeignContent } from "../../../src/knowledge/foreign/foreign-content.ts";
import { createScratch } from "../../../src/knowledge/foreign/scratch.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const scratch = createScratch({ log: silentLog, parent: process.argv[2] ?? "" });
const content = createForeignContent({ folder: scratch.folder, clock: systemClock, log: silentLog });

async function pageTask() {
  const [body, text] = [await scratch.file(), await scratch.file()];
  await writeFile(body.path, "<title>Read</title><p>words</p>");
  return { path: body.path, contentType: "text/html", address: "https://example.com/", into: text.path };
}

const tell = (outcome: unknown) => process.stdout.write(`${outcome}\n`);
const read = (task: Awaited<ReturnType<typeof pageTask>>) =>
  content.run("page", task, { owner: "alice" }).then(({ title }) => tell(title), tell);

const [first, second] = [await pageTask(), await pageTask()];
tell("ready");
const handles: number[] = [];
try {
  for (;;) handles.push(openSync("/dev/null", "r"));
} catch {
  await read(first);
}
for (const handle of handles) closeSync(handle);
await read(second);
await content.close();
await scratch.close();
