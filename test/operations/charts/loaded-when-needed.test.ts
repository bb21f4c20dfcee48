/** The libraries that draw charts are large: only the child process loads them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const files = ["src", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);

const importing = (source: RegExp) =>
  files.filter((path) =>
    new RegExp(`(?:from|import\\() ?"${source.source}`).test(readFileSync(join(root, path), "utf8")),
  );

it("Parley itself loads no library that draws, nor what loads one", () => {
  expect(importing(/(?:echarts|zrender|@resvg|inter-ui)/)).toEqual(["src/operations/charts/drawing.ts"]);
  expect(
    importing(/(?:\.\/|[^"]*\/charts\/)drawing\.ts"/).filter((path) => path.startsWith("src/operations/charts/")),
  ).toEqual(["src/operations/charts/chart-child.ts"]);
  expect(importing(/[^"]*(?:\/charts\/drawing|chart-child)\.ts"/)).toEqual([]);
});
