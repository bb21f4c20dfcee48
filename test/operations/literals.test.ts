import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("no literal is spread into another one to save lines", () => {
  const files = globSync(["src/**/*.ts", "adapters/**/*.{ts,js}"]);
  const spread = files.filter((path) => /\.\.\.\{/.test(readFileSync(path, "utf8")));

  expect(files.length).toBeGreaterThan(300);
  expect(spread).toEqual([]);
});
