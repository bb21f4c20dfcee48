import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inlineText } from "../../src/presentation/drawing/inline.ts";
import { stepDetail, stepTitle } from "../../src/presentation/sentences/steps.ts";
import { step } from "./views.ts";

const title = (tool: string, input: string, state: "done" | "running" = "done") =>
  inlineText(stepTitle(step({ tool, input, state })));

describe("the title of a step", () => {
  it.each([
    ["SELECT * FROM pricing WHERE content = 'SSO plan' LIMIT 5;", "Searched pricing for “SSO plan”"],
    ["SELECT * FROM mindsdb.docs WHERE content = 'history please' LIMIT 3", "Searched docs for “history please”"],
    [
      "select chunk_content, relevance from `mindsdb`.`My Docs` where content='it''s \"on\"' limit 3",
      'Searched My Docs for “it\'s "on"”',
    ],
    ["SELECT * FROM \"docs\" WHERE docs.content LIKE '%SSO%'", "Searched docs for “SSO”"],
    ["SELECT * FROM docs WHERE content = 'What\\'s up' AND relevance >= 0.5", "Searched docs for “What's up”"],
    ['SELECT * FROM docs WHERE content = "double quoted"', "Searched docs for “double quoted”"],
    [
      "SELECT * FROM docs WHERE content = 'DELETE FROM docs; -- FROM other'",
      "Searched docs for “DELETE FROM docs; -- FROM other”",
    ],
    ["SELECT * FROM docs WHERE content = '' LIMIT 3", "Searched docs"],
    ["```sql\nSELECT * FROM docs WHERE content = 'fenced'\n```", "Searched docs for “fenced”"],
    ["-- first look\nSELECT id FROM db.sales LIMIT 10", "Read sales"],
    ["SELECT region, COUNT(*) FROM sales GROUP BY region", "Calculated from sales"],
    ["DESCRIBE mindsdb.docs", "Checked what's in docs"],
    ["INSERT INTO docs (content) VALUES ('x')", "Tried to change docs"],
  ])("reads %s", (sql, words) => {
    expect(title("kb_query_tool", sql)).toBe(words);
  });

  it.each([
    ["kb_list_tool", "", "Checked which knowledge bases are available", "Checking which knowledge bases are available"],
    ["sql_db_list_tables", "", "Checked which tables are available", "Checking which tables are available"],
    ["kb_info_tool", "docs", "Checked what's in docs", "Checking what's in docs"],
    ["sql_db_schema", '["sales", "orders"]', "Checked what's in sales, orders", "Checking what's in sales, orders"],
    ["sql_db_query", "not a query", "Queried the data", "Querying the data"],
    ["web_search_tool", "anything", "Used web search", "Using web search"],
    ["web_search", "SSO plan", "Searched the web for “SSO plan”", "Searching the web for “SSO plan”"],
    [
      "web_search",
      "SSO plan\nprices",
      "Searched the web for “SSO plan, prices”",
      "Searching the web for “SSO plan, prices”",
    ],
    ["web_search", "", "Searched the web", "Searching the web"],
    ["web_search", '{"query":"SSO plan"}', "Searched the web for “SSO plan”", "Searching the web for “SSO plan”"],
    ["web_search", '{"other":1}', "Searched the web", "Searching the web"],
    ["file_search", "refunds", "Searched files for “refunds”", "Searching files for “refunds”"],
    ["wiki.list_tools", "", "Checked the tools of wiki", "Checking the tools of wiki"],
    ["wiki.lookup", '{"page":"Backups"}', "Used wiki lookup", "Using wiki lookup"],
    ["sendEmail", "", "Used send email", "Using send email"],
    ["", "", "Worked on it", "Working on it"],
  ])("has words for the tool %s", (tool, input, done, running) => {
    expect(title(tool, input)).toBe(done);
    expect(title(tool, input, "running")).toBe(running);
  });

  it("says Searching while it runs", () => {
    expect(title("kb_query_tool", "SELECT * FROM a WHERE content = 'b'", "running")).toBe("Searching a for “b”");
  });

  it("shortens a long phrase with an ellipsis, between characters", () => {
    const words = title("kb_query_tool", `SELECT * FROM docs WHERE content = '${"👩‍👩‍👧‍👦".repeat(50)}'`);

    expect(words).toMatch(/^Searched docs for “(👩‍👩‍👧‍👦)+…”$/u);
    expect(words.length).toBeLessThan(110);
  });

  it("survives whatever stands where a query should", () => {
    const pieces = fc.constantFrom(
      "SELECT ",
      "* ",
      "FROM ",
      "docs",
      ".",
      "'",
      "''",
      "\\",
      '"',
      "`",
      " content",
      " = ",
      "--",
      "/*",
      "\n",
      ";",
      "(",
      "kb_list_tool",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.string(), (parts, tool) => {
        const words = title(tool, parts.join(""));

        expect(words).not.toBe("");
        expect(words.length).toBeLessThan(200);
        expect(words).not.toContain("\n");
      }),
    );
  });
});

describe("what a step found", () => {
  it.each([
    [{ kind: "names", names: ["docs", "pricing", "changelog"] }, "docs, pricing, changelog"],
    [{ kind: "names", names: ["a", "b", "c", "d", "e", "f", "g"] }, "a, b, c, d, e and 2 more"],
    [{ kind: "passages", count: 5, bestRelevance: 0.8199 }, "5 passages found (best match 82%)"],
    [{ kind: "passages", count: 1 }, "1 passage found"],
    [{ kind: "passages", count: 0 }, "nothing found"],
    [{ kind: "rows", count: 1_234 }, "1,234 rows"],
    [{ kind: "nothing" }, "nothing found"],
    [{ kind: "failed" }, "failed"],
    [{ kind: "text" }, undefined],
  ] as const)("is shown in words: %j", (outcome, words) => {
    expect(stepDetail(step({ outcome }))).toBe(words);
  });

  it("isn't changed while it runs", () => {
    expect(stepDetail(step({ state: "running" }))).toBeUndefined();
  });
});
