/** What three people see and may do, and a fourth may not, who sign in to the real Parley at a real provider. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, createWalker, startSignInProvider } from "../doubles/network/sign-in-provider.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";

const accounts = {
  ana: { name: "Ana Alonso", email: "ana@acme.example", email_verified: true, groups: ["staff", "parley-admins"] },
  ben: { name: "Ben", groups: ["staff", "writers"] },
  cem: { name: "Cem", groups: ["staff"] },
  dora: { name: "Dora", groups: ["visitors"] },
};

describe("people who sign in at a provider", () => {
  let provider: Awaited<ReturnType<typeof startSignInProvider>>;
  let parley: ParleyProcess;
  beforeAll(async () => {
    parley = await createParleyProcess(() => ({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      OIDC_MANAGERS: "email:ana@acme.example",
      OIDC_INGESTERS: "groups:writers",
      OIDC_ASKERS: "groups:staff",
    }));
    provider = await startSignInProvider(accounts, parley.url);
    await parley.start();
  });
  afterAll(async () => {
    await parley?.close();
    await provider?.stop();
  });

  async function person(account: keyof typeof accounts) {
    const walker = createWalker();
    await walker.signIn(parley.url, account);
    const call = async (method: string, path: string, body?: object) => {
      const headers = { accept: "application/json", "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { response, text } = await walker.visit(parley.url + path, { method, headers, ...sent });
      return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
    };
    const say = (text: string) =>
      call("POST", "/api/messages", { id: randomUUID(), tab: "tab-1", channel: "general", text });
    const status = async (path: string) => (await call("GET", path)).status;
    /** What is answered to a command, privately or to everyone. */
    const answerTo = async (text: string): Promise<string> => {
      const id = randomUUID();
      const stop = new AbortController();
      const headers = { cookie: walker.cookieOf(parley.url) };
      const response = await fetch(`${parley.url}/api/events?tab=tab-2`, { headers, signal: stop.signal });
      let received = "";
      for await (const chunk of response.body ?? []) {
        const isFirst = received === "";
        received += Buffer.from(chunk).toString();
        if (isFirst) await call("POST", "/api/messages", { id, tab: "tab-2", channel: "general", text });
        if (new RegExp(`"thread":"${id}".*"blocks".*\\n`).test(received)) break;
      }
      stop.abort();
      return received;
    };
    return { call, say, status, answerTo, walker };
  }

  const refused = /You can't [^"]* here/;

  /** What a command is answered at once: its form, or a private sentence. */
  const hasForm = ({ status, body }: { status: number; body: { form?: object } }) => status === 200 && "form" in body;

  it("may do what their claims say, and see the pages for it", async () => {
    const people = { ana: await person("ana"), ben: await person("ben"), cem: await person("cem") };
    const seen: Record<string, unknown> = {};
    for (const [name, { call, say, status, answerTo }] of Object.entries(people)) {
      const { role, adminPages } = (await call("GET", "/api/me")).body;
      seen[name] = {
        role,
        pages: adminPages.length > 2 ? "all" : adminPages,
        mayCreateAgent: hasForm(await say("/agent create")),
        mayIngest: !refused.test(await answerTo("/kb ingest http://127.0.0.1:9/page")),
        mayAsk: (await say("How do I connect Slack?")).status,
        overview: await status("/api/admin/overview/status"),
        gaps: await status("/api/admin/gaps"),
        agents: await status("/api/admin/agents"),
      };
    }

    expect(seen).toEqual({
      ana: {
        ...{ role: "manage", pages: "all", mayCreateAgent: true, mayIngest: true, mayAsk: 202 },
        ...{ overview: 200, gaps: 200, agents: 200 },
      },
      ben: {
        ...{ role: "ingest", pages: ["gaps", "knowledge"], mayCreateAgent: false, mayIngest: true, mayAsk: 202 },
        ...{ overview: 403, gaps: 200, agents: 403 },
      },
      cem: {
        ...{ role: "ask", pages: [], mayCreateAgent: false, mayIngest: false, mayAsk: 202 },
        ...{ overview: 403, gaps: 403, agents: 403 },
      },
    });
  });

  it("get answers under their own names, and change nothing of each other's", async () => {
    const [cem, ben] = [await person("cem"), await person("ben")];
    const { thread } = (await cem.say("How do I connect Discord?")).body;
    const read = async () => (await ben.call("GET", `/api/conversations/general/${thread}`)).body.messages;
    await expect.poll(async () => (await read()).at(-1)?.payload?.tone, { timeout: 45_000 }).toBe("done");
    const [question] = await read();
    const edit = { id: randomUUID(), tab: "tab-1", channel: "general", thread, messageId: question.id };

    const edited = await ben.call("PUT", "/api/messages", { ...edit, text: "Something else" });

    expect(question).toMatchObject({ text: "How do I connect Discord?", by: { name: "Cem", isVerified: true } });
    expect(edited.status).toBe(403);
  });

  it("reach nothing without a role, and are told whom to ask", async () => {
    const dora = await person("dora");

    const { response, text } = await dora.walker.visit(`${parley.url}/`);
    const statuses = [];
    for (const path of ["/api/conversations", "/api/admin/overview/status", "/page/page.js"])
      statuses.push(await dora.status(path));

    expect(response.status).toBe(403);
    expect(text).toContain('Ask <a href="mailto:ana@acme.example">ana@acme.example</a> to let you in');
    expect(statuses).toEqual([403, 403, 403]);
    expect((await dora.say("How do I connect Slack?")).status).toBe(403);
  });

  it("stay signed in over a restart of Parley while the provider is down", async () => {
    const ana = await person("ana");
    await provider.stop();
    await parley.end();

    await parley.start();
    const { role } = (await ana.call("GET", "/api/me")).body;
    const newcomer = await createWalker().visit(`${parley.url}/sign-in/start`);
    provider = await startSignInProvider(accounts, parley.url, provider.port);

    expect(role).toBe("manage");
    expect(newcomer.response.status).toBe(503);
  });
});
