/** What a person's MCP client may do at /mcp, and what ends its calls, with an agent service that the test plays. */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import {
  connect,
  eras,
  fastClock,
  from,
  headersWith,
  open,
  personOf,
  ping,
  question,
  raw,
  textOf,
  tokenOf,
  url,
} from "./client.ts";

describe("an MCP client with a person's token", () => {
  it.each(eras)("gets the answer and what is being done meanwhile, with a client %s", async (_era, options) => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"), options);
    const heard: string[] = [];

    const asked = client.callTool(question("Where is it?"), {
      onprogress: ({ message = "" }) => void heard.push(message),
    });
    const run = await page.agents.run(0);
    await until("progress", () => heard.length > 0);
    run.answer("In the **attic**.");
    const result = await asked;

    expect(textOf(result)).toContain("In the **attic**.");
    expect(heard.join(" ")).toContain("guide");
    expect(run.question).toBe("Where is it?");
  });

  it.each(eras)("stops only its own run when a call is cancelled, with a client %s", async (_era, options) => {
    const page = await open();
    const [ana, other] = [
      await connect(page, await tokenOf(page, "ana"), options),
      await connect(page, await tokenOf(page, "ana"), options),
    ];
    const cancelling = new AbortController();

    // Both are the first call of their client, so that their requests have the same id.
    const first = ana.callTool(question("One?"), { signal: cancelling.signal });
    const one = await page.agents.run(0);
    const second = other.callTool(question("Two?"));
    const two = await page.agents.run(1);
    cancelling.abort();
    await expect(first).rejects.toThrow();
    await until("the run is stopped", () => one.isAborted());
    two.answer("Second.");

    expect(textOf(await second)).toContain("Second.");
    expect(two.isAborted()).toBe(false);
  });

  it("says that it is still working, and gives the answer to its person alone", async () => {
    const page = await open(fastClock());
    const ana = await connect(page, await tokenOf(page, "ana"));
    const ben = await connect(page, await tokenOf(page, "ben"));

    const asked = await ana.callTool(question("Where is it?"));
    const id = /id (\S+) to/.exec(textOf(asked))?.[1] ?? "";
    (await page.agents.run(0)).answer("In the attic.");
    const ofBen = await ben.callTool({ name: "get_answer", arguments: { id } });
    // Time is fast, so it may still be working a few times.
    const getAnswer = async () => textOf(await ana.callTool({ name: "get_answer", arguments: { id } }));

    expect(textOf(asked)).toContain("Still working");
    expect(textOf(ofBen)).toBe("You have no question with this id.");
    await expect.poll(getAnswer, { timeout: 30_000 }).toContain("In the attic.");
  });

  it("is told to ask again when Parley ends, and the run isn't stopped for that", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));
    const asked = client.callTool(question("Where is it?"));
    const run = await page.agents.run(0);

    for (const platform of page.parley.platforms) await platform.stopIntake();
    const result = await asked;

    expect(textOf(result)).toContain("Still working");
    expect(run.isAborted()).toBe(false);
    run.answer("In the attic.");
    await page.idle();
  });

  it("stops the run, and tells nothing more, when its token is revoked meanwhile", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));
    const asked = client.callTool(question("Where is it?"));
    const run = await page.agents.run(0);
    const { body } = await page.request("/api/tokens", { headers: personOf("ana") });

    const gone = { id: body.tokens[0].id };
    await page.request("/api/tokens/revoke", { method: "POST", body: gone, headers: personOf("ana") });
    const result = await asked;
    await until("the run is stopped", () => run.isAborted());

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("was revoked");
    await expect(client.callTool(question("Again?"))).rejects.toThrow();
  });

  it("lists gaps as data, and the audit log names who created a token", async () => {
    const page = await open();
    const [ana, ben] = [await connect(page, await tokenOf(page, "ana")), await tokenOf(page, "ben")];

    const gaps = await ana.callTool({ name: "list_gaps", arguments: {} });
    const { body } = await page.request("/api/admin/audit", { headers: personOf("ana") });

    expect(gaps.structuredContent).toEqual({ gaps: [] });
    expect(JSON.stringify(body)).toContain("token create");
    expect(JSON.stringify(body)).not.toContain("token revoke");
    expect(JSON.stringify(body)).not.toContain(ben);
  });

  it("has its end in the audit log, with who ended it", async () => {
    const page = await open();
    await tokenOf(page, "ben");
    const { body: list } = await page.request("/api/tokens", { headers: personOf("ben") });

    const revoke = { method: "POST", body: { id: list.tokens[0].id }, headers: personOf("ben") };
    const [first, second] = [
      await page.request("/api/tokens/revoke", revoke),
      await page.request("/api/tokens/revoke", revoke),
    ];
    const { body } = await page.request("/api/admin/audit", { headers: personOf("ana") });

    expect([first.status, second.status]).toEqual([200, 404]);
    expect(body.rows.filter(({ action }: { action: string }) => action === "token revoke")).toMatchObject([
      { outcome: "done", about: [["token", "Claude"]], actor: { name: "ben" } },
    ]);
  });

  it("knows a token no longer once its person is erased", async () => {
    const page = await open();
    const token = await tokenOf(page, "ben");
    const before = await raw(page, { headers: headersWith(token), body: ping });

    await page.parley.privacy.erase({ platform: "console", workspace: "local", id: "ben" });
    const after = await raw(page, { headers: headersWith(token), body: ping });

    expect([before.status, after.status]).toEqual([200, 401]);
  });

  it("is refused with a wrong token, a token in the URL, from another site and with what isn't a request", async () => {
    const page = await open();
    const token = await tokenOf(page, "ana");
    const headers = headersWith(token);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "no_such_tool", arguments: {} } };
    const { authorization: _none, ...withoutToken } = headers;

    const statuses = {
      right: (await raw(page, { headers, body: ping })).status,
      none: (await raw(page, { headers: withoutToken, body: ping })).status,
      header: (await raw(page, { headers: { ...withoutToken, "x-user": "ana" }, body: ping })).status,
      wrong: (await raw(page, { headers: headersWith(`${token.slice(0, -1)}_`), body: ping })).status,
      inUrl: (await raw(page, { headers, body: ping }, `/mcp?token=${token}`)).status,
      origin: (await raw(page, { headers: { ...headers, origin: "https://evil.example" }, body: ping })).status,
      huge: (await raw(page, { headers, body: JSON.stringify({ text: "x".repeat(1_500_000) }) })).status,
      noJson: (await raw(page, { headers, body: "{" })).status,
      stream: (await page.app.request(`${url}/mcp`, { headers }, from)).status,
      oauth: (await page.app.request(`${url}/.well-known/oauth-protected-resource/mcp`, { headers }, from)).status,
    };
    const unknown = await (await raw(page, { headers, body: JSON.stringify(call) })).text();

    expect(statuses).toEqual({
      right: 200,
      none: 401,
      header: 401,
      wrong: 401,
      inUrl: 400,
      origin: 403,
      huge: 413,
      noJson: 400,
      stream: 405,
      oauth: 404,
    });
    expect(unknown).toMatch(/no_such_tool/);
  });

  it("gets a sentence for each of a thousand calls at once that is beyond its person's limits", async () => {
    const page = await open();
    const [ana, ben] = [
      await connect(page, await tokenOf(page, "ana")),
      await connect(page, await tokenOf(page, "ben")),
    ];

    const calls = Array.from({ length: 1_000 }, (_value, index) => ana.callTool(question(`Question ${index}?`)));
    const ofBen = ben.callTool(question("And mine?"));
    const answering = setInterval(() => {
      for (const run of page.agents.runs) if (!run.isOver()) run.answer("Yes.");
    }, 50);
    const results = await Promise.all(calls);
    const other = await ofBen;
    clearInterval(answering);

    const refused = results.filter(({ isError }) => isError === true);
    expect(refused.length).toBeGreaterThan(900);
    expect(textOf(refused[0] ?? {})).toMatch(/^You have 20 calls at work at once/);
    expect(results.some((result) => textOf(result).includes("Yes."))).toBe(true);
    expect(textOf(other)).toContain("Yes.");
  });

  it("lists the knowledge bases that its person reaches, whatever they are called", async () => {
    const page = await open(fastClock());
    page.agents.set({ knowledgeBases: ["docs"], agents: [{ name: "guide", knowledgeBases: ["docs"] }] });
    const client = await connect(page, await tokenOf(page, "ana"));

    const urisNow = async () => (await client.listResources()).resources.map(({ uri }) => uri);
    await expect.poll(urisNow, { timeout: 10_000 }).toEqual(["parley://knowledge/docs"]);
    const read = await client.readResource({ uri: "parley://knowledge/docs" });
    const others = ["..%2Fsecret%0A%3Cscript%3E", "%E0%A4%A", "nosuch", "docs/nosuch", "docs/..%2F..%2Fx"];

    expect(JSON.stringify(read.contents)).toContain("0 documents");
    for (const other of others) {
      await expect(client.readResource({ uri: `parley://knowledge/${other}` }), other).rejects.toThrow(
        /There is no knowledge base called|no longer in the knowledge base/,
      );
    }
  });
});
