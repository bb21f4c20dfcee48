/**
 * Limits of a Turn's view: every part is limited, and shares no memory with the text it was cut from.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { conclude, initialView, reduce } from "../../../src/bridge/turn/view.ts";
import { type AgentEvent, runLimits } from "../../../src/core/model/agent-event.ts";
import type { Source, Table, TurnView } from "../../../src/core/model/turn.ts";
import { stepsDocument } from "../../../src/presentation/drawing/turn/steps-document.ts";
import { turnDocument } from "../../../src/presentation/drawing/turn/turn-document.ts";

const begin = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });

function viewAfter(events: Iterable<AgentEvent>): TurnView {
  let view = begin;
  for (const event of events) view = reduce(view, event, 1_000);
  return view;
}

const started = (input: string): AgentEvent => ({ type: "step-started", tool: "sql", input });
const finished = (
  input: string,
  changes: Partial<Extract<AgentEvent, { type: "step-finished" }>> = {},
): AgentEvent => ({
  ...{ type: "step-finished", tool: "sql", input, observation: "rows", outcome: { kind: "text" }, sources: [] },
  ...changes,
});
const answer: AgentEvent = { type: "answer", text: "At two." };

function* stepsOf(count: number, changes: (index: number) => Parameters<typeof finished>[1] = () => ({})) {
  for (let index = 0; index < count; index += 1) {
    yield started(`q${index}`);
    yield finished(`q${index}`, changes(index));
  }
}

describe("of one run", () => {
  it("200 steps are stored and the others counted, and the reader sees the number", () => {
    const view = conclude(viewAfter([...stepsOf(1_000), answer]), 2_000);

    expect(view.steps).toHaveLength(200);
    expect(view.steps.every((step) => step.state === "done")).toBe(true);
    expect(view.omittedSteps).toBe(800);
    expect(JSON.stringify(turnDocument(view, 0))).toContain("1,000 steps");
    expect(JSON.stringify(stepsDocument(view))).toContain("800 later steps were not stored.");
  });

  it("the result of a step that is only counted changes no stored step", () => {
    const kept = [...stepsOf(199), started("last")];
    const view = viewAfter([...kept, started("not kept"), finished("not kept", { observation: "foreign" })]);

    expect(view.steps.at(-1)).toMatchObject({ input: "last", state: "running" });
    expect(JSON.stringify(view)).not.toContain("foreign");
  });

  it("results without a step of their own become 200 steps and no more", () => {
    expect(viewAfter(Array.from({ length: 500 }, () => finished("q"))).steps).toHaveLength(200);
  });

  it("all observations together have 500,000 characters, each at least its beginning", () => {
    const view = viewAfter(stepsOf(200, () => ({ observation: "x".repeat(50_000) })));
    const lengths = view.steps.map((step) => step.observation?.length ?? 0);

    expect(lengths[0]).toBe(20_000);
    expect(lengths.at(-1)).toBe(500);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(500_000);
    expect(view.steps.at(-1)?.observationOmittedChars).toBe(49_500);
  });

  it("tables have a million characters together, and what is left out of one is counted", () => {
    const table: Table = { columns: ["a"], rows: Array.from({ length: 1_000 }, () => ["x".repeat(1_000)]) };
    const view = viewAfter(stepsOf(50, () => ({ table })));

    expect(JSON.stringify(view.tables).length).toBeLessThan(1_100_000);
    const [first] = view.tables;
    expect((first?.rows.length ?? 0) + (first?.omittedRows ?? 0)).toBe(1_000);
    expect(viewAfter(stepsOf(50, () => ({ table: { columns: ["a"], rows: [["1"]] } }))).tables).toHaveLength(20);
  });

  it("the best hundred sources are stored while it runs, and URLs are never cut", () => {
    const source = (index: number): Source => ({
      ...{ title: "t".repeat(1_000), url: `https://docs.example.com/${index}`, relevance: index / 10_000 },
    });
    const long: Source = { title: "long", url: `https://docs.example.com/${"x".repeat(3_000)}`, relevance: 1 };
    const view = viewAfter(
      stepsOf(20, (step) => ({
        sources: [long, ...Array.from({ length: 500 }, (_, index) => source(step * 500 + index))],
      })),
    );
    const [best, second] = conclude(reduce(view, answer, 0), 0).sources;

    expect(view.sources).toHaveLength(100);
    expect(best).toEqual({ title: "long", relevance: 1 });
    expect(second).toMatchObject({ url: "https://docs.example.com/9999", title: "t".repeat(300) });
  });

  it("an answer of a million characters is stored whole, and a longer one says how much is missing", () => {
    const whole = viewAfter([{ type: "answer", text: "x".repeat(1_000_000) }]);
    const cut = viewAfter([{ type: "answer", text: "x".repeat(1_500_000) }]);

    expect(whole.answer).toHaveLength(1_000_000);
    expect(whole.answerOmittedChars).toBeUndefined();
    expect(cut.answer).toHaveLength(1_000_000);
    expect(JSON.stringify(turnDocument(conclude(cut, 0), 0).blocks.slice(1))).toContain("500,000 more characters");
  });

  it("names that a tool listed, a status and the name of a tool are cut", () => {
    const names = Array.from({ length: 10_000 }, () => "n".repeat(1_000));
    const view = viewAfter([
      { type: "step-started", tool: "t".repeat(1_000), input: "" },
      { type: "step-finished", observation: "", outcome: { kind: "names", names }, sources: [] },
      { type: "status", text: "s".repeat(10_000) },
    ]);

    expect(view.steps[0]?.tool).toHaveLength(200);
    expect(view.status).toHaveLength(2_000);
    expect(JSON.stringify(view).length).toBeLessThan(30_000);
  });

  it("no character is cut in two", () => {
    const view = viewAfter([{ type: "status", text: `${"x".repeat(runLimits.status - 1)}😀` }]);

    expect(view.status).toBe("x".repeat(runLimits.status - 1));
  });
});

describe("memory", () => {
  it("holds only what was cut out: 20 observations of 8 MB take less than 10 MB", async () => {
    const script = fileURLToPath(new URL("view-memory-child.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
    const grownMb = Number(stdout);

    expect(grownMb).toBeGreaterThan(0);
    expect(grownMb).toBeLessThan(10);
  });
});
