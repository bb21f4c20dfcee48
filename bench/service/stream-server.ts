/**
 * An agent service for benches, in a process of its own so that its work is not counted as Parley's.
 * Each run sends `steps` pairs of action and step, `pauseMs` apart, and an answer that carries the time at which its last
 * byte was written; `toolMs` lie between an action and its step (default: half of the pause). GET /times tells when the
 * chunks of each question were written. Prints its address, and ends with its parent.
 *
 *   node bench/service/stream-server.ts STEPS PAUSE_MS [TOOL_MS]
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [steps = 5, pauseMs = 100, toolMs = pauseMs / 2] = process.argv.slice(2).map(Number);

/** By question: when each action and each step was written, in that order. */
const times: Record<string, number[]> = {};

const observation =
  "Output columns: 'id', 'chunk_id', 'chunk_content', 'metadata', 'distance', 'relevance'\n" +
  "Result in CSV format (dialect is 'excel'):\nid,chunk_id,chunk_content,metadata,distance,relevance\r\n" +
  "1,1:c,The backup runs at two.,\"{'url': 'https://docs.example.com/backup', 'title': 'Backups'}\",0.4,0.8\r\n";

const chunk = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

async function stream(response: ServerResponse, question: string): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const written: number[] = [];
  times[question] = written;
  response.write(chunk({ type: "start", prompt: question, trace_id: "" }));
  for (let step = 0; step < steps; step += 1) {
    const action = {
      tool: "kb_query_tool",
      tool_input: `SELECT * FROM docs WHERE content = 's${step}'`,
      log: "Thought: x",
    };
    await sleep(pauseMs - toolMs);
    written.push(Date.now());
    response.write(chunk({ actions: [action], messages: [{ content: action.log }], trace_id: "" }));
    await sleep(toolMs);
    written.push(Date.now());
    response.write(chunk({ steps: [{ action, observation }], messages: [{ content: observation }], trace_id: "" }));
  }
  await sleep(pauseMs - toolMs);
  response.end(chunk({ output: `Sent at ${Date.now()}.`, messages: [], trace_id: "" }) + chunk({ type: "end" }));
}

const server = createServer((request, response) => {
  const json = (value: unknown) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  if (request.url === "/api/status") return json({ mindsdb_version: "25.9.1.2", environment: "local", auth: {} });
  if (request.url === "/times") return json(times);
  if (request.url?.endsWith("/agents"))
    return json([{ id: 1, name: "bench", project_id: 1, created_at: "", updated_at: "" }]);
  // Knowledge bases and the like: none.
  if (request.method === "GET") return json([]);
  const body: Buffer[] = [];
  request.on("data", (part: Buffer) => body.push(part));
  request.on("end", () => {
    const { messages } = JSON.parse(Buffer.concat(body).toString()) as { messages: { question: string }[] };
    void stream(response, messages.at(-1)?.question ?? "");
  });
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("disconnect", () => process.exit(0));
