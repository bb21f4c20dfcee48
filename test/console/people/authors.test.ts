import { afterEach, describe, expect, it } from "vitest";
import { answered } from "../documents.ts";
import { event } from "../requests.ts";
import { type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";
import { cookiesAfter } from "./sign-in-room.ts";

const tokens = { token: "a-token-to-manage-with", guestToken: "a-token-to-ask-with" };

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());

/** Someone who has signed in, in a browser of their own. */
async function person(name: string, token = tokens.guestToken) {
  const body = new URLSearchParams({ token, name });
  const cookie = cookiesAfter(await fetch(`${scripted.url}/`, { method: "POST", body, redirect: "manual" }));
  const call = async (method: string, path: string, sent?: object) => {
    const headers = { cookie, "content-type": "application/json" };
    const response = await fetch(scripted.url + path, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  const { id } = (await call("GET", "/api/me")).body;
  return { id, cookie, call, read: async () => (await call("GET", "/api/conversations/general/a")).body.messages };
}

const asked = (text: string) => event({ thread: "a", text });

describe("a message of someone who has signed in", () => {
  it("is stored with its author, and everyone sees whose it is", async () => {
    scripted = await startScriptedConsole(tokens);
    const ana = await person("Ana");
    const ben = await person("Ben");

    await ana.call("POST", "/api/messages", asked("How long?"));

    const by = { id: ana.id, name: "Ana", isVerified: false };
    expect(await ben.read()).toMatchObject([{ text: "How long?", by }]);
    expect(scripted.inbounds).toMatchObject([
      { actor: { id: ana.id, name: "Ana (unverified)", signedInAs: "ask", isAdmin: false } },
    ]);
  });

  it("is read by agents with its author's name, as unverified", async () => {
    scripted = await startScriptedConsole(tokens);
    const ana = await person("Ana");
    await ana.call("POST", "/api/messages", asked("How long?"));
    const place = { platform: "console", workspace: "local", channel: "general", thread: "a" };

    expect(await scripted.console.readThread(place, { limit: 5 })).toMatchObject([
      { authorName: "Ana (unverified)", authorId: ana.id, isOwn: false },
    ]);
  });

  it("is edited by its author alone", async () => {
    scripted = await startScriptedConsole(tokens);
    const [ana, ben, boss] = [await person("Ana"), await person("Ben"), await person("Bo", tokens.token)];
    const message = asked("How long?");
    await ana.call("POST", "/api/messages", message);
    const edit = () => event({ thread: "a", messageId: message.id, text: "How long, please?" });

    const statuses = [];
    for (const one of [ben, boss, ana]) statuses.push((await one.call("PUT", "/api/messages", edit())).status);

    expect(statuses).toEqual([403, 403, 202]);
    expect(await ana.read()).toMatchObject([{ text: "How long, please?", by: { name: "Ana" }, isEdited: true }]);
  });

  it("is deleted by its author, and by people who manage", async () => {
    scripted = await startScriptedConsole(tokens);
    const [ana, ben, boss] = [await person("Ana"), await person("Ben"), await person("Bo", tokens.token)];
    const [first, second] = [asked("One?"), asked("Two?")];
    for (const message of [first, second]) await ana.call("POST", "/api/messages", message);
    const deletion = ({ id }: { id: string }) => event({ thread: "a", messageId: id });

    const byBen = await ben.call("DELETE", "/api/messages", deletion(first));
    const byBoss = await boss.call("DELETE", "/api/messages", deletion(first));
    const byAna = await ana.call("DELETE", "/api/messages", deletion(second));

    expect([byBen.status, byBoss.status, byAna.status]).toEqual([403, 202, 202]);
    expect((await ana.read()) ?? []).toEqual([]);
  });

  it("can't be taken over by sending another one under its id", async () => {
    scripted = await startScriptedConsole(tokens);
    const [ana, ben] = [await person("Ana"), await person("Ben")];
    const message = asked("How long?");
    await ana.call("POST", "/api/messages", message);

    const forged = await ben.call("POST", "/api/messages", { ...message, text: "Something else" });

    expect(forged.status).toBe(403);
    expect(await ana.read()).toMatchObject([{ text: "How long?", by: { name: "Ana" } }]);
    expect(scripted.inbounds).toHaveLength(1);
  });
});

describe("a vote of someone who has signed in", () => {
  it("is theirs in every browser, whatever the page sends", async () => {
    const lookedUp: string[] = [];
    scripted = await startScriptedConsole({
      ...tokens,
      ownVote: async (_turn, _place, voter) => {
        lookedUp.push(voter);
        return "up";
      },
    });
    const ana = await person("Ana");
    const place = { platform: "console", workspace: "local", channel: "general", thread: "a" };
    await scripted.show(place, "r1", answered);
    const press = { thread: "a", messageId: "m.0", voter: "browser-1", action: "thumb-up", value: "t1" };

    await ana.call("POST", "/api/actions", event(press));
    const { body } = await ana.call("GET", "/api/conversations/general/a?voter=browser-1");

    expect(scripted.inbounds[0]).toMatchObject({ kind: "action", actor: { id: ana.id } });
    expect(scripted.inbounds[0]).not.toHaveProperty("voter", "browser-1");
    expect(body.messages).toMatchObject([{ vote: "up" }]);
    expect(lookedUp).toEqual([ana.id]);
  });
});

describe("a private note", () => {
  it("reaches its person alone, though someone else knows the tab's id", async () => {
    scripted = await startScriptedConsole({
      ...tokens,
      script: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(answered, "private");
      },
    });
    const [ana, ben] = [await person("Ana"), await person("Ben")];
    const stop = new AbortController();
    const listen = async ({ cookie }: { cookie: string }, isEnough: (text: string) => boolean) => {
      const response = await fetch(`${scripted.url}/api/events?tab=tab-1`, {
        headers: { cookie },
        signal: stop.signal,
      });
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (isEnough(text)) return text;
      }
      return text;
    };
    const atBen = listen(ben, (text) => text.includes("event: message"));

    await ana.call("POST", "/api/actions", event({ thread: "a", messageId: "m.0", action: "raw", value: "t1" }));
    const atAna = await listen(ana, (text) => text.includes("event: note"));
    await ana.call("POST", "/api/messages", asked("For everyone"));

    expect(atAna).toContain("event: note");
    expect(await atBen).not.toContain("event: note");
    stop.abort();
  });
});
