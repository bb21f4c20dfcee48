/** Libraries that few need take memory from everybody if a module imports them at the start. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const files = ["src", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);

it.each([
  ["the log's colours, which are for terminals", "pino-pretty"],
  ["discord.js's own client, of which only types are needed", "discord.js"],
])("no module loads %s when Parley starts", (_, name) => {
  const atStart = new RegExp(`^import (?!type )[^;]*?"${name}"`, "m");
  expect(files.filter((path) => atStart.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});
