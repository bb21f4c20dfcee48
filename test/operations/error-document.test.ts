import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { errorTexts } from "../../src/presentation/sentences/errors.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/errors.md"), "utf8");
const rows = [...page.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, code = "", what, hint, from]) => ({ code, what, hint, from }),
);

describe("docs/errors.md", () => {
  it("has every code once, in the order of the table in the code", () => {
    expect(rows.map((row) => row.code)).toEqual(Object.keys(errorTexts));
  });

  it.each(Object.entries(errorTexts))("says of %s what people read", (code, text) => {
    expect(rows.find((row) => row.code === code)).toMatchObject({ what: text.what, hint: text.hint });
  });
});
