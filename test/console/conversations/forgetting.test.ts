/** What the page's own stores do with people who are erased and with what is gone. */
import { expect, it } from "vitest";
import { conversationsIn, createListing } from "../../../adapters/console/conversations/listing.ts";
import type { RoleEntry } from "../../../src/core/access.ts";
import { until } from "../../doubles/until.ts";
import { openWholePage } from "../whole-page.ts";

const ana = "ana@x.example";
const by = (name: string) => ({ "x-user": name });

async function openWithPeople(managers: readonly RoleEntry[] = ["*"]) {
  const page = await openWholePage({ userHeader: { name: "x-user", managers }, trustedProxy: ["127.0.0.1/32"] });
  const say = async (text: string, thread?: string, name = ana, channel = "general") => {
    const index = page.agents.runs.length;
    const id = await page.ask(text, { channel, ...(thread === undefined ? {} : { thread }) }, by(name));
    if (!text.startsWith("/") || text.startsWith("/ask")) (await page.agents.run(index)).answer(`Answer to ${text}`);
    await page.idle();
    return thread ?? id;
  };
  return { ...page, say };
}

it("leaves nothing of an erased person in lists, pins, their private channel and what they typed", async () => {
  const page = await openWithPeople();
  const { body } = await page.request("/api/conversations", { headers: by(ana) });
  const own = body.channels.find(({ isPrivate }: { isPrivate?: true }) => isPrivate).id;
  const shared = await page.say("Where is SECRET-ONE?");
  await page.say("Where is BOBS-QUESTION?", shared, "bob");
  await page.say("Where is SECRET-TWO?", undefined, ana, own);
  await page.say("/parley SECRET-THREE");
  const pinned = { method: "PUT", body: { isPinned: true }, headers: by(ana) };
  expect((await page.request(`/api/conversations/general/${shared}/pin`, pinned)).status).toBe(200);
  const lists = [{ person: ana }, { pinnedBy: ana }, { channels: [own] }];
  const listing = createListing(conversationsIn(page.state));
  const counts = async () =>
    Promise.all(lists.map(async (of) => (await listing.keys(of, Number.MAX_SAFE_INTEGER, 10)).length));
  expect(await counts()).toEqual([2, 1, 1]);

  await page.parley.privacy.erase({ platform: "console", workspace: "local", id: ana });

  expect(await counts()).toEqual([0, 0, 0]);
  const left: unknown[] = await Array.fromAsync(conversationsIn(page.state).entries());
  for (const kind of ["messages", "texts"]) {
    for await (const entry of page.state.keyValue(`console-${kind}`).entries("")) left.push(entry);
  }
  expect(JSON.stringify(left)).not.toMatch(/secret-|ana@/i);
  expect(JSON.stringify(left)).not.toContain(own);
  const listed = (await page.request("/api/conversations", { headers: by("bob") })).body.conversations;
  expect(listed).toMatchObject([{ thread: shared, title: "Where is BOBS-QUESTION?" }]);
});

it("removes the names that an erased person gave to shared conversations, and keeps those that others gave", async () => {
  const page = await openWithPeople();
  const rename = (thread: string, title: string, name: string) =>
    page.request(`/api/conversations/general/${thread}/title`, { method: "PUT", body: { title }, headers: by(name) });
  const begin = async () => {
    const thread = await page.say("Where is it?");
    await page.say("Where is BOBS-QUESTION?", thread, "bob");
    return thread;
  };
  const [own, others] = [await begin(), await begin()];
  const bobs = await page.say("Where is BOBS-OTHER?", undefined, "bob");
  const asked = await page.say("/ask SECRET-FOUR");
  await page.say("Where is BOBS-THIRD?", asked, "bob");
  expect((await rename(own, "SECRET-NAME", ana)).status).toBe(200);
  expect((await rename(bobs, "SECRET-TITLE", ana)).status).toBe(200);
  expect((await rename(others, "BOBS-NAME", "bob")).status).toBe(200);

  await page.parley.privacy.erase({ platform: "console", workspace: "local", id: ana });

  const titles = await Promise.all(
    [own, others, bobs, asked].map(async (thread) => {
      return (await conversationsIn(page.state).get(`local/general/${thread}`))?.record.title;
    }),
  );
  expect(titles).toEqual(["Where is BOBS-QUESTION?", "BOBS-NAME", "Where is BOBS-OTHER?", "Where is BOBS-THIRD?"]);
  const left: unknown[] = await Array.fromAsync(conversationsIn(page.state).entries());
  for await (const entry of page.state.keyValue("console-texts").entries("")) left.push(entry);
  expect(JSON.stringify(left)).not.toMatch(/secret|ana@/i);
});

it("finds a conversation that is gone in no search of its writer", async () => {
  const page = await openWithPeople();
  const thread = await page.say("Where is the oven?");
  const found = async () => (await page.request("/api/search?q=oven", { headers: by(ana) })).body.found;
  await until("it is found", async () => (await found()).length === 1);

  await conversationsIn(page.state).deleteWhere({ order: "sinceMs", until: Date.now() + 1 });

  expect(await found()).toEqual([]);
  expect(await page.state.keyValue("console-messages").get(`local/general/${thread}/${thread}`)).toBeDefined();
});

it("refuses to delete a conversation in which others have asked, and leaves it; a manager can", async () => {
  const page = await openWithPeople([{ platform: "console", kind: "user", id: "boss" }]);
  const own = await page.say("Where is mine?");
  const shared = await page.say("Where is it?");
  await page.say("And where is BOBS-QUESTION?", shared, "bob");
  const remove = (thread: string, name: string) =>
    page.request(`/api/conversations/general/${thread}`, { method: "DELETE", body: { id: "d1" }, headers: by(name) });
  const listed = async () => {
    const { body } = await page.request("/api/conversations", { headers: by(ana) });
    return body.conversations.map(({ thread }: { readonly thread: string }) => thread);
  };

  const refused = await remove(shared, ana);

  expect(refused).toMatchObject({ status: 403, body: { error: { code: "not_allowed" } } });
  expect(refused.body.error.what).toContain("Other people have asked here too");
  expect(await listed()).toContain(shared);
  expect(await Array.fromAsync(page.state.works.entries("page-deletions"))).toEqual([]);
  expect((await remove(own, ana)).status).toBe(202);
  expect((await remove(shared, "boss")).status).toBe(202);
  await until("both are gone", async () => (await listed()).length === 0);
});
