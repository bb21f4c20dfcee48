import { describe, expect, it } from "vitest";
import { flatBlocks } from "../../src/presentation/drawing/flat-blocks.ts";
import { csvTables } from "../../src/presentation/drawing/turn/turn-actions.ts";
import { turnDocument } from "../../src/presentation/drawing/turn/turn-document.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { block, buttons, nowMs, said, step, view } from "./views.ts";

describe("a waiting question", () => {
  it("says how many questions are before it", () => {
    const drawn = turnDocument(view({ state: "queued", placeInLine: { kind: "conversation", position: 2 } }), nowMs);

    expect(said(drawn, "headline")).toBe("support_agent will look it up");
    expect(said(drawn, "text")).toBe("2 questions ahead of yours.");
    expect(drawn.tone).toBe("waiting");
    expect(buttons(drawn)).toEqual(["Stop"]);
  });

  it("says one question in the singular, and that it is next", () => {
    const first = turnDocument(view({ state: "queued", placeInLine: { kind: "conversation", position: 1 } }), nowMs);
    const next = turnDocument(view({ state: "queued", placeInLine: { kind: "service", position: 1 } }), nowMs);

    expect(said(first, "text")).toBe("1 question ahead of yours.");
    expect(said(next, "text")).toBe("Yours is next, as soon as the agent service is free.");
  });

  it("looks like a running one where there is no queue", () => {
    const drawn = turnDocument(view({ state: "queued", agent: "" }), nowMs);

    expect(said(drawn, "headline")).toBe("Looking it up");
  });
});

describe("a running question", () => {
  it("shows who answers, the steps, the newest as running, the time and Stop", () => {
    const steps = [
      step({ tool: "kb_list_tool", input: "", outcome: { kind: "names", names: ["docs", "pricing", "changelog"] } }),
      step(),
      step({ input: "SELECT * FROM changelog WHERE content = 'SSO released' LIMIT 5", state: "running" }),
    ];

    const drawn = turnDocument(view({ agent: "product_guide", steps, startedAtMs: nowMs - 18_400 }), nowMs);

    expect(documentText(drawn)).toBe(
      [
        "product_guide is looking it up",
        "✓ Checked which knowledge bases are available\n  docs, pricing, changelog\n✓ Searched pricing for “SSO plan”\n  5 passages found (best match 82%)\n⏳ Searching changelog for “SSO released”",
        "18 s",
      ].join("\n\n"),
    );
    expect(buttons(drawn)).toEqual(["Stop"]);
    expect(drawn.summary).toBe("product_guide is looking it up");
  });

  it("folds the oldest of more than six steps", () => {
    const drawn = turnDocument(view({ steps: Array.from({ length: 10 }, () => step()) }), nowMs);

    expect(block(drawn, "steps")).toMatchObject({ earlier: 4, steps: { length: 6 } });
  });

  it("shows no time while it is short", () => {
    expect(said(turnDocument(view({ startedAtMs: nowMs - 4_900 }), nowMs), "quiet")).toBeUndefined();
    expect(said(turnDocument(view({ startedAtMs: nowMs - 5_000 }), nowMs), "quiet")).toBe("5 s");
  });

  it("shows the agent's status, but not queries or what the newest step already says", () => {
    const status = (text: string, reasoning?: string) =>
      said(
        turnDocument(view({ status: text, steps: reasoning === undefined ? [] : [step({ reasoning })] }), nowMs),
        "text",
      );

    expect(status("Creating execution plan...\n1. more")).toBe("Creating execution plan...");
    expect(status("Thought: I should look at prices")).toBe("I should look at prices");
    expect(status("Executing SELECT * FROM docs")).toBeUndefined();
    expect(status("Look at prices", "Thought: Look at prices")).toBeUndefined();
  });

  it("says that it asks again after a restart", () => {
    expect(said(turnDocument(view({ isResumed: true }), nowMs), "headline")).toBe(
      "Parley restarted and continues with this question",
    );
    expect(said(turnDocument(view({ state: "interrupted" }), nowMs), "headline")).toBe(
      "Parley restarted and continues with this question",
    );
    expect(said(turnDocument(view({ state: "queued", isResumed: true }), nowMs), "headline")).toBe(
      "Parley restarted and continues with this question",
    );
  });
});

describe("the words beside a document", () => {
  const now = (changes: Parameters<typeof view>[0]) => turnDocument(view(changes), nowMs).now;
  const running = step({ input: "SELECT * FROM changelog WHERE content = 'SSO released'", state: "running" });

  it("name the running step without markup", () => {
    expect(now({ steps: [step(), running] })).toBe("Searching changelog for “SSO released”");
    expect(now({ steps: [running, step()] })).toBe("Searching changelog for “SSO released”");
  });

  it("say who works, or what the question waits for, while no step runs", () => {
    expect(now({ steps: [step()] })).toBe("support_agent is looking it up");
    expect(now({ state: "queued", placeInLine: { kind: "conversation", position: 2 } })).toBe(
      "2 questions ahead of yours.",
    );
    expect(now({ state: "interrupted" })).toBe("Parley restarted and continues with this question");
  });

  it("name no step after the end", () => {
    expect(now({ state: "answered", answer: "Yes.", steps: [running] })).toBeUndefined();
    expect(now({ state: "stopped", steps: [running] })).toBeUndefined();
    expect(now({ state: "failed", steps: [running] })).toBeUndefined();
  });

  it("are short, on one line and clean, whatever the agent and the person wrote", () => {
    const phrase = "SSO\u202E\n<!channel> ".repeat(40);
    const input = `SELECT * FROM ${"changelog".repeat(20)} WHERE content = '${phrase}'`;
    const drawn = turnDocument(
      view({ steps: [step({ input, state: "running" })], question: `**Refunds**\n\u202E ${"and why? ".repeat(400)}` }),
      nowMs,
    );

    expect(drawn.now).toMatch(/^Searching changelog[^\n\u202E]{0,90}$/);
    expect(drawn.now?.length).toBeLessThanOrEqual(100);
    expect(drawn.topic).toMatch(/^Refunds and why\?[^\n\u202E]*…$/);
    expect(drawn.topic?.length).toBeLessThanOrEqual(200);
  });

  it("name the question in every state", () => {
    for (const state of ["queued", "running", "interrupted", "answered", "failed", "stopped"] as const) {
      expect(turnDocument(view({ state }), nowMs).topic).toBe("How long do refunds take?");
    }
    expect(turnDocument(view({ question: " " }), nowMs).topic).toBeUndefined();
  });
});

describe("an answer", () => {
  const answered = view({
    state: "answered",
    answer: "Within **14 days** [1].",
    steps: [step(), step(), step()],
    endedAtMs: nowMs,
  });

  it("is the words, numbered sources, one quiet line and its buttons", () => {
    const drawn = turnDocument(
      {
        ...answered,
        sources: [{ title: "Refund policy", url: "https://example.com/refunds" }, { title: "Gift cards" }],
      },
      nowMs,
    );

    expect(flatBlocks(drawn.blocks).map((one) => one.kind)).toEqual(["markdown", "sources", "quiet"]);
    expect(block(drawn, "sources")?.sources).toEqual([
      { number: 1, title: "Refund policy", url: "https://example.com/refunds" },
      { number: 2, title: "Gift cards" },
    ]);
    expect(said(drawn, "quiet")).toBe("support_agent · 3 steps · 12 s");
    expect(buttons(drawn)).toEqual(["Show steps", "👍", "👎", "Try again"]);
    expect(drawn.byline).toBe("support_agent");
    expect(drawn.summary).toBe("Within 14 days [1].");
  });

  it("offers another agent where there is one, and is labelled if it is that agent's", () => {
    const drawn = turnDocument({ ...answered, isSecondAnswer: true }, nowMs, { hasOtherAgents: true });

    expect(buttons(drawn)).toEqual(["Show steps", "👍", "👎", "Try again", "Ask another agent"]);
    expect(said(drawn, "text")).toBe("support_agent answers too");
  });

  it("names a source without a title by its address, and says when an old one was read", () => {
    const readAt = (date: string) => Date.parse(date);
    const sources = [
      { title: "https://www.example.com/help/refunds.html", url: "https://www.example.com/help/refunds.html" },
      { title: "", url: "https://example.com/" },
      { title: "Gift cards", updatedAtMs: readAt("2024-03-31T23:00:00Z") },
      { title: "Prices", updatedAtMs: readAt("2026-01-01T00:00:00Z") },
      { title: "", updatedAtMs: readAt("2024-03-31T23:00:00Z") },
      { title: "", url: "https://example.com/releases/2.0" },
    ];
    const endedAtMs = readAt("2026-11-22T12:00:00Z");

    const drawn = turnDocument({ ...answered, sources, endedAtMs }, nowMs, { sourceOldMs: 365 * 86_400_000 });

    expect(block(drawn, "sources")?.sources.map(({ title }) => title)).toEqual([
      "refunds · example.com",
      "example.com",
      "Gift cards (from March 2024)",
      "Prices",
      "5 (from March 2024)",
      "2.0 · example.com",
    ]);
  });

  it("says in its quiet line that no source was used", () => {
    expect(said(turnDocument(answered, nowMs), "quiet")).toBe("support_agent · 3 steps · 12 s · no sources");
  });

  it("offers Get CSV for a table that it is, that it holds or that was found", () => {
    const table = { columns: ["a"], rows: [["1"]] };

    expect(buttons(turnDocument({ ...answered, answerTable: table }, nowMs))).toContain("Get CSV");
    expect(buttons(turnDocument({ ...answered, tables: [table] }, nowMs))).toContain("Get CSV");
    const written = { ...answered, answer: "Words\n\n| a | b |\n|---|---|\n| 1 | 2 |\n" };
    expect(buttons(turnDocument(written, nowMs))).toContain("Get CSV");
    expect(csvTables(written)).toEqual([{ columns: ["a", "b"], rows: [["1", "2"]] }]);
    expect(buttons(turnDocument(answered, nowMs))).not.toContain("Get CSV");
  });

  it("shows a table that is the answer, and says when it has no rows", () => {
    const full = turnDocument({ ...answered, answer: "", answerTable: { columns: ["a"], rows: [["1"]] } }, nowMs);
    const empty = turnDocument({ ...answered, answer: "", answerTable: { columns: [], rows: [] } }, nowMs);

    expect(block(full, "table")?.table).toEqual({ columns: ["a"], rows: [["1"]] });
    expect(said(empty, "text")).toBe("No rows matched.");
    expect(empty.summary).not.toBe("");
  });

  it("is marked when its end was not confirmed, and can be asked again", () => {
    const drawn = turnDocument({ ...answered, isPartial: true }, nowMs);

    expect(drawn.tone).toBe("partial");
    expect(said(drawn, "text")).toBe("The connection dropped, so this may be incomplete.");
    expect(buttons(drawn)[0]).toBe("Try again");
  });

  it("says who asked where nothing else shows it, whole or with a note", () => {
    const short = turnDocument({ ...answered, askedBy: "Alice" }, nowMs);
    const long = turnDocument({ ...answered, askedBy: "Alice", question: "why ".repeat(1_000) }, nowMs);

    expect(said(short, "text")).toBe("Alice asked: How long do refunds take?");
    expect(said(long, "text")).toMatch(/ … \(3,999 characters in total\)$/);
  });

  it("loses bidi controls, whatever their source", () => {
    const evil = "a\u202Eb\u200Bc";
    const drawn = turnDocument(
      view({
        state: "answered",
        agent: evil,
        askedBy: evil,
        question: evil,
        answer: evil,
        answerTable: { columns: [evil], rows: [[evil]] },
        sources: [{ title: evil, url: "https://example.com" }],
      }),
      nowMs,
    );

    expect(JSON.stringify(drawn)).not.toMatch(/[\u202E\u200B]/);
    expect(JSON.stringify(drawn)).toContain("abc");
  });
});

describe("a failure", () => {
  const failed = view({
    state: "failed",
    steps: [step(), step({ state: "failed" })],
    startedAtMs: nowMs - 41_000,
    endedAtMs: nowMs,
    error: {
      code: "model_unavailable",
      what: "The model behind the agent didn't answer.",
      hint: "Try again, or tell your Parley admin.",
    },
  });

  it("says what happened, what to do, where and how to find it in the log", () => {
    const drawn = turnDocument(failed, nowMs);

    expect(documentText(drawn)).toBe(
      [
        "The model behind support_agent didn't answer.",
        "Try again, or tell your Parley admin.",
        "after 2 steps · 41 s · ref k3f9",
      ].join("\n\n"),
    );
    expect(drawn.actions.map((action) => [action.label, action.style])).toEqual([
      ["Try again", "primary"],
      ["Show steps", "plain"],
    ]);
  });

  it("keeps what had arrived and marks it as partial", () => {
    const drawn = turnDocument({ ...failed, answer: "Half an ans", isPartial: true }, nowMs);

    expect(documentText(drawn)).toContain("Received so far (may be incomplete):\n\nHalf an ans");
  });

  it("leaves the name of the agent service alone", () => {
    const error = { code: "stream_cut", what: "The connection to the agent service broke.", hint: "" };

    expect(said(turnDocument({ ...failed, error }, nowMs), "headline")).toBe(
      "The connection to the agent service broke.",
    );
  });
});

describe("a stopped question", () => {
  it("says Stopped, by whom, and can be asked again", () => {
    const drawn = turnDocument(view({ state: "stopped", endedAtMs: nowMs }), nowMs, {
      stoppedBy: { name: "Bob", id: "U2" },
    });

    expect(said(drawn, "headline")).toBe("Stopped");
    expect(said(drawn, "quiet")).toBe("stopped by Bob · 12 s");
    expect(block(drawn, "quiet")?.text.some((span) => span.actorId === "U2")).toBe(true);
    expect(buttons(drawn)).toEqual(["Try again"]);
  });
});

it("keeps every summary plain, short and not empty", () => {
  for (const state of ["queued", "running", "answered", "failed", "stopped", "interrupted"] as const) {
    for (const answer of ["", "# A **title**\n\n".repeat(100), "```\n```"]) {
      const { summary } = turnDocument(view({ state, answer, agent: "a".repeat(300) }), nowMs);
      expect(summary.length).toBeGreaterThan(0);
      expect(summary.length).toBeLessThanOrEqual(150);
    }
  }
});

describe("what is long", () => {
  const megabyte = "select words ".repeat(80_000);

  it("is not drawn while the agent works", () => {
    const running = view({ answer: megabyte, status: megabyte, startedAtMs: nowMs - 1_000 });

    expect(JSON.stringify(turnDocument(running, nowMs)).length).toBeLessThan(3_000);
  });

  it("has tables as files as far as they are looked for", () => {
    const table = "|a|b|\n|-|-|\n|1|2|\n\n";
    const many = view({ state: "answered", answer: table.repeat(50_000) });

    expect(Math.abs(csvTables(many).length - 100_000 / table.length)).toBeLessThan(2);
  });
});
