import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { bodyOf, failure, open, question } from "./open-service.ts";
import { type Answer, json, play, type RealServer } from "./real-server.ts";

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
  ])("says what a login that answers %s means, and hides the password", async (name, code) => {
    const { service } = await open(
      (asked, response) => play(response, asked.path === "/api/login" ? name : "25.9/auth_401_get"),
      { user: "u", password: "hunter2-secret" },
    );

    const error = await failure(service.listAgents("mindsdb"));

    expect(error.code).toBe(code);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("hunter2");
  });

  it("shows no token when a connection fails", async () => {
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
