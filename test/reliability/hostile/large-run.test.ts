/**
 * Runs of the service that are larger than the process has memory: 256 MB of heap, as Node gives itself in a container of
 * 512 MB. The real process, the real client, whatever the agent prints.
 */
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, type Move } from "../../doubles/service/scripted-moves.ts";
import { type Run, type ScriptedService, startScriptedService } from "../../doubles/service/scripted-service.ts";

let parley: ParleyProcess | undefined;
let service: ScriptedService | undefined;
afterEach(async () => {
  await parley?.close();
  await service?.close();
});

const eventBytes = 8 * 1024 * 1024 - 1_000;

/** Steps that each find so much that one event is just within its limit. */
function steps(count: number, observation: string): readonly Move[] {
  const step = { tool: "sql", tool_input: "SELECT 1", log: "Thought: all of it" };
  const whole = chunk({ steps: [{ action: step, observation }], messages: [], trace_id: "" });
  return Array.from({ length: count }, () => [chunk({ actions: [step], messages: [], trace_id: "" }), whole]).flat();
}

const heading = "Output columns: ['a']\nResult in CSV format (dialect is 'excel'):\n";
const observations: Readonly<Record<string, string>> = {
  "rows of few columns": `${heading}a,b\n${"12345678,abcdefghijklmnop\n".repeat(eventBytes / 28)}`,
  "3,000 columns and a million rows": `${heading}${"a,".repeat(3_000)}\n${"1\n".repeat(1_000_000)}`,
  "one text": "word ".repeat(eventBytes / 5),
};

const end: readonly Move[] = [chunk({ output: "At two.", messages: [], trace_id: "" }), chunk({ type: "end" })];

async function start(script: (run: Run) => readonly Move[]): Promise<ParleyProcess> {
  service = await startScriptedService(script);
  const started = await createParleyProcess({
    AGENT_SERVICE_URL: service.url,
    NODE_OPTIONS: "--max-old-space-size=256",
    LOG_LEVEL: "info",
  });
  parley = started;
  await started.start();
  return started;
}

async function ask(url: string, text: string): Promise<void> {
  const body = JSON.stringify({ id: crypto.randomUUID(), tab: "tab-1", channel: "general", text });
  const headers = { "content-type": "application/json" };
  const taken = await fetch(`${url}/api/messages`, { method: "POST", headers, body });
  expect(taken.status).toBe(202);
}

async function ends(of: ParleyProcess, count: number): Promise<readonly { outcome: string; code?: string }[]> {
  for (let waited = 0; waited < 50_000; waited += 50) {
    const lines = of
      .output()
      .split("\n")
      .filter((line) => line.includes("A question ended"));
    if (lines.length >= count) return lines.map((line) => JSON.parse(line) as { outcome: string; code?: string });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The questions did not end: ${of.output().slice(-2_000)}`);
}

async function peakMb(of: ParleyProcess): Promise<number> {
  const status = await readFile(`/proc/${of.pid()}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

describe("an agent that finds more than memory holds", () => {
  it.each(Object.keys(observations))("ends as a failure that says so, in the same process: %s", async (kind) => {
    const many = steps(60, observations[kind] ?? "");
    const running = await start((run) =>
      run.number === 1 ? [...many, ...end] : answers25({ question: run.question, answer: "At two." }),
    );
    const { pid } = running;
    const before = pid();
    await ask(running.url, "All of it?");
    expect(await ends(running, 1)).toMatchObject([{ outcome: "failed", code: "answer_too_large" }]);

    await ask(running.url, "And now?");
    expect((await ends(running, 2))[1]).toMatchObject({ outcome: "answered" });
    expect(pid()).toBe(before);
    expect(running.output()).not.toContain("FATAL");
    expect(await peakMb(running)).toBeLessThan(400);
  });

  it("is answered where everything is within the limit of a run", async () => {
    const running = await start(() => [...steps(7, observations["one text"] ?? ""), ...end]);
    await ask(running.url, "All of it?");

    expect(await ends(running, 1)).toMatchObject([{ outcome: "answered" }]);
    expect(await peakMb(running)).toBeLessThan(400);
  });
});
