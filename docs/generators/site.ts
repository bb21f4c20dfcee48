/**
 * `npm run site [FOLDER]`: writes the documentation as static pages, by default into `site`. Any web server can serve
 * them, and they open as files too.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { buildSite } from "./site/build.ts";

const folder = resolve(process.argv[2] ?? "site");
const files = buildSite();
rmSync(folder, { recursive: true, force: true });
for (const [path, content] of files) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
process.stdout.write(`${files.size} files in ${folder}: open index.html\n`);
