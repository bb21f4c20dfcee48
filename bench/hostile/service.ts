/**
 * A hostile agent service and web site on one local port: answers of 1 MB, steps of 8 MB, pages and robots.txt rules
 * that cost far more to read than to send. It also serves what knowledge bases need.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { startFeedingService } from "../../test/doubles/service/feeding-service.ts";
import { hostileMarkdown } from "./markdown.ts";

export type Hostility = {
  /** What an answer is made of: the name of a generator. */
  readonly markdown?: string;
  readonly steps?: { readonly count: number; readonly megabytes: number };
  readonly robots?: "many stars" | "many rules";
};

const megabyte = 1_000_000;
/** As long as the address policy takes. */
const longPath = `/${"a".repeat(1_900)}`;
const linksOnPage = 30;

const robots: Readonly<Record<NonNullable<Hostility["robots"]>, string>> = {
  "many stars": `User-agent: *\n${`Disallow: /${"*a".repeat(100)}b\n`.repeat(2_300)}`,
  // None is like another, so that all of them are kept.
  "many rules": `User-agent: *\n${Array.from({ length: 25_000 }, (_, at) => `Disallow: /*b${at}`).join("\n")}`,
};

/** By path. The first is 10 MB that are 10 kB on the wire, the others are as large as is read. */
const pages: Readonly<Record<string, string>> = {
  "/elements": "<p>a".repeat((10 * megabyte) / 4),
  "/most-elements": "<p>a".repeat(99_000),
  "/most-text": `<p>${"word ".repeat(580_000)}`,
  "/nested-lists": "<ul><li>".repeat(40_000),
  "/nested-words": "<b><i>".repeat(45_000),
  "/most-links": '<a href="/a">b</a> '.repeat(49_000),
};

export async function startHostileService(hostility: Hostility): Promise<string> {
  const feeding = await startFeedingService({ agents: ["bench"] });
  const server = createServer((request, response) => {
    const { method = "GET", url: path = "/" } = request;
    if (path.endsWith("/completions/stream")) {
      request.resume();
      return void answer(response, hostility);
    }
    if (path.startsWith("/api/")) {
      return void forward(feeding.url + path, method, request, response).catch(() => response.destroy());
    }
    return site(path, response, hostility);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(response: ServerResponse, { markdown, steps }: Hostility): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const send = async (value: unknown) => {
    if (response.write(`data: ${JSON.stringify(value)}\n\n`) || response.destroyed) return;
    const listening = new AbortController();
    await Promise.race(["drain", "close"].map((event) => once(response, event, listening))).catch(() => undefined);
    listening.abort();
  };
  await send({ type: "start", prompt: "x", trace_id: "" });
  // As JSON a row has seven characters.
  const rows = "1,2\r\n".repeat(((steps?.megabytes ?? 0) * megabyte) / 7);
  const observation = `Output columns: 'a', 'b'\nResult in CSV format (dialect is 'excel'):\na,b\r\n${rows}`;
  for (let step = 0; step < (steps?.count ?? 0) && !response.destroyed; step += 1) {
    const action = { tool: "sql_db_query", tool_input: `SELECT ${step}`, log: "Thought: x" };
    await send({ actions: [action], messages: [], trace_id: "" });
    await send({ steps: [{ action, observation }], messages: [], trace_id: "" });
  }
  await send({ output: hostileMarkdown[markdown ?? ""]?.() ?? "Done.", messages: [], trace_id: "" });
  response.end('data: {"type": "end"}\n\n');
}

function site(path: string, response: ServerResponse, hostility: Hostility): void {
  if (path === "/robots.txt") {
    if (hostility.robots === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end(robots[hostility.robots]);
    return;
  }
  const page = pages[path];
  if (page !== undefined) {
    const html = gzipSync(`<!doctype html><title>x</title>${page}`, { level: 9 });
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(html);
    return;
  }
  const links = Array.from({ length: linksOnPage }, (_, at) => `<li><a href="${longPath}${at}">Page ${at}</a></li>`);
  response
    .writeHead(200, { "content-type": "text/html" })
    .end(
      `<!doctype html><title>x</title><main><p>${"Words of a page. ".repeat(50)}</p><ul>${links.join("")}</ul></main>`,
    );
}

async function forward(
  url: string,
  method: string,
  request: AsyncIterable<Buffer>,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = method === "GET" ? {} : { body: Buffer.concat(parts) };
  const answered = await fetch(url, { method, headers: { "content-type": "application/json" }, ...body });
  response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "application/json" });
  response.end(Buffer.from(await answered.arrayBuffer()));
}
