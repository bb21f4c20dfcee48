/**
 * The local Discord's REST API: files that stay only where an edit lists them, also by an interaction's token, limits of
 * each route, threads that begin at no message.
 */
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type FakeDiscord, startFakeDiscord, token } from "../index.ts";
import { botId, type Json, type Message, v2Flag } from "../world.ts";

let discord: FakeDiscord;
const quiet = { parse: [] };

beforeEach(async () => {
  discord = await startFakeDiscord();
  const { stop } = discord;
  onTestFinished(stop);
});

async function call(method: string, path: string, body?: Json, files: readonly string[] = []) {
  const form = new FormData();
  form.set("payload_json", JSON.stringify(body ?? {}));
  files.forEach((name, index) => {
    form.set(`files[${index}]`, new File([`bytes of ${name}`], name, { type: "image/png" }));
  });
  const json = { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const sent: RequestInit = files.length > 0 ? { method, body: form } : body === undefined ? { method } : json;
  const headers = { ...(sent.headers as Record<string, string>), authorization: `Bot ${token}` };
  const answer = await fetch(`${discord.apiUrl}/v10${path}`, { ...sent, headers });
  const words = await answer.text();
  return { status: answer.status, json: (words === "" ? {} : JSON.parse(words)) as Json };
}

const channel = () => discord.world.channel("general");
const gallery = (name: string) => ({ type: 12, items: [{ media: { url: `attachment://${name}` } }] });
const withPicture = (name: string) => ({ flags: v2Flag, components: [gallery(name)], allowed_mentions: quiet });
const withText = { flags: v2Flag, components: [{ type: 10, content: "42" }], allowed_mentions: quiet };
const listed = (name: string) => [{ id: "0", filename: name, description: "Sales by month" }];
const stored = (id: unknown) => discord.world.messages.get(String(id)) as Message;
const names = (id: unknown) => stored(id).attachments.map(({ filename }) => filename);

async function posted(): Promise<string> {
  const body = { ...withPicture("chart.png"), attachments: listed("chart.png") };
  const { json } = await call("POST", `/channels/${channel().id}/messages`, body, ["chart.png"]);
  return String(json["id"]);
}

describe("a picture", () => {
  it("is sent with its description, and stays as long as an edit lists it or names no files at all", async () => {
    const id = await posted();
    const path = `/channels/${channel().id}/messages/${id}`;
    expect(stored(id).attachments).toMatchObject([{ filename: "chart.png", description: "Sales by month" }]);

    await call("PATCH", path, withPicture("chart.png"));
    await call("PATCH", path, {
      ...withPicture("chart.png"),
      attachments: [{ id: stored(id).attachments[0]?.["id"] }],
    });
    expect(names(id)).toEqual(["chart.png"]);

    await call("PATCH", path, { ...withText, attachments: [] });
    expect(names(id)).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("that no component shows piles up, which is a violation", async () => {
    const id = await posted();
    const body = { ...withPicture("next.png") };

    await call("PATCH", `/channels/${channel().id}/messages/${id}`, body, ["next.png"]);

    expect(names(id)).toEqual(["chart.png", "next.png"]);
    expect(discord.violations).toEqual(["a file that no component shows: attachment://chart.png"]);
  });

  it.each([
    ["isn't sent", {}, []],
    ["is listed and isn't sent", { attachments: [{ id: "3" }] }, ["chart.png"]],
    ["is sent and isn't listed", { attachments: [] }, ["chart.png"]],
    ["has a long description", { attachments: [{ id: "0", description: "x".repeat(1_025) }] }, ["chart.png"]],
  ])("is refused when it %s", async (_, more, files) => {
    const body = { ...withPicture("chart.png"), ...more };

    expect(await call("POST", `/channels/${channel().id}/messages`, body, files)).toMatchObject({
      status: 400,
      json: { code: 50_035 },
    });
  });

  it("can be put into an interaction's answer, and taken out of it", async () => {
    const { id, token: secret } = discord.interactions.begin("100000000000000001", channel().id);
    const data = { ...withPicture("chart.png"), attachments: listed("chart.png") };
    await call("POST", `/interactions/${id}/${secret}/callback`, { type: 4, data }, ["chart.png"]);
    const answer = discord.interactions.answer(secret, "@original");
    expect(names(answer.id)).toEqual(["chart.png"]);

    const hook = `/webhooks/${botId}/${secret}`;
    await call("PATCH", `${hook}/messages/@original`, { ...withText, attachments: [] });
    const { json } = await call("POST", hook, { ...withPicture("more.png") }, ["more.png"]);

    expect(names(answer.id)).toEqual([]);
    expect(names(json["id"])).toEqual(["more.png"]);
    expect(discord.violations).toEqual([]);
  });
});

describe("a body that Discord's own description doesn't allow", () => {
  const send = async (method: string, path: string, body: Json) => (await call(method, path, body)).json["message"];
  const button = { type: 2, style: 1, label: "Stop", custom_id: "stop" };

  it.each([
    ["a number instead of an id", { attachments: [{ id: 0, filename: "a.txt" }] }, "#/attachments/0/id Instance type"],
    ["a field that Discord ignores", { message_references: {} }, "#/message_references False"],
    [
      "a button without a style",
      { components: [{ type: 1, components: [{ ...button, style: undefined }] }] },
      "#/components/0/components/0",
    ],
    ["a reply to nothing", { message_reference: {} }, "#/message_reference "],
  ])("is refused, and is a violation: %s", async (_, more, why) => {
    const path = `/channels/${channel().id}/messages`;

    expect(await send("POST", path, { content: "42", allowed_mentions: quiet, ...more })).toContain(why);
    expect(discord.violations).toHaveLength(1);
  });

  it("is refused in every route that takes one", async () => {
    const { id } = channel();
    const odd = { name: 7, type: "odd", recipient_id: 7, content: 7, archived: "yes" };
    const answers = await Promise.all([
      send("PATCH", `/channels/${id}`, odd),
      send("PATCH", `/channels/${id}/messages/1`, odd),
      send("POST", `/channels/${id}/messages/1/threads`, odd),
      send("POST", "/users/@me/channels", odd),
      send("POST", "/interactions/1/secret/callback", odd),
      send("POST", `/webhooks/${botId}/secret`, odd),
      send("PATCH", `/webhooks/${botId}/secret/messages/@original`, odd),
      send("PATCH", `/webhooks/${botId}/secret/messages/1`, odd),
      send("PUT", `/applications/${botId}/commands`, [odd] as unknown as Json),
      send("PUT", `/applications/${botId}/guilds/1/commands`, [odd] as unknown as Json),
    ]);

    expect(answers.filter((message) => !String(message).includes(": #"))).toEqual([]);
  });
});

describe("a limit", () => {
  const post = async () => String((await call("POST", `/channels/${channel().id}/messages`, withText)).json["id"]);

  it("holds for deletions", async () => {
    const ids = Array.from(
      { length: 6 },
      () => discord.world.addMessage({ channelId: channel().id, authorId: botId }).id,
    );

    const statuses: number[] = [];
    for (const id of ids) statuses.push((await call("DELETE", `/channels/${channel().id}/messages/${id}`)).status);

    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  });

  it("holds for reactions, one after the other", async () => {
    const path = `/channels/${channel().id}/messages/${await post()}/reactions`;

    expect((await call("PUT", `${path}/%F0%9F%93%8C/@me`)).status).toBe(204);
    expect((await call("PUT", `${path}/%E2%9C%85/@me`)).status).toBe(429);
    discord.advance(250);
    expect((await call("PUT", `${path}/%E2%9C%85/@me`)).status).toBe(204);
  });

  it("holds for what an interaction's token writes, apart from any other's", async () => {
    const begin = () => {
      const begun = discord.interactions.begin("100000000000000001", channel().id);
      discord.interactions.acknowledge(begun.id, begun.token, 5, {}, () => []);
      return `/webhooks/${botId}/${begun.token}`;
    };
    const [one, other] = [begin(), begin()];

    const statuses: number[] = [];
    for (const path of [one, one, one, one, one, one, other])
      statuses.push((await call("POST", path, withText)).status);

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  it("is lower for messages that are older than an hour", async () => {
    const path = `/channels/${channel().id}/messages/${await post()}`;
    discord.advance(3_600_001);

    const answers: Json[] = [];
    for (let at = 0; at < 4; at += 1) answers.push((await call("PATCH", path, withText)).json);

    expect(answers.map(({ code }) => code)).toEqual([undefined, undefined, undefined, 30_046]);
    expect(answers[3]?.["retry_after"]).toBeGreaterThan(5);
    discord.advance(6_000);
    expect((await call("PATCH", path, withText)).status).toBe(200);
  });
});

describe("a thread that begins at no message", () => {
  it("is public if it asks for that, and the channel says so in a line", async () => {
    const path = `/channels/${channel().id}/threads`;
    const { json } = await call("POST", path, { name: "Refunds", type: 11 });

    expect(json).toMatchObject({ type: 11, name: "Refunds", parent_id: channel().id });
    expect(discord.world.inChannel(channel().id)).toMatchObject([{ type: 18, content: "Refunds" }]);
    expect((await call("POST", path, { name: "Private" })).json).toMatchObject({ type: 12 });
  });

  it("has a limit of its own beside that of threads at messages", async () => {
    const path = `/channels/${channel().id}/threads`;
    for (let at = 0; at < 50; at += 1) await call("POST", path, { name: `${at}`, type: 11 });
    discord.advance(1_000);

    expect((await call("POST", path, { name: "one more", type: 11 })).status).toBe(429);
    const { id } = discord.world.addMessage({ channelId: channel().id, authorId: botId });
    expect((await call("POST", `/channels/${channel().id}/messages/${id}/threads`, { name: "at it" })).status).toBe(
      200,
    );
  });

  it.each([
    ["without a name", { name: "", type: 11 }],
    ["of a type that is none", { name: "a", type: 5 }],
    ["for a time that Discord hasn't got", { name: "a", type: 11, auto_archive_duration: 5 }],
  ])("is refused %s", async (_, body) => {
    expect((await call("POST", `/channels/${channel().id}/threads`, body)).status).toBe(400);
  });
});
