import { afterEach, describe, expect, it } from "vitest";
import type { Forget } from "../../../src/core/conversations.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { jobDocument } from "../../../src/presentation/drawing.ts";
import { openState } from "../../../src/state/open-state.ts";
import { stateError } from "../../../src/state/state-error.ts";
import { sampleJob } from "../../contracts/storage/sample-records.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { answered, running } from "../documents.ts";
import { event, requestsTo } from "../requests.ts";
import { none, type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted?.stop());
const { send, get, list, read } = requestsTo(() => scripted);

const ask = async (text: string, thread?: string) => {
  const request = event(thread === undefined ? { text } : { text, thread });
  await send("POST", "/api/messages", request);
  return request.id;
};
const titles = async (): Promise<readonly string[]> =>
  (await list()).conversations.map(({ title }: { readonly title: string }) => title);
const at = (thread: string) => `/api/conversations/general/${thread}`;
const place = (thread: string): Place => ({ platform: "console", workspace: "local", channel: "general", thread });

describe("the title of a conversation", () => {
  it("is its first question, and changes when that question is edited", async () => {
    scripted = await startScriptedConsole();
    const id = await ask("How do I conect Slack?");
    const second = await ask("And Discord?", id);

    await send("PUT", "/api/messages", event({ thread: id, messageId: id, text: "How do I connect Slack?" }));
    await send("PUT", "/api/messages", event({ thread: id, messageId: second, text: "And what about Discord?" }));

    expect(await titles()).toEqual(["How do I connect Slack?"]);
  });

  it("leaves out the mention of Parley", async () => {
    scripted = await startScriptedConsole();
    await ask("@Parley, who pays for travel?");

    expect(await titles()).toEqual(["who pays for travel?"]);
  });

  it("is never a command: it is what Parley said until something is asked", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound, { show }) => {
        if (inbound.kind === "command") await show(inbound.place, "t1", answered);
        await inbound.ack(none);
      },
    });
    const id = await ask("/agent use guide");

    const [only] = (await list()).conversations;
    expect(only.title).not.toContain("/agent");
    expect(only.title).not.toBe("");
    await ask("Which plan has single sign-on?", id);
    expect(await titles()).toEqual(["Which plan has single sign-on?"]);
  });

  it("says how what Parley did there ended, not how it began", async () => {
    scripted = await startScriptedConsole();
    const job = (summary: string, tone: "running" | "done") => ({ ...answered, tone, summary });
    await scripted.show(place("job"), "j1", job("Adding to handbook · 0 of 8 done", "running"));
    await scripted.show(place("job"), "j1", job("Adding to handbook · 4 of 8 done", "running"));
    expect(await titles()).toEqual(["Adding to handbook · 0 of 8 done"]);

    await scripted.show(place("job"), "j1", job("Added to handbook · 8 done", "done"));
    expect(await titles()).toEqual(["Added to handbook · 8 done"]);

    await scripted.show(place("job"), "j2", job("Something else", "done"));
    expect(await titles()).toEqual(["Added to handbook · 8 done"]);
  });

  it("says no progress while a job runs", async () => {
    scripted = await startScriptedConsole();
    const job = sampleJob("j1", { knowledgeBase: "handbook", state: "running" });
    await scripted.show(place("job"), "j1", jobDocument(job, 0));

    expect(await titles()).toEqual(["Adding to handbook"]);
  });

  it("is the question of /ask", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound, { show }) => {
        await show(inbound.place, "t1", answered);
        await inbound.ack(none);
      },
    });

    await ask("/ask Which plan has single sign-on?");

    expect(await titles()).toEqual(["Which plan has single sign-on?"]);
  });

  it("stays as a person wrote it, whatever is edited afterwards", async () => {
    scripted = await startScriptedConsole();
    const id = await ask("Waht?");

    expect((await send("PUT", `${at(id)}/title`, { title: "  Plans \n and prices " })).status).toBe(200);
    await send("PUT", "/api/messages", event({ thread: id, messageId: id, text: "What?" }));

    expect(await titles()).toEqual(["Plans and prices"]);
  });

  it("is the next question's once the first one is deleted", async () => {
    scripted = await startScriptedConsole();
    const id = await ask("First?");
    await ask("Second?", id);

    await send("DELETE", "/api/messages", event({ thread: id, messageId: id }));

    expect(await titles()).toEqual(["Second?"]);
  });
});

describe("the list of conversations", () => {
  it("continues where a page ended, whatever was said meanwhile, and lists each once", async () => {
    scripted = await startScriptedConsole();
    const ids = [];
    for (let count = 0; count < 7; count += 1) ids.push(await ask(`Question ${count}?`));
    const first = await get("/api/conversations?limit=3");
    await ask("And again?", ids[6]);
    await ask("Something new?");

    const second = await get(`/api/conversations?limit=3&before=${first.next}`);
    const third = await get(`/api/conversations?limit=3&before=${second.next}`);

    const all = [first, second, third].flatMap(({ conversations }) => conversations);
    expect(all.map(({ title }) => title)).toEqual([6, 5, 4, 3, 2, 1, 0].map((count) => `Question ${count}?`));
    expect(third.next).toBeUndefined();
  });

  it("keeps what a person pinned at hand, however old it is", async () => {
    scripted = await startScriptedConsole();
    const old = await ask("Old?");
    for (let count = 0; count < 3; count += 1) await ask(`Question ${count}?`);

    await send("PUT", `${at(old)}/pin`, { isPinned: true });
    const pinned = await get("/api/conversations?limit=2");
    await send("PUT", `${at(old)}/pin`, { isPinned: false });

    expect(pinned.pinned).toMatchObject([{ title: "Old?" }]);
    expect((await get("/api/conversations?limit=2")).pinned).toEqual([]);
  });
});

describe("an address", () => {
  it("of a conversation that isn't there says so", async () => {
    scripted = await startScriptedConsole();

    const unknown = await fetch(`${scripted.url}${at("never")}`);
    const elsewhere = await fetch(`${scripted.url}/api/conversations/nowhere/never`);

    expect([unknown.status, elsewhere.status]).toEqual([404, 404]);
    expect(await unknown.json()).toMatchObject({ error: { code: "place_gone" } });
  });
});

describe("while storage is away", () => {
  it("says so in a sentence when a conversation is named, and takes the name afterwards", async () => {
    const state = await openState({ dataDir: await temporaryFolder("away"), clock: systemClock, log: silentLog });
    let isAway = false;
    const keyValue: typeof state.keyValue = <T>(namespace: string) => {
      const store = state.keyValue<T>(namespace);
      const set: typeof store.set = async (...given) => {
        if (isAway) throw stateError(new Error("database or disk is full"));
        return store.set(...given);
      };
      return { ...store, set };
    };
    scripted = await startScriptedConsole({ ...state, keyValue });
    const id = await ask("Where is it?");
    isAway = true;

    const refused = await send("PUT", `${at(id)}/title`, { title: "Kitchen" });
    expect(refused).toMatchObject({ status: 503, body: { error: { what: "Parley can't reach its storage." } } });
    expect(await titles()).toEqual(["Where is it?"]);
    isAway = false;

    expect((await send("PUT", `${at(id)}/title`, { title: "Kitchen" })).status).toBe(200);
    expect(await titles()).toEqual(["Kitchen"]);
    await state.close();
  });
});

describe("deleting a conversation", () => {
  const forgetting = (forgotten: unknown[]): { readonly forget: Forget } => ({
    forget: async (conversation, by, mayForgetOthers) => {
      forgotten.push([conversation, by.id, mayForgetOthers]);
      return 1;
    },
  });

  it("has Parley forget it, and removes its messages, its files and its place in the list", async () => {
    const forgotten: unknown[] = [];
    scripted = await startScriptedConsole(forgetting(forgotten));
    const id = await ask("Never mind?");
    await scripted.show(place(id), "t1", answered);
    await scripted.console.uploadFile(place(id), { name: "a.csv", content: "1", mediaType: "text/csv" });
    const file = (await read(id)).at(-1).file.id;
    await send("PUT", `${at(id)}/pin`, { isPinned: true });

    const answer = await send("DELETE", at(id), { id: "d1" });

    expect(answer.status).toBe(202);
    expect(await list()).toMatchObject({ conversations: [], pinned: [] });
    await until("its messages are gone", async () => (await fetch(`${scripted.url}/files/${file}`)).status === 404);
    expect(forgotten).toEqual([[place(id), "you", true]]);
    expect(await read(id)).toEqual([]);
  });

  it("does not bring it back into the list while its answer still ends", async () => {
    let release = () => {};
    const forgotten = new Promise<number>((resolve) => {
      release = () => resolve(1);
    });
    scripted = await startScriptedConsole({ forget: () => forgotten });
    const id = await ask("Never mind?");
    await scripted.show(place(id), "t1", running(1));

    await send("DELETE", at(id), { id: "d1" });
    await scripted.show(place(id), "t1", answered);
    const during = await list();
    expect((await fetch(`${scripted.url}${at(id)}`)).status).toBe(404);
    release();

    expect(during.conversations).toEqual([]);
    await until("its messages are gone", async () => {
      const at = { channel: "general", thread: id };
      for await (const _one of scripted.state.keyValue("console-messages").entries(`local/${at.channel}/${id}/`))
        return false;
      return true;
    });
    expect((await list()).conversations).toEqual([]);
  });

  it("is finished by the next process when one died before it had forgotten everything", async () => {
    const dataDir = await temporaryFolder("console-deleting");
    scripted = await startScriptedConsole({ dataDir, forget: () => new Promise<number>(() => {}) });
    const id = await ask("Never mind?");
    await send("DELETE", at(id), { id: "d1" });
    await scripted.stop();
    const forgotten: unknown[] = [];

    scripted = await startScriptedConsole({ dataDir, ...forgetting(forgotten) });

    await until("it is forgotten", () => forgotten.length === 1);
    await until("nothing is left to do", async () => {
      for await (const _one of scripted.state.works.entries("page-deletions")) return false;
      return true;
    });
    expect(await list()).toMatchObject({ conversations: [] });
  });
});
