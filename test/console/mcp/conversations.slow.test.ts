/** How an MCP client asks further, and gets all of an answer. */
import { describe, expect, it } from "vitest";
import type { ChangingKeyValueFactory } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { connect, open, personOf, question, textOf, tokenOf, url } from "./client.ts";

type Client = Awaited<ReturnType<typeof connect>>;

const conversationIn = (text: string) => /conversation ([\w-]+)\.$/.exec(text)?.[1] ?? "";
const further = (client: Client, text: string, conversation: string) =>
  client.callTool({ name: "ask", arguments: { question: text, conversation } });

describe("a question over MCP", () => {
  it("continues the conversation whose id the answer gave, for its person alone", async () => {
    const page = await open();
    const ana = await connect(page, await tokenOf(page, "ana"));
    const ben = await connect(page, await tokenOf(page, "ben"));
    const asked = ana.callTool(question("When is it open?"));
    (await page.agents.run(0)).answer("From 9 to 5.");
    const conversation = conversationIn(textOf(await asked));

    const ofBen = await further(ben, "And on Sundays?", conversation);
    const followUp = further(ana, "And on Sundays?", conversation);
    const run = await page.agents.run(1);
    run.answer("Closed.");
    const answer = textOf(await followUp);
    const listed = await page.request("/api/conversations", { headers: personOf("ana") });

    expect(textOf(ofBen)).toMatch(/^You have no conversation with this id/);
    expect(run.messages.map((message) => message.question)).toEqual(["When is it open?", "And on Sundays?"]);
    expect(answer).toContain("Closed.");
    expect(answer).not.toContain("From 9 to 5.");
    expect(conversationIn(answer)).toBe(conversation);
    expect(listed.body.conversations).toHaveLength(1);
  });

  it.each(["../general", "%00", "nosuch", "constructor"])("isn't asked in a conversation called %s", async (given) => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));

    const asked = await further(client, "And on Sundays?", given);

    expect([asked.isError, textOf(asked)]).toEqual([true, expect.stringMatching(/^You have no conversation/)]);
    expect(page.agents.runs).toEqual([]);
  });

  it("is answered now if it ends with a time: nobody could confirm a schedule there", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));

    const asked = client.callTool(question("How many orders came in? every monday 9:00"));
    const run = await page.agents.run(0);
    run.answer("Twelve.");

    expect(textOf(await asked)).toContain("Twelve.");
  });

  it("gets links that lead to the page from elsewhere", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));

    const asked = client.callTool(question("How?"));
    (await page.agents.run(0)).answer(`See [the manual](${url}/docs/using.md), or [this](//other.example/x).`);
    const text = textOf(await asked);

    expect(text).toContain(`[the manual](${url}/docs/using.md)`);
    expect(text).not.toContain(`${url}//other.example`);
  });

  it("gets all of a long answer, however slowly its parts are stored", async () => {
    const state = await openState({ dataDir: await temporaryFolder("mcp-long"), clock: systemClock, log });
    const keyValue: ChangingKeyValueFactory = (namespace) => {
      const store = state.keyValue(namespace);
      if (namespace !== "console-messages") return store as never;
      const set: typeof store.set = async (...given) => {
        await systemClock.sleep(700);
        return store.set(...given);
      };
      return { ...store, set } as never;
    };
    const page = await open(undefined, { ...state, keyValue });
    const client = await connect(page, await tokenOf(page, "ana"));
    const words = Array.from({ length: 9_000 }, (_value, index) => `word${index}`);

    const asked = client.callTool(question("Tell me all."));
    (await page.agents.run(0)).answer(words.join(" "));
    const text = textOf(await asked);
    await page.close();
    await state.close();

    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  });

  it("says that its answer was deleted", async () => {
    const page = await open();
    const client = await connect(page, await tokenOf(page, "ana"));
    const asked = client.callTool(question("When is it open?"));
    (await page.agents.run(0)).answer("From 9 to 5.");
    const conversation = conversationIn(textOf(await asked));
    const { body } = await page.request("/api/conversations", { headers: personOf("ana") });
    const { channel } = body.conversations[0];
    const path = `/api/conversations/${channel}/${conversation}`;
    await page.request(path, { method: "DELETE", body: { id: "d1" }, headers: personOf("ana") });

    const gone = await client.callTool({ name: "get_answer", arguments: { id: conversation } });
    const followUp = await further(client, "And on Sundays?", conversation);

    expect([gone.isError, followUp.isError]).toEqual([true, true]);
    expect(JSON.stringify([gone, followUp])).not.toContain("From 9 to 5.");
  });
});
