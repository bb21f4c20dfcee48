/**
 * Runs chaos from the command line: `npm run chaos [seconds] [seed …] [--sqlite]`, ten minutes by default, with a seed
 * that is printed. It fails when anything was lost, duplicated, out of order or left open.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChaos } from "./chaos.ts";

const [seconds = "600", ...given] = process.argv.slice(2).filter((word) => word !== "--sqlite");
const store = process.argv.includes("--sqlite") ? "sqlite" : "redis";
const seeds = given.length > 0 ? given.map(Number) : [Math.floor(Math.random() * 2 ** 31)];

for (const seed of seeds) {
  process.stdout.write(`chaos on ${store} for ${seconds} s, seed ${seed}\n`);
  const { wrong, figures, output } = await runChaos({ seed, seconds: Number(seconds), store });
  const lines = Object.entries(figures).map(([name, value]) => `  ${name}: ${value}`);
  process.stdout.write(`${lines.join("\n")}\n${wrong.length === 0 ? "nothing wrong" : wrong.join("\n")}\n`);
  if (wrong.length === 0) continue;
  process.exitCode = 1;
  const path = join(tmpdir(), `parley-chaos-${seed}.log`);
  await writeFile(path, output);
  process.stdout.write(`what the instances said: ${path}\n`);
}
