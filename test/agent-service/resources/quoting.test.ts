import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactInternals, redactSecrets } from "../../../src/agent-service/http/texts.ts";
import { pathSegment } from "../../../src/agent-service/mindsdb/request.ts";
import { quoteExactly, quoteName, quoteWords } from "../../../src/agent-service/mindsdb/sql.ts";
import { anyCharacter } from "../../any-character.ts";
import { runs } from "../../properties.ts";

const hostile = fc.string({ unit: fc.constantFrom("'", "\\", "`", '"', ";", "-", " ", "a", "\n", "\0", "é", "😀") });

/** Where a text ends for a reader that takes a doubled quote, and a backslash before anything, as the service does. */
function endOfText(sql: string): number {
  for (let at = 1; at < sql.length; at += 1) {
    if (sql[at] === "\\") at += 1;
    else if (sql[at] === "'" && sql[at + 1] === "'") at += 1;
    else if (sql[at] === "'") return at;
  }
  return -1;
}

function unlessRefused(quote: () => string, code: string): string | undefined {
  try {
    return quote();
  } catch (refused) {
    expect(refused).toMatchObject({ code });
    return undefined;
  }
}

describe("texts in SQL", () => {
  it("never end before their last quote, whatever is searched for", () => {
    fc.assert(
      fc.property(hostile, (words) => {
        const quoted = quoteWords(words);

        expect(endOfText(quoted)).toBe(quoted.length - 1);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("are either met exactly or refused", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const quoted = unlessRefused(() => quoteExactly(value), "service_request_refused");
        if (quoted === undefined) return;

        // A backslash before a quote is the only one that counts, and such texts are refused.
        expect(quoted).not.toMatch(/\\'/);
        expect(quoted.slice(1, -1).replaceAll("''", "'")).toBe(value);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("names", () => {
  it("are quoted, or refused when they hold a backtick", () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const quoted = unlessRefused(() => quoteName(name), "name_not_allowed");
        if (quoted === undefined) return;

        expect(quoted).toBe(`\`${name}\``);
        expect(name).not.toContain("`");
      }),
    );
  });

  it("stay one segment of a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) => {
        const segment = pathSegment(name);
        if (segment === undefined) return;

        expect(decodeURIComponent(segment)).toBe(name);
        expect(new URL(`http://h/a/${segment}/b`).pathname.split("/")).toHaveLength(4);
      }),
    );
  });
});

describe("a name that no path can hold", () => {
  it.each(["", ".", "..", "\ud800", "a\udc00b"])("is none: %j", (name) => {
    expect(pathSegment(name)).toBeUndefined();
  });
});

describe("redaction", () => {
  it.each([
    "{'provider': 'openai', 'api_key': 'abcdef0123'}",
    '{"api_key": "abcdef0123"}',
    "api_key=abcdef0123&x=1",
    "Authorization: Bearer abcdef0123",
    "openai_api_key: abcdef0123",
    "Incorrect API key provided: abcdef0123.",
    "key sk-abcdef0123 was refused",
    "token: pat_abcdef0123",
    "http://user:abcdef0123@host/x",
    "password = 'abcdef0123'",
  ])("removes the key from %s", (text) => {
    expect(redactSecrets(text)).not.toContain("abcdef0123");
  });

  it("removes the given secrets and leaves other words alone", () => {
    expect(redactSecrets("the hunter2 of it, a token ring", ["hunter2"])).toBe("the [redacted] of it, a token ring");
  });

  it.each([
    ["File /var/lib/mindsdb/content/x.db is used", "File [path] is used"],
    ["at http://10.1.2.3:8000/v1/x failed", "at [address] failed"],
    ["HTTP http://localhost:11434/api", "HTTP [address]"],
    ["see https://docs.example.com/a/b", "see https://docs.example.com/a/b"],
    ["either/or and 1/2", "either/or and 1/2"],
  ])("removes internal paths and addresses: %s", (text, clean) => {
    expect(redactInternals(text)).toBe(clean);
  });
});
