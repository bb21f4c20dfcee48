/**
 * An agent service for benches that streams an answer token by token in the shape of Chat Completions, in a process of
 * its own so that its work is not counted as Parley's. The last token carries the time at which it was written. GET
 * /times tells when each token of each question was written. Prints its address, and ends with its parent.
 *
 *   node bench/service/token-server.ts TOKENS PER_SECOND
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [tokens = 600, perSecond = 60] = process.argv.slice(2).map(Number);

/** By question: when each token was written. */
const times: Record<string, number[]> = {};

function chunk(delta: object, finish?: string): string {
  const choice = { index: 0, delta, ...(finish === undefined ? {} : { finish_reason: finish }) };
  const common = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };
  return `data: ${JSON.stringify({ ...common, choices: [choice] })}\n\n`;
}

async function stream(response: ServerResponse, question: string): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(chunk({ role: "assistant", content: "" }));
  const written: number[] = [];
  times[question] = written;
  const startedMs = performance.now();
  for (let token = 0; token < tokens; token += 1) {
    // A steady beat: a late timer doesn't delay the tokens after it.
    const waitMs = startedMs + ((token + 1) * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    if (response.destroyed) return;
    written.push(Date.now());
    const end = token % 20 === 19 ? ".\n\n" : " ";
    response.write(chunk({ content: `word${token}${end}` }));
  }
  response.end(`${chunk({ content: `Sent at ${Date.now()}.` })}${chunk({}, "stop")}data: [DONE]\n\n`);
}

const server = createServer((request, response) => {
  const json = (value: unknown) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  if (request.url === "/times") return json(times);
  if (request.method === "GET") return json({ object: "list", data: [{ id: "bench", object: "model" }] });
  const body: Buffer[] = [];
  request.on("data", (part: Buffer) => body.push(part));
  request.on("end", () => {
    const { messages } = JSON.parse(Buffer.concat(body).toString()) as { messages: { content: string }[] };
    void stream(response, messages.at(-1)?.content ?? "");
  });
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("disconnect", () => process.exit(0));
