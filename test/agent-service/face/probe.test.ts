import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createProbe, type ProbeOptions } from "../../../src/agent-service/probe/probe.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { failure, serve } from "../open-service.ts";
import { type Answer, json } from "../real-server.ts";
import * as servers from "./servers.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function look(answer: Answer, options: Partial<ProbeOptions> & { readonly under?: string } = {}) {
  const { under = "", ...others } = options;
  const server = await serve(answer);
  const clock = createFakeClock();
  const probe = createProbe({ baseUrl: `${server.url}${under}`, clock, log: silentLog, ...others });
  closers.push(probe.close);
  const paths = () => server.asked.map(({ method, path }) => `${method} ${path}`);
  return { server, probe, clock, paths, find: probe.find };
}

const { routed, gives } = servers;

describe("the dialect", () => {
  it("is not believed of a list that no server of models would send", async () => {
    const data = Array.from({ length: 90_000 }, (_, index) => ({ id: `model-${index}`, what: "x".repeat(50) }));
    const { find } = await look(routed({ "GET /v1/models": gives(200, { data }) }));

    expect((await failure(find())).code).toBe("service_not_understood");
  });

  it.each([
    ["mindsdb", servers.mindsdb, "/api/status", "", "unknown", ""],
    ["mindsdb", servers.bareMindsdb, "/api/projects/", "", "unknown", ""],
    ["responses", servers.cowork, "/api/v1/health/", "/api/v1", "cowork", "2.26.8.2.1"],
    ["responses", servers.litellm, "/v1/models", "/v1", "litellm", "1.106.2"],
    ["responses", servers.responsesOnly, "/v1/responses", "/v1", "unknown", ""],
    ["chat", servers.chatAlone, "/v1/models", "/v1", "unknown", ""],
  ])("is %s where the server is %j", async (dialect, routes, foundBy, under, generation, version) => {
    const { find, server } = await look(routed(routes));

    expect(await find()).toEqual({
      dialect,
      foundBy,
      baseUrl: `${server.url}${under}`,
      server: { generation, version },
    });
  });

  it.each([
    ["/v1", servers.litellm, "responses", "/v1"],
    ["/v1/", servers.litellm, "responses", "/v1"],
    ["/", servers.litellm, "responses", "/v1"],
    ["/api/v1", servers.cowork, "responses", "/api/v1"],
    ["/api/v1/", servers.cowork, "responses", "/api/v1"],
    ["/", servers.mindsdb, "mindsdb", ""],
  ])("is found with %s at the end of the URL", async (under, routes, dialect, at) => {
    const { find, server } = await look(routed(routes), { under });

    expect(await find()).toMatchObject({ dialect, baseUrl: `${server.url}${at}` });
  });

  it("is found under the path of a proxy, and where the API has no version in its path", async () => {
    const proxied = Object.fromEntries(
      Object.entries(servers.litellm).map(([route, answer]) => [route.replace(" /", " /llm/"), answer]),
    );
    const behind = await look(routed(proxied), { under: "/llm" });
    expect(await behind.find()).toMatchObject({ dialect: "responses", baseUrl: `${behind.server.url}/llm/v1` });

    const routes = { "GET /beta/models": servers.models, "POST /beta/chat/completions": servers.unreadable };
    const without = await look(routed(routes), { under: "/beta" });
    expect(await without.find()).toMatchObject({ dialect: "chat", baseUrl: `${without.server.url}/beta` });
  });

  it("is found without any request that could run", async () => {
    const { find, server } = await look(routed(servers.litellm));

    await find();

    for (const { method, body } of server.asked) if (method === "POST") expect(body).toBe("{");
    expect(server.asked.some(({ method }) => method === "POST")).toBe(true);
  });

  it("is chat where every path refuses a body that isn't JSON, with a list of models before it", async () => {
    const { find } = await look((asked, response, request) => {
      if (asked.method === "POST") return json(response, 400, { error: { message: "Unexpected end of JSON input" } });
      routed(servers.chatAlone)(asked, response, request);
    });

    expect((await find()).dialect).toBe("chat");
  });

  it("is asked once of a service whose status tells it", async () => {
    const { find, paths } = await look(routed(servers.mindsdb));

    const found = await find();
    await find(found);

    expect(paths()).toEqual(["GET /api/status", "GET /api/status"]);
  });

  it("is looked for first as it was before", async () => {
    const { find, paths } = await look(routed(servers.cowork));
    const found = await find();
    const before = paths().length;

    await find(found);

    expect(paths().slice(before)).toEqual(["GET /api/v1/health/"]);
  });

  it("is known for OpenAI by its header", async () => {
    const listed = gives(200, { data: [] }, { "openai-version": "2020-10-01" });
    const { find } = await look(routed({ "GET /v1/models": listed, "POST /v1/responses": servers.unreadable }));

    expect(await find()).toMatchObject({ dialect: "responses", server: { generation: "openai" } });
  });

  it("is chat where a key may not use the Responses API", async () => {
    const refused = gives(403, { error: { message: "This key can't use /v1/responses", type: "auth_error" } });
    const { find } = await look(routed({ "GET /v1/models": servers.models, "POST /v1/responses": refused }));

    expect((await find()).dialect).toBe("chat");
  });
});

describe("a setting", () => {
  it("fixes the dialect, and only where the API begins is looked for", async () => {
    const fixed = await look(routed(servers.litellm), { kind: "chat" });

    expect(await fixed.find()).toEqual({
      dialect: "chat",
      foundBy: "AGENT_SERVICE_KIND",
      baseUrl: `${fixed.server.url}/v1`,
      server: { generation: "litellm", version: "1.106.2" },
    });
    expect(fixed.paths()).not.toContain("POST /v1/responses");
  });

  it("is believed where nothing else tells, also when the list of models wants a key", async () => {
    const nothing = await look(routed({}), { kind: "responses" });
    expect(await nothing.find()).toMatchObject({ baseUrl: `${nothing.server.url}/v1`, foundBy: "AGENT_SERVICE_KIND" });

    const closed = await look((_, response) => json(response, 401, {}), { kind: "chat", under: "/v1" });
    expect(await closed.find()).toMatchObject({ baseUrl: `${closed.server.url}/v1` });
  });

  it("fixes mindsdb without a request, and so does a user, whom no other dialect knows", async () => {
    const { find, paths } = await look(routed({}), { kind: "mindsdb" });
    expect(await find()).toMatchObject({ dialect: "mindsdb", foundBy: "AGENT_SERVICE_KIND" });
    expect(paths()).toEqual([]);

    const user = await look(routed({}), { user: "parley", password: "secret" });
    expect(await user.find()).toMatchObject({ dialect: "mindsdb", foundBy: "AGENT_SERVICE_USER" });
  });
});

describe("a service that is not found", () => {
  it.each([
    ["a web page", (response: ServerResponse) => void response.end("<html>Welcome</html>")],
    ["JSON of another kind", (response: ServerResponse) => json(response, 200, { version: "1" })],
    ["nothing", (response: ServerResponse) => json(response, 404, { detail: "Not Found" })],
    ["redirects", (response: ServerResponse) => void response.writeHead(307, { location: "http://[::1]:9/" }).end()],
  ])("speaks no known dialect if it answers with %s, and what was tried is said", async (_, answer) => {
    const { find } = await look((_asked, response) => answer(response));

    const error = await failure(find());

    expect(error.code).toBe("service_not_understood");
    expect(error.what).toBe("The agent service speaks no API that Parley knows.");
    expect(error.hint).toMatch(
      /AGENT_SERVICE_URL.*AGENT_SERVICE_KIND.*Tried: \/api\/status \(\d+\), \/api\/v1\/health\//,
    );
    expect(error.hint).toContain("/v1/models");
  });

  it("is told from one that wants a key", async () => {
    const closed = await look(routed({ "GET /v1/models": gives(401, { error: { message: "No key" } }) }));
    expect((await failure(closed.find())).code).toBe("not_authorised");

    const wrongKey = gives(400, { error: { message: "No connected db.", type: "no_db_connection", code: "400" } });
    const wrong = await look(routed({ ...servers.litellm, "GET /v1/models": wrongKey }));
    expect((await failure(wrong.find())).code).toBe("not_authorised");

    const noKey = { ...servers.litellm, "GET /v1/models": gives(500, "Internal Server Error") };
    const without = await look(routed(noKey));
    expect((await failure(without.find())).code).toBe("not_authorised");
  });

  it.each([
    [502, "service_unreachable"],
    [503, "service_unreachable"],
    [429, "service_busy"],
  ])("is asked again later if something before it answers %i", async (status, code) => {
    const { find } = await look((_, response) => json(response, status, {}));

    expect((await failure(find())).code).toBe(code);
  });

  it("is unreachable while nothing listens, and busy if it doesn't answer in 5 s", async () => {
    const gone = await look(routed({}));
    await gone.server.close();
    expect((await failure(gone.find())).code).toBe("service_unreachable");

    const silent = await look(() => {});
    const waiting = failure(silent.find());
    await silent.server.arrived();
    await silent.clock.advance(5000);
    expect((await waiting).code).toBe("service_busy");
  });
});

describe("the key", () => {
  it("is sent to the service, and not to where it redirects", async () => {
    const elsewhere = await serve(routed(servers.litellm));
    const { find, server } = await look(
      (_, response) => void response.writeHead(307, { location: `${elsewhere.url}/v1/models` }).end(),
      { token: "sk-very-secret-key" },
    );

    const error = await failure(find());

    expect(server.asked[0]?.headers.authorization).toBe("Bearer sk-very-secret-key");
    expect(elsewhere.asked).toEqual([]);
    expect(`${error.what} ${error.hint} ${error.message}`).not.toContain("secret");
  });
});
