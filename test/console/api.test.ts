import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { render } from "../../adapters/console/drawing/render.ts";
import { placeOf } from "../../adapters/console/intake/inbound.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { answered, failed, running } from "./documents.ts";
import { type ScriptedConsole, startScriptedConsole } from "./scripted-console.ts";

const place = placeOf("general", "thread-1");
const mark = { replyId: "t1", part: 0, generation: 0 };
const write = { urgency: "progress" } as const;

let scripted: ScriptedConsole;
beforeEach(async () => {
  scripted = await startScriptedConsole();
});
afterEach(() => scripted.stop());

const read = async (thread = "thread-1") => {
  const response = await fetch(`${scripted.url}/api/conversations/general/${thread}`);
  return JSON.parse(await response.text()).messages ?? [];
};

describe("the console as a chat platform", () => {
  it("shows what is posted, and edits it in place", async () => {
    const { console } = scripted;

    const messageId = await console.post(place, render(running(1))[0], mark, write);
    await console.edit({ place, messageId }, render(answered)[0], write);

    expect(await read()).toMatchObject([{ id: messageId, author: "parley", revision: 2, payload: { tone: "done" } }]);
  });

  it("posts one message for a part that is posted twice", async () => {
    const { console } = scripted;

    const first = await console.post(place, render(running(1))[0], mark, write);
    const second = await console.post(place, render(failed)[0], mark, write);

    expect(second).toBe(first);
    expect(await read()).toMatchObject([{ payload: { tone: "failed" } }]);
  });

  it("finds its own messages by their Reply, and no others", async () => {
    const { console } = scripted;
    const messageId = await console.post(place, render(running(1))[0], mark, write);
    await console.post(place, render(running(1))[0], { replyId: "t2", part: 0, generation: 0 }, write);

    const found = await console.findOwn(place, "t1", 0);

    expect(found).toEqual([{ part: 0, generation: 0, messageId }]);
  });

  it("opens a thread for what is posted at a channel's top level, and finds it there", async () => {
    const { console } = scripted;
    const top = { platform: "console", workspace: "local", channel: "general" };

    const messageId = await console.post(top, render(running(1))[0], mark, write);
    await console.edit({ place: top, messageId }, render(answered)[0], write);

    expect(await console.findOwn(top, "t1", 0)).toEqual([{ part: 0, generation: 0, messageId }]);
    expect(await read("t1")).toMatchObject([{ payload: { tone: "done" } }]);
  });

  it("forgets what was said in a conversation, with its files, and nothing of another one", async () => {
    const { console } = scripted;
    await console.post(place, render(answered)[0], mark, write);
    await console.uploadFile(place, { name: "answer.csv", content: "secret", mediaType: "text/csv" });
    const [, file] = await read();
    await console.post(placeOf("general", "thread-2"), render(answered)[0], mark, write);

    await console.forget?.(place);

    expect(await read()).toEqual([]);
    expect((await fetch(`${scripted.url}/api/files/${file.file.id}`)).status).toBe(404);
    expect(await read("thread-2")).toHaveLength(1);
  });

  it("says that a message is gone when it is edited after it was removed", async () => {
    const { console } = scripted;
    const messageId = await console.post(place, render(running(1))[0], mark, write);

    await console.remove({ place, messageId });

    await expect(console.edit({ place, messageId }, render(answered)[0], write)).rejects.toMatchObject({
      code: "message_gone",
    });
    await expect(console.remove({ place, messageId })).resolves.toBeUndefined();
  });

  it("says that a channel is gone when there is none of that name", async () => {
    const nowhere = placeOf("nowhere", "thread-1");

    await expect(scripted.console.post(nowhere, render(answered)[0], mark, write)).rejects.toMatchObject({
      code: "place_gone",
    });
  });

  it("says that the write may have happened when storage fails", async () => {
    const { console, state } = scripted;
    await state.close();

    const posting = console.post(place, render(answered)[0], mark, write);

    await expect(posting).rejects.toMatchObject({ code: "platform_unreachable" });
  });

  it("reads a thread oldest first, the newest ones of it, after an order", async () => {
    const { console } = scripted;
    for (const part of [0, 1, 2])
      await console.post(place, render(answered)[0], { replyId: "t1", part, generation: 0 }, write);

    const all = await console.readThread(place, { limit: 10 });
    const newest = await console.readThread(place, { limit: 2 });
    const later = await console.readThread(place, { limit: 10, after: all[0]?.order ?? "" });

    expect(all.map((message) => message.messageId)).toEqual(["t1.0", "t1.1", "t1.2"]);
    expect(newest.map((message) => message.messageId)).toEqual(["t1.1", "t1.2"]);
    expect(later.map((message) => message.messageId)).toEqual(["t1.1", "t1.2"]);
    expect(all[0]).toMatchObject({ isOwn: true, isBot: true, authorName: "Parley" });
    expect(all[0]?.text).toContain("Business");
  });

  it("links to a message", async () => {
    const link = await scripted.console.permalink({ place, messageId: "t1.0" });

    expect(link).toBe("http://127.0.0.1:3000/#/general/thread-1/t1.0");
  });

  it("gives a file as a download that a browser never opens as a page", async () => {
    await scripted.console.uploadFile(place, { name: "rows €.csv", content: "a,b\n1,2\n", mediaType: "text/csv" });

    const [message] = await read();
    const download = await fetch(`${scripted.url}/files/${message.file.id}`);

    expect(message).toMatchObject({ author: "parley-file", file: { name: "rows €.csv", sizeBytes: 8 } });
    expect(download.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''rows%20%E2%82%AC.csv");
    expect(await download.text()).toBe("a,b\n1,2\n");
  });

  it("keeps its history over a restart, and continues to count above it", async () => {
    const dataDir = await temporaryFolder("console");
    const before = await startScriptedConsole({ dataDir });
    await before.show(place, "t1", answered);
    await before.stop();

    const after = await startScriptedConsole({ dataDir });
    await after.show(place, "t2", running(1));
    const messages = await after.console.readThread(place, { limit: 10 });
    await after.stop();

    expect(messages.map((message) => message.messageId)).toEqual(["t1.0", "t2.0"]);
  });
});
