/** What someone can do with ids that they have read in another person's messages. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { privateChannelOf } from "../../../adapters/console/channels/reading.ts";
import { openWholePage } from "../whole-page.ts";

const by = (name: string) => ({ "x-user": name });

async function openWithVictor() {
  const page = await openWholePage({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
  const id = await page.ask("Where is the boiler?", {}, by("victor"));
  const run = await page.agents.run(0);
  /** What Mallory sends, in a channel that she alone reads. */
  const sends = (method: string, path: string, more: object) => {
    const body = { id: randomUUID(), tab: "tab-2", channel: privateChannelOf("mallory"), thread: "hers", ...more };
    return page.request(path, { method, body, headers: by("mallory") });
  };
  const answers = async () => {
    const { body } = await page.request(`/api/conversations/general/${id}`, { headers: by("victor") });
    return JSON.stringify(body.messages.slice(1));
  };
  return { ...page, id, run, sends, answers };
}

describe("the id of another person's question", () => {
  it("doesn't stop that question when its like is deleted elsewhere", async () => {
    const page = await openWithVictor();
    const hers = await page.sends("POST", "/api/messages", { id: page.id, text: "The same id" });
    (await page.agents.run(1)).answer("Hers");

    const deleted = await page.sends("DELETE", "/api/messages", { messageId: page.id });
    page.run.answer("In the cellar.");
    await page.idle();

    expect([hers.status, deleted.status]).toEqual([202, 202]);
    expect(await page.answers()).toContain("In the cellar.");
  });

  it("doesn't change that question when its like is edited elsewhere", async () => {
    const page = await openWithVictor();
    await page.sends("POST", "/api/messages", { id: page.id, text: "The same id" });
    (await page.agents.run(1)).answer("Hers");

    await page.sends("PUT", "/api/messages", { messageId: page.id, text: "Where is the gold?" });
    (await page.agents.run(2)).answer("Hers again");
    page.run.answer("In the cellar.");
    await page.idle();

    expect(await page.answers()).toContain("In the cellar.");
  });

  it("is answered when someone else has used it before", async () => {
    const page = await openWithVictor();
    const used = randomUUID();
    await page.sends("POST", "/api/messages", { id: used, text: "First" });
    (await page.agents.run(1)).answer("Hers");

    const body = { id: used, tab: "tab-1", channel: "general", text: "Is it mine?" };
    await page.request("/api/messages", { method: "POST", body, headers: by("victor") });

    expect((await page.agents.run(2)).question).toBe("Is it mine?");
  });
});
