/** A person makes a token at the page, and asks with the official MCP client as that person. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";

describe("an MCP client", () => {
  let parley: ParleyProcess;
  beforeAll(async () => {
    parley = await createParleyProcess(({ port }) => ({
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUSTED_USER_HEADER: "x-user",
      TRUSTED_PROXY: "loopback",
      MANAGERS: "console:ana",
    }));
    await parley.start();
  });
  afterAll(() => parley?.close());

  const page = (user: string, path: string, body?: object) =>
    fetch(`${parley.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-user": user, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });

  async function tokenOf(user: string): Promise<string> {
    const made = await page(user, "/api/tokens", { name: "Claude on my laptop" });
    expect(made.status).toBe(201);
    return ((await made.json()) as { token: string }).token;
  }

  async function connect(token: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1" });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${parley.url}/mcp`), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return client;
  }

  type Call = { readonly content: unknown; readonly isError?: boolean };
  const textOf = ({ content }: Call) => (content as { text: string }[]).map(({ text }) => text).join("\n");

  it("lists the agents and asks one, as the person who made its token", async () => {
    const client = await connect(await tokenOf("ana"));

    const agents = await client.callTool({ name: "list_agents", arguments: {} });
    const asked = await client.callTool({ name: "ask", arguments: { question: "How do I connect Slack?" } });

    expect(textOf(agents)).toContain("guide");
    expect(asked.isError ?? false).toBe(false);
    expect(textOf(asked)).toMatch(/Slack/);
    expect(textOf(asked)).toContain("Sources");
    const listed = await (await page("ana", "/api/conversations")).json();
    expect(JSON.stringify(listed)).toContain("How do I connect Slack?");
    const ofOthers = await (await page("ben", "/api/conversations")).json();
    expect(JSON.stringify(ofOthers)).not.toContain("How do I connect Slack?");
  });

  it("is refused once its token is revoked, and is told apart from a wrong one by nothing", async () => {
    const token = await tokenOf("ana");
    const { tokens } = (await (await page("ana", "/api/tokens")).json()) as { tokens: { id: string }[] };
    const byOther = await page("ben", "/api/tokens/revoke", { id: tokens[0]?.id });
    const byOwner = await page("ana", "/api/tokens/revoke", { id: tokens[0]?.id });

    expect([byOther.status, byOwner.status]).toEqual([404, 200]);
    await expect(connect(token)).rejects.toThrow();
    expect(JSON.stringify(tokens)).not.toContain(token);
    expect(parley.output()).not.toContain(token);
  });
});
