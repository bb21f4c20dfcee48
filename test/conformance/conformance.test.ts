/** docs/conformance.md says what the suite knows, word for word. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { harmful, known } from "./known.ts";
import { checks } from "./suite.ts";

const generations = ["25.x", "26.x", "local", "unknown"] as const;

async function page(): Promise<string> {
  return readFile(join(import.meta.dirname, "../../docs/conformance.md"), "utf8");
}

it("lists in the document exactly what is known to fail, with the reasons", async () => {
  const rows = [...(await page()).matchAll(/^\| (\d+\.x|local|unknown) \| `([\w-]+)` \| (.+) \|$/gm)];

  const listed = rows.map(([, generation, id, why]) => [generation, id, why]);
  const expected = generations.flatMap((generation) =>
    Object.entries(known[generation]).map(([id, why]) => [generation, id, why]),
  );
  expect(listed).toEqual(expected);
});

it("names only checks that exist, each once", async () => {
  const ids = checks.map((check) => check.id);

  expect(new Set(ids).size).toBe(ids.length);
  for (const generation of generations) {
    expect(ids).toEqual(expect.arrayContaining(Object.keys(known[generation])));
    expect(Object.keys(known[generation])).toEqual(expect.arrayContaining([...harmful[generation]]));
  }
});

it("says how many checks there are", async () => {
  expect(await page()).toContain(`: ${checks.length} checks `);
});
