/**
 * Keys that the tests plant in settings, forms, and in what services and documents say. Everything that leaves Parley
 * in a test, as a message, a log line or a stored record, goes through `watchForKeys`, and a test in which a key came
 * out fails (test/setup.ts).
 */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const planted =
  /sk-(?:live|very|secret|planted)[\w-]*|hunter2|xoxb-test-bot|xapp-test-app|0123456789abcdef0123456789abcdef|MTE2ODk5\.test\.discord|planted-[\w-]+-secret/;

/** Longer than any of them. */
const maxKeyChars = 100;

const leaks: string[] = [];

/** A key that stands in the text, or undefined. */
export function keyIn(text: string): string | undefined {
  return planted.exec(text)?.[0];
}

export function watchForKeys(where: string, text: string): void {
  const key = keyIn(text);
  if (key === undefined) return;
  const at = text.indexOf(key);
  leaks.push(`${where} let ${key} out: ${text.slice(Math.max(0, at - 200), at + 100)}`);
}

/** All that another process left in its folder: a database with its log, an append-only file. */
export async function watchFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    await watchFile(join(entry.parentPath, entry.name), `the file ${entry.name}`);
  }
}

/** In pieces, since the file of a long measurement is longer than a string can be. */
async function watchFile(path: string, where: string): Promise<void> {
  let end = "";
  for await (const piece of createReadStream(path, { encoding: "latin1", highWaterMark: 1 << 24 })) {
    watchForKeys(where, `${end}${piece}`);
    end = String(piece).slice(-maxKeyChars);
  }
}

/** What came out since the last call. */
export function takeLeaks(): readonly string[] {
  return leaks.splice(0);
}
