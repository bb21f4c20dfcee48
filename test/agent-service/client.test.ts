import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { type AgentServiceOptions, createAgentService } from "../../src/agent-service/client.ts";
import { ParleyError } from "../../src/bridge/errors.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { type Answer, json, play, type RealServer, startServer } from "./real-server.ts";

const question = [{ question: "When?", answer: "" }];
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answer: Answer): Promise<RealServer> {
  const server = await startServer(answer);
  closers.push(server.close);
  return server;
}

async function open(answer: Answer, options: Partial<AgentServiceOptions> = {}) {
  const server = await serve(answer);
  const clock = createFakeClock();
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(inspect({ fields, message }, { depth: null }));
  const log = { debug: write, info: write, warn: write, error: write };
  const service = createAgentService({ baseUrl: server.url, clock, log, ...options });
  closers.push(service.close);
  return { server, service, clock, lines };
}

async function failure(work: Promise<unknown>): Promise<ParleyError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ParleyError)) expect.fail(`not a ParleyError: ${inspect(thrown)}`);
  return thrown;
}

const bodyOf = (server: RealServer, index = -1) => JSON.parse(server.asked.at(index)?.body ?? "") as unknown;
const callOf = (server: RealServer, index = -1) => `${server.asked.at(index)?.method} ${server.asked.at(index)?.path}`;

describe("the profile", () => {
  it.each([
    [
      "25.9/status",
      { generation: "25.x", maxRuns: 20, closeStopsRun: false, plainWorks: true, urlSourcesSurvive: true },
    ],
    [
      "26.1/status",
      { generation: "26.x", maxRuns: 2, closeStopsRun: false, plainWorks: false, urlSourcesSurvive: false },
    ],
  ])("of %s", async (name, expected) => {
    const { service } = await open((_, response) => play(response, name));

    expect(await service.profile()).toMatchObject(expected);
  });

  it.each([
    [{ mindsdb_version: "local" }, "local", 50],
    [{ mindsdb_version: "27.0.0" }, "unknown", 4],
    [{ version: 5 }, "unknown", 4],
    ["hello", "unknown", 4],
  ])("of %j is that of a %s service", async (status, generation, maxRuns) => {
    const { service } = await open((_, response) => json(response, 200, status));

    expect(await service.profile()).toMatchObject({ generation, maxRuns });
  });

  it("is that of an unknown service where there is no such path", async () => {
    const { service } = await open((_, response) => play(response, "25.9/path_unknown"));

    expect((await service.profile()).generation).toBe("unknown");
  });

  it("yields to settings", async () => {
    const { service } = await open((_, response) => play(response, "26.1/status"), {
      maxRuns: 7,
      profile: { plainWorks: true },
    });

    expect(await service.profile()).toMatchObject({ generation: "26.x", maxRuns: 7, plainWorks: true });
  });

  it("is read once, and again after a failure of the service", async () => {
    let version = "25.9.1";
    const { server, service } = await open((asked, response) => {
      if (asked.path === "/api/status") return json(response, 200, { mindsdb_version: version });
      json(response, 502, {});
    });
    await service.profile();
    await service.profile();
    expect(server.asked).toHaveLength(1);
    version = "26.1.0";

    await failure(service.listAgents("mindsdb"));

    expect((await service.profile()).generation).toBe("26.x");
  });

  it("holds on while a busy service does not answer", async () => {
    let isUp = true;
    const { service } = await open((_, response) =>
      isUp ? json(response, 200, { mindsdb_version: "26.1.0" }) : json(response, 502, {}),
    );
    await service.profile();
    isUp = false;
    await failure(service.listAgents("mindsdb"));

    expect((await service.profile()).generation).toBe("26.x");
    expect((await failure(service.status())).code).toBe("service_unreachable");
  });

  it("is busy when the service does not answer in 5 s, and not understood when it is no service", async () => {
    const busy = await open(() => {});
    const waiting = failure(busy.service.status());
    await busy.server.arrived();
    await busy.clock.advance(5000);
    expect((await waiting).code).toBe("service_busy");

    const other = await open((_, response) => response.end("<html>Welcome</html>"));
    expect((await failure(other.service.status())).code).toBe("service_not_understood");
  });
});

describe("agents", () => {
  it.each(["25.9", "26.1"])("are listed without their keys (%s)", async (generation) => {
    const { server, service, lines } = await open((_, response) => play(response, `${generation}/agents_list_full`));

    const agents = await service.listAgents("mindsdb");

    expect(callOf(server)).toBe("GET /api/projects/mindsdb/agents");
    expect(agents.find(({ name }) => name === "support")).toMatchObject({
      project: "mindsdb",
      knowledgeBases: ["mindsdb.docs"],
      tables: [],
    });
    expect(agents.find(({ name }) => name === "withmodel")?.model).toEqual({
      provider: "openai",
      name: "gpt-4",
      hasKey: true,
    });
    expect(inspect([agents, lines], { depth: null })).not.toMatch(/sk-|api_key/);
  });

  it("are read when nearly everything is absent", async () => {
    const { service } = await open((_, response) => play(response, "25.9/agent_create_plain"));

    expect(await service.getAgent("mindsdb", "plain")).toMatchObject({ name: "plain", tables: [], knowledgeBases: [] });
  });

  it("are asked for by names of any kind, and never by a way around them", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/agent_get_unicode"));

    await service.getAgent("my project", "über/agent?#");
    expect(callOf(server)).toBe("GET /api/projects/my%20project/agents/%C3%BCber%2Fagent%3F%23");

    for (const name of ["..", ".", ""])
      expect((await failure(service.deleteAgent("mindsdb", name))).code).toBe("agent_not_found");
    expect((await failure(service.listAgents(".."))).code).toBe("project_not_found");
    expect(server.asked).toHaveLength(1);
  });

  it("are made with what was given and nothing else", async () => {
    const { server, service } = await open((_, response) => play(response, "26.1/agent_create"));

    const agent = await service.createAgent("mindsdb", {
      name: "support",
      model: { provider: "openai", name: "gpt-4", apiKey: "sk-live-0123456789abcdef" },
      knowledgeBases: ["docs", "other.manual"],
      promptTemplate: "Be kind.",
    });

    expect(bodyOf(server)).toEqual({
      agent: {
        name: "support",
        model: { provider: "openai", model_name: "gpt-4", api_key: "sk-live-0123456789abcdef" },
        data: { knowledge_bases: ["mindsdb.docs", "other.manual"] },
        prompt_template: "Be kind.",
      },
    });
    expect(JSON.stringify(agent)).not.toContain("sk-");
  });

  it("that cannot be made with that model show no key, wherever it was put", async () => {
    const { service, lines } = await open((_, response) => play(response, "26.1/agent_create_bad_provider"));

    const error = await failure(service.createAgent("mindsdb", { name: "x" }));

    expect(error.code).toBe("resource_not_found");
    expect(inspect([error, lines], { depth: null, showHidden: true })).not.toContain("0123456789");
  });

  it("are renamed together with another key, because 26.1 forgets a bare rename", async () => {
    const { server, service } = await open((asked, response) =>
      play(response, asked.method === "GET" ? "26.1/agent_get" : "26.1/agent_update"),
    );

    await service.updateAgent("mindsdb", "support", { name: "helper" });

    expect(callOf(server)).toBe("PUT /api/projects/mindsdb/agents/support");
    expect(bodyOf(server)).toEqual({
      agent: { name: "helper", prompt_template: "Answer from the knowledge base mindsdb.docs about our product." },
    });
  });

  it("that are not there cannot be updated, and count as deleted", async () => {
    const { service } = await open((asked, response) =>
      play(response, asked.method === "PUT" ? "26.1/agent_update_unknown" : "26.1/agent_delete_unknown"),
    );

    expect((await failure(service.updateAgent("mindsdb", "nope", { promptTemplate: "x" }))).code).toBe(
      "agent_not_found",
    );
    await service.deleteAgent("mindsdb", "nope");
  });

  it("are not understood when the answer has another shape", async () => {
    const { service } = await open((_, response) => json(response, 200, [{ title: "sk-live-0123456789abcdef" }]));

    const error = await failure(service.listAgents("mindsdb"));

    expect(error.code).toBe("service_not_understood");
    expect(inspect(error, { depth: null })).not.toContain("0123456789");
  });
});

describe("knowledge bases", () => {
  it("are listed, read, made and deleted", async () => {
    const { server, service } = await open((asked, response) => {
      if (asked.method === "DELETE") return play(response, "26.1/kb_delete_unknown");
      if (asked.method === "POST") return play(response, "26.1/kb_create");
      play(response, asked.path.endsWith("/docs") ? "26.1/kb_get" : "26.1/kb_list");
    });

    expect(await service.listKnowledgeBases("mindsdb")).toMatchObject([
      { name: "docs", project: "mindsdb", embeddingModel: "text-embedding-3-small" },
    ]);
    expect(await service.getKnowledgeBase("mindsdb", "docs")).toMatchObject({ name: "docs" });
    await service.createKnowledgeBase("mindsdb", {
      name: "docs",
      embeddingModel: { provider: "openai", modelName: "m", apiKey: "k" },
    });
    expect(bodyOf(server)).toEqual({
      knowledge_base: { name: "docs", embedding_model: { provider: "openai", model_name: "m", api_key: "k" } },
    });
    await service.deleteKnowledgeBase("mindsdb", "docs");
  });

  it("take rows, files and addresses, with a limit wherever there is a depth", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/kb_rows"));

    await service.insert("mindsdb", "docs", { rows: [{ id: "1", content: "text", url: null }] });
    await service.insert("mindsdb", "docs", {
      urls: ["https://a.example", "https://b.example"],
      crawlDepth: 1,
      filters: [],
    });

    expect(bodyOf(server, 0)).toEqual({ knowledge_base: { rows: [{ id: "1", content: "text", url: null }] } });
    expect(bodyOf(server, 1)).toEqual({
      knowledge_base: { urls: ["https://a.example", "https://b.example"], limit: 2, crawl_depth: 1 },
    });
    expect(callOf(server)).toBe("PUT /api/projects/mindsdb/knowledge_bases/docs");
  });

  it("may take an hour before their first byte, and no longer", async () => {
    const { server, service, clock } = await open(() => {});
    const waiting = failure(service.insert("mindsdb", "docs", { query: "SELECT 1" }));
    await server.arrived();

    await clock.advance(3_599_999);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);

    expect((await waiting).code).toBe("service_busy");
  });

  it("say when they are busy, and when content could not be added and why", async () => {
    const busy = await open((_, response) => play(response, "26.1/kb_put_parallel_busy"));
    expect(await failure(busy.service.insert("mindsdb", "docs", { query: "x" }))).toMatchObject({
      code: "knowledge_base_busy",
      retryAfterMs: 2000,
    });

    const refused = await open((_, response) => play(response, "26.1/kb_put_files_unknown"));
    expect((await failure(refused.service.insert("mindsdb", "docs", { files: ["x"] }))).what).toBe(
      "The content could not be added: the service has no file with that name.",
    );
  });
});

describe("files", () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("first ");
    yield Buffer.from("second");
  }
  const file = () => ({ fileName: 'a "b"\r\n.txt', mediaType: "text/plain", content: bytes() });

  it("are sent as one part with their length, and a name that cannot leave its header", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/file_put_txt"));

    await service.uploadFile("Manual", file());

    const [asked] = server.asked;
    expect(callOf(server)).toBe("PUT /api/files/Manual");
    expect(Number(asked?.headers["content-length"])).toBe(asked?.body.length);
    const boundary = /boundary=(.+)$/.exec(asked?.headers["content-type"] ?? "")?.[1];
    expect(asked?.body).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22%0D%0A.txt"\r\n` +
        `Content-Type: text/plain\r\n\r\nfirst second\r\n--${boundary}--\r\n`,
    );
  });

  it("are sent again, whole, after a login that was renewed", async () => {
    const { server, service } = await open(
      (asked, response) => {
        if (asked.path === "/api/login") return json(response, 200, { token: "pat_new" });
        if (asked.headers.authorization !== "Bearer pat_new") return json(response, 401, { title: "Unauthorized" });
        play(response, "25.9/file_put_txt");
      },
      { user: "u", password: "p" },
    );

    await service.uploadFile("manual", file());

    expect(server.asked.at(-1)?.body).toContain("first second");
  });

  it("that are refused say so", async () => {
    const { service } = await open((_, response) => play(response, "26.1/file_put_md"));

    expect((await failure(service.uploadFile("x", { ...file(), mediaType: "bad\r\ntype" }))).code).toBe("file_refused");
  });

  it("whose bytes cannot be read fail as a ParleyError, with nothing sent", async () => {
    const { server, service } = await open((_, response) => json(response, 200, ""));
    // biome-ignore lint/correctness/useYield: it fails before its first byte
    async function* broken(): AsyncGenerator<Uint8Array> {
      throw new Error("gone");
    }

    expect((await failure(service.uploadFile("x", { ...file(), content: broken() }))).code).toBe("internal");
    expect(server.asked).toEqual([]);
  });

  it("are listed, and count as deleted when they are not there", async () => {
    const { service } = await open((asked, response) =>
      play(response, asked.method === "GET" ? "25.9/files_list" : "26.1/file_delete_unknown"),
    );

    expect(await service.listFiles()).toEqual(["manual", "prices", "myfile"]);
    await service.deleteFile("nope");
  });
});

describe("search and deletion by SQL", () => {
  it.each(["25.9", "26.1"])("gives passages with their sources (%s)", async (generation) => {
    const { server, service } = await open((_, response) => play(response, `${generation}/sql_select_metadata`));

    const passages = await service.search("mindsdb", "my-docs", "it's \\' where", 3.7);

    expect(bodyOf(server)).toEqual({
      query: "SELECT * FROM `mindsdb`.`my-docs` WHERE content = 'it''s  '' where' LIMIT 3",
    });
    expect(passages).toEqual([
      {
        content: "Text with metadata about whales.",
        source: {
          title: "Whales",
          url: "https://docs.example.com/whales",
          excerpt: "Text with metadata about whales.",
        },
      },
    ]);
  });

  it("gives the best passage first", async () => {
    const rows = [
      ["a", 0.2],
      ["b", 0.9],
      ["c", null],
      ["d", 0.5],
    ];
    const { service } = await open((_, response) =>
      json(response, 200, { type: "table", column_names: ["chunk_content", "relevance"], data: rows }),
    );

    const passages = await service.search("mindsdb", "docs", "x", 9);

    expect(passages.map(({ content }) => content)).toEqual(["b", "d", "a", "c"]);
  });

  it("asks for nothing when there are no words", async () => {
    const { server, service } = await open((_, response) => json(response, 200, {}));

    expect(await service.search("mindsdb", "docs", "  ", 5)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it("takes an error inside of a 200 for what it is", async () => {
    const { service } = await open((_, response) => play(response, "26.1/sql_error"));

    expect((await failure(service.search("mindsdb", "nowhere", "x", 5))).code).toBe("knowledge_base_not_found");
  });

  it("deletes rows by their ids, a hundred at a time", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/sql_delete_rows"));

    await service.deleteRows("mindsdb", "docs", ["it's"]);
    await service.deleteRows(
      "mindsdb",
      "docs",
      Array.from({ length: 101 }, (_, index) => `r${index}`),
    );
    await service.deleteRows("mindsdb", "docs", []);

    expect(bodyOf(server, 0)).toEqual({ query: "DELETE FROM `mindsdb`.`docs` WHERE id = 'it''s'" });
    expect(server.asked.map(({ body }) => body.match(/'r\d+'/g)?.length ?? 0)).toEqual([0, 100, 1]);
  });
});

describe("the plain answer", () => {
  it.each([
    ["25.9/completions_kb", undefined],
    ["25.9/completions_llm_429", "model_unavailable"],
    ["25.9/completions_llm_401", "model_unavailable"],
    ["26.1/completions_kb", "service_failed"],
    ["25.9/completions_unknown_project", "project_not_found"],
  ])("%s", async (name, code) => {
    const { service } = await open((_, response) => play(response, name));
    const answer = service.askPlain("mindsdb", "support", question);

    if (code === undefined) expect(await answer).toMatch(/^According to the knowledge base: The backup/);
    else expect((await failure(answer)).code).toBe(code);
  });

  it("never is a leaked tool call", async () => {
    const content = "Thought: hm\nAction: kb_query_tool\nAction Input: SELECT 1";
    const { service } = await open((_, response) => json(response, 200, { message: { content } }));

    expect((await failure(service.askPlain("mindsdb", "support", question))).code).toBe("answer_unusable");
  });
});

describe("login", () => {
  const needsToken =
    (valid: () => string): Answer =>
    (asked, response) => {
      if (asked.path === "/api/login") return json(response, 200, { token: valid() });
      if (asked.headers.authorization === `Bearer ${valid()}`) return play(response, "25.9/agents_list");
      play(response, "25.9/auth_401_get");
    };
  const logins = (server: RealServer) => server.asked.filter(({ path }) => path === "/api/login").length;

  it("sends a given token, and none where there is none", async () => {
    const withToken = await open((_, response) => play(response, "25.9/agents_list"), { token: "fixed" });
    await withToken.service.listAgents("mindsdb");
    expect(withToken.server.asked[0]?.headers.authorization).toBe("Bearer fixed");

    const without = await open((_, response) => play(response, "25.9/agents_list"), { user: "u", password: "p" });
    await without.service.listAgents("mindsdb");
    expect(without.server.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/api/projects/mindsdb/agents", undefined],
    ]);
  });

  it("logs in after a 401, once for many requests, and again after a restart of the service", async () => {
    let token = "pat_one";
    const { server, service } = await open(
      needsToken(() => token),
      { user: "u", password: "p" },
    );

    await Promise.all(Array.from({ length: 5 }, () => service.listAgents("mindsdb")));
    expect(logins(server)).toBe(1);
    expect(
      bodyOf(
        server,
        server.asked.findIndex(({ path }) => path === "/api/login"),
      ),
    ).toEqual({
      username: "u",
      password: "p",
    });

    token = "pat_two";
    await service.listAgents("mindsdb");
    expect(logins(server)).toBe(2);
  });

  it("logs in for a stream too, before its first event", async () => {
    const { service } = await open(
      (asked, response) => {
        if (asked.path === "/api/login") return json(response, 200, { token: "pat_one" });
        if (asked.headers.authorization === undefined) return play(response, "26.1/auth_401_stream");
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end('data: {"output": "yes"}\n\ndata: {"type": "end"}\n\n');
      },
      { user: "u", password: "p" },
    );
    const types: string[] = [];

    for await (const event of service.ask("mindsdb", "support", question)) types.push(event.type);

    expect(types).toEqual(["started", "answer", "ended"]);
  });

  it("renews once only, and says that the login was not accepted", async () => {
    const { server, service } = await open(
      (asked, response) =>
        asked.path === "/api/login" ? json(response, 200, { token: "useless" }) : play(response, "25.9/auth_401_get"),
      { user: "u", password: "p" },
    );

    expect((await failure(service.listAgents("mindsdb"))).code).toBe("not_authorised");
    expect(server.asked).toHaveLength(3);
  });

  it.each([
    ["25.9/auth_login_wrong", "not_authorised"],
    ["25.9/auth_login_missing", "not_authorised"],
    ["25.9/sql_missing_query", "service_failed"],
  ])("says what a login that answers %s means, and tells no password", async (name, code) => {
    const { service } = await open(
      (asked, response) => play(response, asked.path === "/api/login" ? name : "25.9/auth_401_get"),
      { user: "u", password: "hunter2-secret" },
    );

    const error = await failure(service.listAgents("mindsdb"));

    expect(error.code).toBe(code);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("hunter2");
  });

  it("tells no token when a connection fails", async () => {
    const { service } = await open((_, __, request) => request.socket.destroy(), { token: "hunter2-token" });

    const error = await failure(service.listAgents("mindsdb"));

    expect(error.code).toBe("service_unreachable");
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("hunter2");
  });

  it("is not waited for by a run that was stopped", async () => {
    const { server, service } = await open(
      (asked, response) => {
        if (asked.path !== "/api/login") play(response, "25.9/auth_401_stream");
      },
      { user: "u", password: "p" },
    );
    const stop = new AbortController();
    const outcome = failure(service.askPlain("mindsdb", "support", question, { signal: stop.signal }));
    await server.arrived(({ path }) => path === "/api/login");

    stop.abort();

    expect((await outcome).code).toBe("stopped");
  });
});

describe("the connection", () => {
  it("follows no redirect, and so gives the token to nobody else", async () => {
    const elsewhere = await serve((_, response) => json(response, 200, []));
    const { service } = await open(
      (_, response) => {
        response.writeHead(308, { location: `${elsewhere.url}/api/projects/` });
        response.end("<!doctype html>");
      },
      { token: "fixed" },
    );

    expect((await failure(service.listProjects())).code).toBe("service_not_understood");
    expect(elsewhere.asked).toEqual([]);
  });

  it("lists projects at the address that needs no redirect, and data sources without vector stores", async () => {
    const { server, service } = await open((asked, response) =>
      play(response, asked.path === "/api/projects/" ? "25.9/projects_list_slash" : "25.9/databases_list"),
    );

    expect(await service.listProjects()).toEqual(["mindsdb"]);
    expect(await service.listDataSources()).toEqual(["files"]);
    expect(server.asked).toHaveLength(2);
  });

  it("keeps connections for later requests", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/status"));

    for (let request = 0; request < 10; request += 1) await service.status();

    // One more than needed may be opened while the first is just being handed back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("asks again at once when a kept connection was closed under a GET, and never for anything else", async () => {
    let left = 1;
    const breakOnce: Answer = (_, response: ServerResponse, request) => {
      left -= 1;
      if (left >= 0) return request.socket.destroy();
      play(response, "25.9/agents_list");
    };
    const { server, service } = await open(breakOnce);
    expect(await service.listAgents("mindsdb")).toHaveLength(1);
    expect(server.asked).toHaveLength(2);

    left = 1;
    expect((await failure(service.createAgent("mindsdb", { name: "x" }))).code).toBe("service_unreachable");
    expect(server.asked).toHaveLength(3);
  });

  it("lives behind a path, and drops credentials in the address", async () => {
    const { server } = await open(() => {});
    const second = await open((_, response) => play(response, "25.9/status"));
    const { service } = await open(() => {}, {
      baseUrl: `${second.server.url.replace("//", "//user:secret@")}/prefix/`,
    });

    await service.status();

    expect(callOf(second.server)).toBe("GET /prefix/api/status");
    expect(second.server.asked[0]?.headers.authorization).toBeUndefined();
    expect(server.asked).toEqual([]);
  });

  it("goes through a proxy when one is set, except to what is excepted", async () => {
    const proxy = await serve((asked, response) =>
      asked.path.startsWith("http://service.example/") ? play(response, "25.9/status") : json(response, 500, {}),
    );
    const through = await open(() => {}, { baseUrl: "http://service.example", proxy: { httpProxy: proxy.url } });
    const around = await open((_, response) => play(response, "26.1/status"), {
      proxy: { httpProxy: proxy.url, noProxy: "127.0.0.1" },
    });

    expect((await through.service.status()).generation).toBe("25.x");
    expect((await around.service.status()).generation).toBe("26.x");
    expect(proxy.asked).toHaveLength(1);
  });

  it("ends an ordinary request at its limit", async () => {
    const { server, service, clock } = await open(() => {});
    const waiting = failure(service.listAgents("mindsdb"));
    await server.arrived();

    await clock.advance(30_000);

    expect((await waiting).code).toBe("service_busy");
    expect(clock.pending()).toBe(0);
  });

  it("closes when what runs has ended", async () => {
    let finish = () => {};
    const { server, service } = await open((_, response) => {
      finish = () => play(response, "25.9/status");
    });
    const running = service.status();
    await server.arrived();

    const closed = service.close();
    finish();

    expect((await running).generation).toBe("25.x");
    await closed;
    await server.idle();
    expect((await failure(service.status())).code).toBe("service_unreachable");
  });

  it("closes in the end, even when something never ends", async () => {
    const { server, service, clock } = await open(() => {});
    const hanging = failure(service.insert("mindsdb", "docs", { query: "SELECT 1" }));
    await server.arrived();

    const closed = service.close();
    await clock.advance(5000);
    await closed;

    expect((await hanging).code).toBe("service_unreachable");
    expect(clock.pending()).toBe(0);
  });
});
