/** A person makes a token at the page, and asks with the official MCP client as that person. */
import { randomUUID } from "node:crypto";
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
    expect(textOf(asked)).toContain(`](${parley.url}/docs/README.md#connect-slack)`);
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

  it("sees a question that nobody could answer, answers it, and finds what it added", async () => {
    const client = await connect(await tokenOf("ana"));
    const call = (name: string, given: Record<string, string> = {}) => client.callTool({ name, arguments: given });
    const values = { name: "handbook" };
    const form = { kind: "form", id: randomUUID(), formId: "kb create", values, context: "" };
    await (await page("ana", "/api/admin/act", form)).text();

    await call("ask", { question: "Can a guest move a non-refundable booking to new dates?" });
    const listed = await call("list_gaps");
    const { gaps } = listed.structuredContent as { gaps: { id: string; question: string }[] };
    const answer = `Yes, once, up to 48 hours before check-in. ${"The new dates have to be in the same season. ".repeat(9)}Ask Ana.`;
    const added = await call("add_answer", { gap: gaps[0]?.id ?? "", answer, knowledge_base: "handbook" });
    const found = await call("search_knowledge", { query: "move a booking", knowledge_base: "handbook" });
    const documents = await client.readResource({ uri: "parley://knowledge/handbook" });

    const { resources } = await client.listResources();
    const uri = resources.find((one) => one.uri.startsWith("parley://knowledge/handbook/"))?.uri ?? "";
    const whole = await client.readResource({ uri });
    const ben = await connect(await tokenOf("ben"));
    const ofBen = (await ben.listResources()).resources.filter((one) => one.uri.includes("handbook"));

    expect(JSON.stringify(whole.contents)).toContain("48 hours before check-in");
    expect(ofBen).toEqual([]);
    await expect(ben.readResource({ uri })).rejects.toThrow("There is no knowledge base called handbook");
    expect(gaps.map(({ question }) => question)).toEqual(["Can a guest move a non-refundable booking to new dates?"]);
    expect(textOf(added)).toContain("handbook");
    expect(textOf(found)).toContain("48 hours before check-in");
    // The whole passage, and where it is from.
    expect(found.structuredContent).toMatchObject({
      knowledge_base: "handbook",
      passages: [{ text: expect.stringContaining("Ask Ana."), title: expect.stringContaining("booking") }],
    });
    expect(JSON.stringify(documents.contents)).toContain("non-refundable booking");
  });
});
