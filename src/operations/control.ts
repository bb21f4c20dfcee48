/**
 * Lets programs of the same user work through the running Parley, since SQLite belongs to one process. It listens on
 * loopback only; its URL and secret are in a file of DATA_DIR that nobody else can read. A process that was killed leaves
 * the file behind, and anyone's program may have its port by then: it proves first that it knows the secret.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { Log } from "../core/ports/log.ts";
import { parseJson } from "../core/tools/parse-json.ts";

const fileName = "control.json";
const controlFile = z.object({ url: z.url(), token: z.string() });
/** Bytes of a request: a command and a person. */
const maxBytes = 10_000;
const nonceHeader = "x-parley-nonce";
const proofHeader = "x-parley-proof";
/** Ms to wait for the proof. */
const proofMs = 5_000;
/** Erasing can take minutes. fetch gives up after five without a byte, so an empty line says that the work continues. */
const aliveMs = 30_000;

const proofOf = (token: string, nonce: string) => createHmac("sha256", token).update(nonce).digest("base64url");

function isSame(given: string | null, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

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

  async function* lines(request: unknown): AsyncGenerator<string> {
    for await (const line of handle(request)) yield `${JSON.stringify(line)}\n`;
  }

  async function* withFirst(first: IteratorResult<string>, rest: AsyncIterable<string>): AsyncGenerator<string> {
    if (first.done !== true) yield first.value;
    yield* rest;
  }

  const server = createServer((request, response) => {
    const nonce = request.headers[nonceHeader];
    if (request.method === "GET" && typeof nonce === "string") {
      response.writeHead(204, { [proofHeader]: proofOf(token, nonce) }).end();
      return;
    }
    const isAllowed = isSame(request.headers.authorization ?? null, `Bearer ${token}`);
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
      const alive = setInterval(() => response.write("\n"), aliveMs);
      try {
        // A request that fails at once gets a status of its own.
        const first = await answer.next();
        await pipeline(Readable.from(withFirst(first, answer)), response);
      } finally {
        clearInterval(alive);
      }
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

/** Sends nothing that is secret. */
async function isParley(url: string, token: string): Promise<boolean> {
  const nonce = randomBytes(32).toString("base64url");
  try {
    const signal = AbortSignal.timeout(proofMs);
    const response = await fetch(url, { headers: { [nonceHeader]: nonce }, redirect: "error", signal });
    await response.body?.cancel();
    return isSame(response.headers.get(proofHeader), proofOf(token, nonce));
  } catch {
    return false;
  }
}

/** Sends a request to the Parley that runs on that folder. Undefined: none does. Rejects if it fails there. */
export async function askRunning(dataDir: string, request: unknown): Promise<AsyncIterable<unknown> | undefined> {
  const text = await readFile(join(dataDir, fileName), "utf8").catch(() => undefined);
  const found = controlFile.safeParse(parseJson(text ?? ""));
  if (!found.success) return undefined;
  const { url, token } = found.data;
  if (!(await isParley(url, token))) return undefined;
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
    for (const line of whole) if (line !== "") yield JSON.parse(line);
  }
}
