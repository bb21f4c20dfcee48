/** Every way to a private channel, for its owner and for others. */
import { describe, expect, it } from "vitest";
import { mayReceive, privateChannelOf } from "../../../adapters/console/channels/reading.ts";
import type { PageEvent } from "../../../adapters/console/writing/messages.ts";
import { until } from "../../doubles/until.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

const people = {
  userHeader: { name: "x-user", managers: [{ platform: "console", kind: "user", id: "mia" }] },
} as const;

async function openForPeople(): Promise<WholePage & { readonly as: (name: string) => { readonly "x-user": string } }> {
  const page = await openWholePage({ ...people, trustedProxy: ["127.0.0.1/32"] });
  return { ...page, as: (name) => ({ "x-user": name }) };
}

const own = privateChannelOf("ana");

describe("a private channel", () => {
  it("is its owner's alone, in every route", async () => {
    const page = await openForPeople();
    const [ana, ben, mia] = [page.as("ana"), page.as("ben"), page.as("mia")];
    const thread = await page.ask("What is my salary?", { channel: own }, ana);
    (await page.agents.run(0)).answer("It is secret.");
    await page.idle();
    await page.parley.platforms[0]?.uploadFile(
      { platform: "console", workspace: "local", channel: own, thread },
      { name: "salary.csv", content: "1", mediaType: "text/csv" },
    );
    const read = await page.request(`/api/conversations/${own}/${thread}`, { headers: ana });
    const messages: readonly { readonly file?: { readonly id: string } }[] = read.body.messages;
    const file = messages.find((message) => message.file !== undefined)?.file?.id;
    await until("it can be searched", async () => {
      const { body } = await page.request("/api/search?q=salary", { headers: ana });
      return body.found.length === 1;
    });
    const at = `/api/conversations/${own}/${thread}`;
    const said = { id: "x1", tab: "t", channel: own, thread };
    const routes: readonly (readonly [method: string, path: string, body: object | undefined, refusal: number])[] = [
      ["GET", at, undefined, 404],
      ["PUT", `${at}/title`, { title: "Mine" }, 404],
      ["PUT", `${at}/pin`, { isPinned: true }, 404],
      ["GET", `/api/channels/${own}/first-view`, undefined, 404],
      ["GET", `/api/charts/${own}/${thread}/x/0`, undefined, 404],
      ["GET", `/files/${file}`, undefined, 404],
      ["POST", "/api/messages", { ...said, text: "Me too?" }, 404],
      ["PUT", "/api/messages", { ...said, messageId: thread, text: "Mine now?" }, 404],
      ["DELETE", "/api/messages", { ...said, messageId: thread }, 404],
      ["POST", "/api/actions", { ...said, action: "thumb-up", value: "x" }, 404],
      ["POST", "/api/forms", { ...said, formId: "x", values: {}, context: "" }, 404],
      ["PUT", `/api/channels/${own}`, { name: "Ours" }, 403],
      ["DELETE", `/api/channels/${own}`, { id: "d1" }, 403],
    ];

    for (const [method, path, body, refusal] of routes) {
      const asked = { method, ...(body === undefined ? {} : { body }) };
      const [others, managers] = [
        await page.request(path, { ...asked, headers: ben }),
        await page.request(path, { ...asked, headers: mia }),
      ];
      expect([method, path, others.status, managers.status]).toEqual([method, path, refusal, 404]);
    }
    for (const other of [ben, mia]) {
      const list = await page.request("/api/conversations", { headers: other });
      expect(JSON.stringify(list.body)).not.toContain(own);
      expect(list.body.conversations).toEqual([]);
      expect((await page.request("/api/search?q=salary", { headers: other })).body.found).toEqual([]);
      expect(
        (await page.request(`/api/complete?completes=agent&channel=${own}&typed=`, { headers: other })).body,
      ).toEqual([]);
      // Nothing is said about what isn't theirs.
      expect((await page.request(at, { method: "DELETE", body: { id: "d1" }, headers: other })).status).toBe(200);
    }
    expect((await page.request(at, { headers: ana })).body.messages).toHaveLength(messages.length);
    const list = await page.request("/api/conversations", { headers: ana });
    expect(list.body.channels).toContainEqual({ id: own, name: "Private", isPrivate: true });
    expect(list.body.conversations).toMatchObject([{ title: "What is my salary?" }]);
  });

  it("is what no other open page is told about", () => {
    const visitor = (id: string) => ({ id, name: id, isVerified: true, role: "manage", how: "header" }) as const;
    const at = { channel: own, thread: "t" };
    const message = {
      ...at,
      version: 1,
      id: "m",
      order: "1",
      atMs: 1,
      revision: 1,
      author: "you",
      by: { id: "ana", name: "ana", isVerified: true },
      text: "?",
      isEdited: false,
    } as const;
    const events: readonly PageEvent[] = [
      { type: "message", message },
      { type: "removed", ...at, id: "m" },
      {
        type: "conversation",
        conversation: { ...at, version: 1, title: "?", titleFrom: { kind: "question", id: "m" } },
      },
      { type: "conversation-removed", ...at },
      { type: "note", key: "k", tab: "tab", person: "ana", note: { ...at, id: "n" } },
      { type: "pinned", personId: "ana", ...at, isPinned: true },
    ];

    for (const event of events) {
      expect([event.type, mayReceive(visitor("ana"), event)]).toEqual([event.type, true]);
      expect([event.type, mayReceive(visitor("mia"), event)]).toEqual([event.type, false]);
    }
  });

  it("is direct, and a shared one is public, until it is removed", async () => {
    const page = await openForPeople();
    const platform = page.parley.platforms[0];
    const place = (channel: string) => ({ platform: "console", workspace: "local", channel });
    const actor = (id: string) => ({ ...someone, id });
    const facts = async (channel: string, id: string) => [
      platform?.isDirect?.(place(channel)),
      await platform?.visibility?.(place(channel)),
      await platform?.isMember?.(actor(id), place(channel)),
      await platform?.channelName?.(place(channel)),
    ];

    expect(await facts(own, "ana")).toEqual([true, "direct", true, { name: "Private" }]);
    expect(await facts(own, "ben")).toEqual([true, "direct", false, { name: "Private" }]);
    expect(await facts("random", "ben")).toEqual([false, "public", true, { name: "random" }]);
    const headers = page.as("mia");
    expect((await page.request("/api/channels/random", { method: "DELETE", body: { id: "d" }, headers })).status).toBe(
      202,
    );
    expect(await facts("random", "ben")).toEqual([false, "private", false, "gone"]);
    expect((await page.request("/api/channels/general", { method: "DELETE", body: { id: "e" }, headers })).status).toBe(
      409,
    );
  });
});

describe("a shared channel", () => {
  it("lists everyone's conversations, and lets each person change and search their own", async () => {
    const page = await openForPeople();
    const [ana, ben, mia] = [page.as("ana"), page.as("ben"), page.as("mia")];
    const thread = await page.ask("Where is the oven?", {}, ana);
    (await page.agents.run(0)).answer("In the kitchen.");
    await page.idle();
    const at = `/api/conversations/general/${thread}`;
    const rename = (headers: object, title: string) =>
      page.request(`${at}/title`, { method: "PUT", body: { title }, headers: { ...headers } });

    expect((await page.request(at, { headers: ben })).status).toBe(200);
    expect((await rename(ben, "Mine")).status).toBe(403);
    expect((await rename(ana, "Oven")).status).toBe(200);
    expect((await rename(mia, "Ovens")).status).toBe(200);
    expect((await page.request(at, { method: "DELETE", body: { id: "d" }, headers: ben })).status).toBe(403);
    await until("its beginner finds it", async () => {
      const { body } = await page.request("/api/search?q=kitchen", { headers: ana });
      return body.found.length === 1;
    });
    expect((await page.request("/api/search?q=kitchen", { headers: ben })).body.found).toEqual([]);
    await page.request(`${at}/pin`, { method: "PUT", body: { isPinned: true }, headers: ben });
    expect((await page.request("/api/conversations", { headers: ben })).body.pinned).toHaveLength(1);
    expect((await page.request("/api/conversations", { headers: ana })).body.pinned).toEqual([]);
  });

  it("takes its conversations and its agent with it when it is removed, and its id stays taken", async () => {
    const page = await openForPeople();
    const headers = page.as("mia");
    const post = (name: string) => page.request("/api/channels", { method: "POST", body: { name }, headers });
    expect((await post("Release notes")).body).toEqual({ id: "release-notes", name: "Release notes" });
    expect((await post("release NOTES")).status).toBe(422);
    expect(
      (await page.request("/api/channels", { method: "POST", body: { name: "x" }, headers: page.as("ben") })).status,
    ).toBe(403);
    const thread = await page.ask("What changed?", { channel: "release-notes" }, page.as("ana"));
    (await page.agents.run(0)).answer("Much.");
    await page.idle();
    const place = { platform: "console", workspace: "local", channel: "release-notes" };
    await page.parley.bindings.setChannel(place, { project: "mindsdb", agent: "guide" });

    expect((await page.request("/api/channels/release-notes", { headers })).body).toEqual({ conversations: 1 });
    await page.request("/api/channels/release-notes", { method: "DELETE", body: { id: "d" }, headers });

    await until("it is empty", async () => {
      for await (const _one of page.state.keyValue("console-messages").entries("local/release-notes/")) return false;
      return (await page.parley.bindings.own(place)) === undefined;
    });
    expect((await page.request(`/api/conversations/release-notes/${thread}`, { headers })).status).toBe(404);
    const again = await post("Release notes");
    expect(again.body.id).not.toBe("release-notes");
  });
});

const someone = {
  workspace: "local",
  name: "Someone",
  isAdmin: false,
  isGuest: false,
  isExternal: false,
  isBot: false,
  roles: [],
};
