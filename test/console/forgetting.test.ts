/** What the page's own stores do with people who are erased and with what is gone. */
import { expect, it } from "vitest";
import { openWholePage } from "./whole-page.ts";

const ana = "ana@x.example";
const by = (name: string) => ({ "x-user": name });

async function openWithPeople() {
  const page = await openWholePage({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
  const say = async (text: string, thread?: string, name = ana, channel = "general") => {
    const index = page.agents.runs.length;
    const id = await page.ask(text, { channel, ...(thread === undefined ? {} : { thread }) }, by(name));
    if (!text.startsWith("/")) (await page.agents.run(index)).answer(`Answer to ${text}`);
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
  expect(await page.state.rankings.count(`console/local/own/${encodeURIComponent(ana)}`)).toBeGreaterThan(0);

  await page.parley.privacy.erase({ platform: "console", workspace: "local", id: ana });

  for (const list of ["own", "pinned"]) {
    expect(await page.state.rankings.count(`console/local/${list}/${encodeURIComponent(ana)}`)).toBe(0);
  }
  expect(await page.state.rankings.count(`console/local/conversations/${own}`)).toBe(0);
  const left: unknown[] = [];
  for (const kind of ["messages", "conversations", "texts"]) {
    for await (const entry of page.state.keyValue(`console-${kind}`).entries("")) left.push(entry);
  }
  expect(JSON.stringify(left)).not.toMatch(/secret-|ana@/i);
  expect(JSON.stringify(left)).not.toContain(own);
  const listed = (await page.request("/api/conversations", { headers: by("bob") })).body.conversations;
  expect(listed).toMatchObject([{ thread: shared, title: "Where is BOBS-QUESTION?" }]);
});

it("reads a conversation that is gone in no further search of its writer", async () => {
  const page = await openWithPeople();
  const list = `console/local/own/${encodeURIComponent(ana)}`;
  await page.state.rankings.put(list, "local/general/gone", 1);
  await page.state.rankings.put(list, "local/general/begins", Date.now() * 1_000);

  await page.request("/api/search?q=anything", { headers: by(ana) });

  expect((await page.state.rankings.highest(list, 0, 10)).map(({ member }) => member)).toEqual([
    "local/general/begins",
  ]);
});
