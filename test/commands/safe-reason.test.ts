import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "../../src/commands/names/nearest.ts";
import { isSafeName, safeName } from "../../src/commands/names/safe-name.ts";
import { failureSentences, withoutKey } from "../../src/commands/safe-reason.ts";
import { ParleyError } from "../../src/core/errors.ts";

describe("the service's reason", () => {
  it.each([
    ["Incorrect API key provided: sk-ab*****7890. See the docs.", "Incorrect API key provided: [key] See the docs."],
    ["{'provider': 'openai', 'api_key': 'hunter2hunter2'}", "{'provider': 'openai', 'api_key': '[key]'}"],
    ["Authorization: Bearer abcdefgh12345", "Authorization: [key] [key]"],
    ["token a1b2c3d4e5f6a1b2c3d4e5f6a1b2 refused", "token [key] refused"],
    ["The model gpt-9 does not exist", "The model gpt-9 does not exist"],
  ])("is shown without what looks like a key: %s", (said, shown) => {
    expect(withoutKey(said, "")).toBe(shown);
  });

  it("never shows the key that was sent, or a part of it", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/),
        fc.string(),
        fc.string(),
        fc.nat(),
        (key, before, after, cut) => {
          const shown = withoutKey(`${before} ${key} ${after} ${key.slice(0, 6 + (cut % key.length))}`, key);

          expect(shown).not.toContain(key);
          expect(shown).not.toContain(key.slice(0, 6));
        },
      ),
    );
  });

  it("is left out where it misleads and where there is none", () => {
    const misleading = new ParleyError("resource_not_found", { cause: new Error('The model "None" does not exist') });

    expect(failureSentences(misleading, undefined, false)).toHaveLength(2);
    expect(failureSentences(new ParleyError("service_failed"), undefined, false)).toHaveLength(2);
    expect(
      failureSentences(new ParleyError("service_failed", { cause: new Error("HTTP 500") }), "", false),
    ).toHaveLength(2);
  });
});

describe("a name that is allowed", () => {
  it("is found for whatever was typed, and stays when it is one already", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.string()), (given, taken) => {
        const name = safeName(given, "agent", taken);

        expect(isSafeName(name)).toBe(true);
        expect(taken).not.toContain(name);
        expect(safeName(name, "agent", taken)).toBe(name);
      }),
    );
  });

  it("is the next free one when it is taken", () => {
    expect(safeName("sales", "agent", ["sales", "sales_2"])).toBe("sales_3");
    expect(safeName("a".repeat(63), "agent", ["a".repeat(63)])).toBe(`${"a".repeat(61)}_2`);
  });
});

describe("the nearest name", () => {
  it("counts a swap of two letters as one slip", () => {
    expect(nearest("slaes", ["stales", "sales"])).toBe("sales");
  });

  it("is none when everything is far away", () => {
    expect(nearest("zzz", ["sales", "support"])).toBeUndefined();
  });
});
