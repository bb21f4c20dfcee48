/** What someone with a token can send to /mcp to harm others: each ends in a sentence, and nothing else. */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import type { WholePage } from "../whole-page.ts";
import { connect, headersWith, open, personOf, question, raw, textOf, tokenOf } from "./client.ts";

async function send(page: WholePage, token: string, body: string | object, session?: string) {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { ...headersWith(token), ...(session === undefined ? {} : { "mcp-session-id": session }) };
  const response = await raw(page, { headers, body: sent });
  return { status: response.status, text: await response.text() };
}

const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
const call = (id: number | string, name: string, given: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

describe("an MCP client that means harm", () => {
  it("cancels nothing with ids that no request can have, and other instances don't hear of them", async () => {
    const state = await openState({ dataDir: await temporaryFolder("mcp-attacks"), clock: systemClock, log });
    const published: string[] = [];
    const coordinator: typeof state.coordinator = {
      ...state.coordinator,
      publish: async (topic, message) => {
        if (topic.endsWith("mcp-cancelled")) published.push(message);
        return state.coordinator.publish(topic, message);
      },
    };
    const page = await open(undefined, { ...state, coordinator });
    const token = await tokenOf(page, "ana");

    const statuses = [
      await send(page, token, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${deep}}}`),
      await send(page, token, cancelled("x".repeat(500_000))),
      await send(page, token, cancelled({ $ne: 1 })),
      await send(page, token, { jsonrpc: "2.0", method: "notifications/cancelled" }),
      await send(page, token, cancelled(7)),
    ].map(({ status }) => status);
    await page.close();
    await state.close();

    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(published).toEqual([JSON.stringify(["ana", null, 7])]);
  });

  it("cancels a call in a batch as well as alone", async () => {
    const page = await open();
    const token = await tokenOf(page, "ana");
    const asked = send(page, token, call(5, "ask", { question: "Where?" }), "s1");
    const run = await page.agents.run(0);

    await send(page, token, [cancelled(4), cancelled(5)], "s1");

    expect((await asked).text).toContain("Stopped.");
    await until("the run is stopped", () => run.isAborted());
  });

  it("can't end another person's call by its id and session", async () => {
    const page = await open();
    const [ana, ben] = [await tokenOf(page, "ana"), await tokenOf(page, "ben")];
    const asked = send(page, ana, call(5, "ask", { question: "Where?" }), "s1");
    const run = await page.agents.run(0);

    await send(page, ben, cancelled(5), "s1");
    run.answer("In the attic.");

    expect((await asked).text).toContain("In the attic.");
  });

  it("gets a sentence while storage can't tell the other instances of a cancelled call", async () => {
    const state = await openState({ dataDir: await temporaryFolder("mcp-attacks"), clock: systemClock, log });
    const publish = () => Promise.reject(new Error("away"));
    const page = await open(undefined, { ...state, coordinator: { ...state.coordinator, publish } });
    const token = await tokenOf(page, "ana");

    const { status } = await send(page, token, cancelled(7));
    await page.close();
    await state.close();

    expect(status).toBe(202);
  });

  it.each(["__proto__", "constructor", "toString", "x".repeat(100_000)])(
    "finds no tool that an object of JavaScript has, or whose name is too long: %#",
    async (name) => {
      const page = await open();
      const { status, text } = await send(page, await tokenOf(page, "ana"), call(1, name, {}));

      expect(status).toBe(200);
      expect(text).toContain('"error"');
    },
  );

  it("is refused what is too long, of the wrong type or too deep, in one answer each", async () => {
    const page = await open();
    const token = await tokenOf(page, "ana");
    const given: readonly object[] = [
      { question: 5 },
      { question: { toString: "x" } },
      {},
      { question: "x".repeat(150_000) },
      { question: "x".repeat(250_000) },
      { question: "  " },
      { question: "Where?", agent: "x".repeat(300) },
    ];

    for (const each of given) {
      const { status, text } = await send(page, token, call(1, "ask", each));
      expect([status, text.includes('"isError":true')], JSON.stringify(each).slice(0, 60)).toEqual([200, true]);
    }
    const { status, text } = await send(
      page,
      token,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":${deep}}}`,
    );
    expect([status, text.includes('"error"')]).toEqual([200, true]);
    expect(page.agents.runs).toEqual([]);
  });

  it("says nothing of agents that its person can't see, whether they exist or not", async () => {
    const page = await open();
    page.agents.set({ agents: ["guide", "secret"] });
    const bind = { id: "c1", tab: "tab-1", channel: "random", text: "/agent use secret" };
    await page.request("/api/messages", { method: "POST", body: bind, headers: personOf("ana") });
    const client = await connect(page, await tokenOf(page, "ben"));
    const ask = async (agent: string) =>
      textOf(await client.callTool({ name: "ask", arguments: { question: "Where?", agent } }));

    await expect
      .poll(async () => textOf(await client.callTool({ name: "list_agents", arguments: {} })))
      .toContain("1 agent");
    const [real, made] = [await ask("secret"), await ask("nosuch")];

    expect(real.replaceAll("secret", "X")).toBe(made.replaceAll("nosuch", "X"));
    expect(page.agents.runs).toEqual([]);
  });

  it("gets no control characters that an answer, a source or a name brings", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));
    const asked = client.callTool(question("Where \u001B[2J?"));
    const run = await page.agents.run(0);
    run.answer("\u001B[31mred\u001B[0m \u202Eevil\u0007");

    const text = textOf(await asked);

    expect(text).toContain("evil");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/);
  });
});
