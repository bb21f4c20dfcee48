/** What clients of the API see on the wire: status codes, bodies, access, and the pace of the stream. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { until } from "../doubles/until.ts";
import { running, runningWithDocuments } from "./running.ts";

const api = "/api/projects/mindsdb";
const json = { "content-type": "application/json" };

async function send(url: string, method: string, path: string, body?: unknown, headers: Record<string, string> = json) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get("content-type")?.split(";")[0];
  return { status: response.status, contentType, body: text === "" ? undefined : JSON.parse(text) };
}

/** fetch does not let a Host or an Origin be set. */
function statusWith(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/status`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("the wire", () => {
  it.each([
    ["GET", "/api/nope", undefined, 404, "Not found"],
    ["POST", "/api/projects/", { project: { name: "x" } }, 405, "Method Not Allowed"],
    ["GET", "/api/projects/nope", undefined, 404, "Project not exists"],
    ["GET", "/api/projects/nope/agents", undefined, 404, "Project not found"],
    ["POST", `${api}/agents`, "{", 400, "Bad Request"],
    ["POST", `${api}/agents`, { name: "x" }, 400, "Missing parameter"],
    ["POST", `${api}/agents`, { agent: {} }, 400, "Missing field"],
    ["POST", `${api}/agents`, { agent: { name: "Support" } }, 400, "Wrong name"],
    ["POST", `${api}/agents`, { agent: { name: "a/b" } }, 400, "Wrong name"],
    ["PUT", `${api}/agents/nope`, { agent: { prompt_template: "x" } }, 400, "Creation is not allowed"],
    ["DELETE", `${api}/agents/nope`, undefined, 404, "Agent not found"],
    ["POST", `${api}/agents/nope/completions/stream`, { messages: [] }, 404, "Agent not found"],
    ["POST", `${api}/agents/guide/completions/stream`, {}, 400, "Missing parameter"],
    ["POST", `${api}/knowledge_bases`, { knowledge_base: { name: "docs" } }, 409, "Knowledge Base already exists"],
    ["PUT", `${api}/knowledge_bases/nope`, { knowledge_base: {} }, 404, "Knowledge Base not found"],
    ["PUT", `${api}/knowledge_bases/docs`, { rows: [] }, 400, "Missing parameter"],
    ["PUT", `${api}/knowledge_bases/docs`, { knowledge_base: { rows: "x" } }, 400, "Preprocessing Error"],
    ["PUT", `${api}/knowledge_bases/docs`, { knowledge_base: { urls: ["https://x.org"] } }, 400, "Preprocessing Error"],
    ["PUT", `${api}/knowledge_bases/docs`, { knowledge_base: { query: "SELECT 1" } }, 400, "Preprocessing Error"],
    ["POST", "/api/sql/query", {}, 500, "KeyError"],
  ])("answers %s %s with %j by %i %s", async (method, path, body, status, title) => {
    const { url } = await runningWithDocuments();

    const answer = await send(url, method, path, body);

    expect(answer).toMatchObject({ status, body: { title, detail: expect.any(String) } });
  });

  it("refuses a body that is not sent as JSON", async () => {
    const { url } = await running();

    const answer = await send(url, "POST", `${api}/agents`, "{}", { "content-type": "text/plain" });

    expect(answer.status).toBe(415);
  });

  it("refuses a body that is too large", async () => {
    const { url } = await running({ maxBodyBytes: 1_000 });

    const answer = await send(url, "POST", `${api}/agents`, {
      agent: { name: "x", prompt_template: "x".repeat(2_000) },
    });

    expect(answer).toMatchObject({ status: 413, contentType: "application/json" });
  });

  it("gives agents as the API document has them, absent keys absent", async () => {
    const { url } = await running();

    const made = await send(url, "POST", `${api}/agents`, { agent: { name: "plain" } });

    expect(made.status).toBe(201);
    expect(Object.keys(made.body).sort()).toEqual(["created_at", "id", "name", "project_id", "updated_at"]);
    expect(made.body.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
  });

  it("reports SQL errors with status 200", async () => {
    const { url } = await runningWithDocuments();

    const syntax = await send(url, "POST", "/api/sql/query", { query: "DROP TABLE docs" });
    const unknown = await send(url, "POST", "/api/sql/query", { query: "SELECT * FROM mindsdb.nope LIMIT 1" });
    const all = await send(url, "POST", "/api/sql/query", { query: "DELETE FROM mindsdb.docs" });

    expect(syntax).toMatchObject({ status: 200, body: { type: "error" } });
    expect(unknown.body.error_message).toBe("Table 'nope' not found in database: mindsdb");
    expect(all.body.type).toBe("error");
  });

  it("doesn't store or log a model's key", async () => {
    const { url, logged } = await running();
    const agent = { name: "keyed", model: { provider: "openai", api_key: "sk-very-secret" } };

    const made = await send(url, "POST", `${api}/agents`, { agent });
    await send(url, "POST", `${api}/agents`, { agent });
    await send(url, "PUT", `${api}/agents/keyed`, `{"agent": {"model": {"api_key": "sk-very-secret"`);
    const shown = await send(url, "GET", `${api}/agents/keyed`);

    for (const { body } of [made, shown]) expect(body.model).toEqual({ provider: "openai", api_key: "******" });
    expect(logged.join("\n")).not.toContain("sk-very-secret");
  });
});

describe("access", () => {
  it("refuses what comes by another name or from a page", async () => {
    const { url } = await running();

    expect(await statusWith(url, {})).toBe(200);
    expect(await statusWith(url, { host: "rebound.example.com" })).toBe(403);
    expect(await statusWith(url, { origin: "https://example.com" })).toBe(403);
  });

  it("asks for the token everywhere but at the status", async () => {
    const { url, client } = await running({ token: "let-me-in" });

    expect((await send(url, "GET", "/api/status")).status).toBe(200);
    expect((await send(url, "GET", `${api}/agents`)).status).toBe(401);
    expect((await send(url, "GET", `${api}/agents`, undefined, { authorization: "Bearer wrong" })).status).toBe(401);
    expect(await client.listAgents("mindsdb")).toEqual([]);
  });
});

describe("the stream", () => {
  const messages = [{ question: "How do I connect Slack?", answer: "" }];

  it("sends the chunks of the API document in their order, one event each", async () => {
    const { url } = await runningWithDocuments();

    const response = await fetch(`${url}${api}/agents/guide/completions/stream`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ messages }),
    });
    const text = await response.text();

    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const chunks = text
      .split("\n\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.replace(/^data: /, "")));
    const kinds = chunks.map((chunk) => chunk.type ?? Object.keys(chunk)[0]);
    expect(kinds).toEqual(["start", "actions", "steps", "actions", "steps", "output", "end"]);
    expect(chunks[0].prompt).toBe(messages[0]?.question);
    expect(chunks[4].steps[0].observation).toMatch(
      /^Output columns: 'id', 'chunk_id', 'chunk_content', 'metadata', 'distance', 'relevance'\nResult in CSV format \(dialect is 'excel'\):\nid,chunk_id,/,
    );
  });

  it("pauses before each chunk, so that steps appear one by one", async () => {
    const clock = createFakeClock();
    const { client } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const seen: string[] = [];
    const run = client.ask("mindsdb", "guide", messages)[Symbol.asyncIterator]();
    const next = async () => {
      const { value, done } = await run.next();
      if (done !== true) seen.push(value.type);
    };

    await next();
    expect(seen).toEqual(["started"]);
    let over = false;
    const rest = (async () => {
      while (seen.at(-1) !== "ended") await next();
      over = true;
    })();
    let pauses = 0;
    while (!over) {
      if (clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve));
      else {
        pauses += 1;
        await clock.advance(350);
      }
    }
    await rest;

    expect(pauses).toBe(5);
  });

  it("reports in the stream that a run failed, and in the log why", async () => {
    const clock = { ...createFakeClock(), sleep: () => Promise.reject(new Error("no time")) };
    const { client, logged } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const types: string[] = [];

    for await (const event of client.ask("mindsdb", "guide", messages)) types.push(event.type);

    expect(types).toEqual(["started", "failed", "ended"]);
    expect(logged.join("\n")).toContain("no time");
  });

  it("ends the run when the client leaves", async () => {
    const clock = createFakeClock();
    const { client } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const stop = new AbortController();
    const run = client.ask("mindsdb", "guide", messages, { signal: stop.signal })[Symbol.asyncIterator]();
    await run.next();
    await until("a timer", () => clock.pending() === 1);

    stop.abort();

    await expect(run.next()).rejects.toThrow("stopped");
    await until("the end of the timers", () => clock.pending() === 0);
  });

  it("ends runs when the service closes, and leaves no timer", async () => {
    const clock = createFakeClock();
    const { client, close } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const run = client.ask("mindsdb", "guide", messages)[Symbol.asyncIterator]();
    await run.next();
    await until("a timer", () => clock.pending() === 1);

    const rest = run.next();
    await Promise.all([close(), expect(rest).rejects.toThrow("stream_cut")]);

    expect(clock.pending()).toBe(0);
  });
});
