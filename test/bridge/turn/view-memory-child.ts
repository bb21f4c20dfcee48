/** Prints by how many MB the heap has grown when only the view of a run with large observations is left. */
import { createMindsdbDecoder } from "../../../src/agent-service/mindsdb/stream.ts";
import { initialView, reduce } from "../../../src/bridge/turn/view.ts";

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const heading = "Output columns: ['a']\nResult in CSV format (dialect is 'excel'):\n";
const kinds = [
  "word ".repeat(1_600_000),
  `${heading}a,b\n${"12345678,abcdefghijklmnop\n".repeat(250_000)}`,
  `${heading}chunk_content,title\n${'"words of a passage, long enough to be a slice",A title that is long enough\n'.repeat(90_000)}`,
];
const events = kinds.map((observation) =>
  Buffer.from(`data: ${JSON.stringify({ steps: [{ action: { tool: "sql", tool_input: "q" }, observation }] })}\n\n`),
);

collect();
const before = process.memoryUsage().heapUsed;
let view = initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" });
for (let step = 0; step < 20; step += 1) {
  const decoder = createMindsdbDecoder();
  for (const event of decoder.push(events[step % events.length] as Buffer)) view = reduce(view, event, 0);
}
collect();
process.stdout.write(String((process.memoryUsage().heapUsed - before) / 1024 / 1024));
if (view.steps.length !== 20) throw new Error("The steps are not there.");
