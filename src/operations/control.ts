/**
 * Lets programs of the same user work through the running Parley, since SQLite belongs to one process. It listens on
 * loopback only; its URL and secret are in a file of DATA_DIR that nobody else can read.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { Log } from "../ports/log.ts";
import { parseJson } from "../ports/tools/parse-json.ts";

const fileName = "control.json";
const controlFile = z.object({ url: z.url(), token: z.string() });
/** Bytes of a request: a command and a person. */
const maxBytes = 10_000;

/** Answers a request with lines of JSON. Rejects for one that it doesn't know. */
export type ControlHandler = (request: unknown) => AsyncIterable<unknown>;

/** Returns the function that stops it. */
export async function startControl(options: {
  readonly dataDir: string;
  readonly handle: ControlHandler;
  readonly log: Log;
}): Promise<() => Promise<void>> {
  const { dataDir, handle, log } = options;
  const token = randomBytes(32).toString("base64url");
  const expected = Buffer.from(`Bearer ${token}`);

  async function* lines(request: unknown): AsyncGenerator<string> {
    for await (const line of handle(request)) yield `${JSON.stringify(line)}\n`;
  }

  async function* withFirst(first: IteratorResult<string>, rest: AsyncIterable<string>): AsyncGenerator<string> {
    if (first.done !== true) yield first.value;
    yield* rest;
  }

  const server = createServer((request, response) => {
    const given = Buffer.from(request.headers.authorization ?? "");
    const isAllowed = given.length === expected.length && timingSafeEqual(given, expected);
    if (request.method !== "POST" || !isAllowed) {
      response.writeHead(isAllowed ? 405 : 403).end();
      return;
    }
    const respond = async () => {
      let body = "";
      for await (const chunk of request) {
        body += String(chunk);
        if (body.length > maxBytes) throw new Error("The request is too long.");
      }
      const answer = lines(parseJson(body));
      // A request that fails at once gets a status of its own.
      const first = await answer.next();
      await pipeline(Readable.from(withFirst(first, answer)), response);
    };
    respond().catch((err: unknown) => {
      log.warn({ err }, "A request of another program failed");
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.on("error", (err) => log.error({ err }, "The control server reported an error"));
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const path = join(dataDir, fileName);
  // Removed first: a file that is replaced keeps its rights.
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify({ url: `http://127.0.0.1:${port}`, token }), { mode: 0o600 });
  return async () => {
    await rm(path, { force: true });
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
}

/** Sends a request to the Parley that runs on that folder. Undefined: none does. Rejects if it fails there. */
export async function askRunning(dataDir: string, request: unknown): Promise<AsyncIterable<unknown> | undefined> {
  const text = await readFile(join(dataDir, fileName), "utf8").catch(() => undefined);
  const found = controlFile.safeParse(parseJson(text ?? ""));
  if (!found.success) return undefined;
  const { url, token } = found.data;
  const sent = fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(request),
  });
  // Left by a process that was killed.
  const response = await sent.catch(() => undefined);
  if (response === undefined || response.status === 403) return undefined;
  if (!response.ok || response.body === null) throw new Error(`The running Parley answered ${response.status}.`);
  return linesOf(response.body);
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const [...whole] = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield JSON.parse(line);
  }
}
