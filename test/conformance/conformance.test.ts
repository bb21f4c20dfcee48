/** docs/conformance.md says what the suite knows, word for word. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { harmful, known } from "./known.ts";
import { modelChecks } from "./model-checks.ts";
import { scriptedChecks } from "./scripted-checks.ts";
import { checks, sections } from "./suite.ts";

const generations = ["25.x", "26.x", "local", "openai", "litellm", "cowork", "unknown"] as const;

async function page(): Promise<string> {
  return readFile(join(import.meta.dirname, "../../docs/conformance.md"), "utf8");
}

it("lists in the document exactly what is known to fail, with the reasons", async () => {
  const row = /^\| (\d+\.x|local|openai|litellm|cowork|unknown) \| `([\w-]+)` \| (.+) \|$/gm;
  const rows = [...(await page()).matchAll(row)];

  const listed = rows.map(([, generation, id, why]) => [generation, id, why]);
  const expected = generations.flatMap((generation) =>
    Object.entries(known[generation]).map(([id, why]) => [generation, id, why]),
  );
  expect(listed).toEqual(expected);
});

describe.each(Object.entries(sections))("the section of %s", (_, section) => {
  it("has each check once", () => {
    const ids = section.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });
});

it("names only checks that exist", () => {
  for (const generation of generations) {
    const isModels = ["openai", "litellm", "cowork"].includes(generation);
    const ids = (isModels ? sections.responses : checks).map(({ id }) => id);

    expect(ids).toEqual(expect.arrayContaining(Object.keys(known[generation])));
    expect(Object.keys(known[generation])).toEqual(expect.arrayContaining([...harmful[generation]]));
  }
});

it("says how many checks there are", async () => {
  expect(await page()).toContain(`: ${checks.length} checks `);
  expect(await page()).toContain(`: ${modelChecks.length} checks, and ${scriptedChecks.length} more `);
});
