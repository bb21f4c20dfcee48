/** Contract of the page's conversations and channels on a backend: two instances change them as one would. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { conversationsIn } from "../../../adapters/console/conversations/listing.ts";
import { render } from "../../../adapters/console/drawing/render.ts";
import type { ConversationSummary } from "../../../adapters/console/writing/messages.ts";
import { createConsoleStore } from "../../../adapters/console/writing/store.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { answered, running } from "../../console/documents.ts";
import { openWholePage, type WholePage } from "../../console/whole-page.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";

/** One state of each instance; on SQLite they are one. */
type Opened = { readonly states: readonly [State, State]; readonly close: () => Promise<void> };

const dayMs = 86_400_000;
const at = { channel: "general", thread: "t" };
const ana = { id: "you", name: "You", isVerified: false };

const storeOver = (state: State, collection: CollectionFactory = state.collection, clock: Clock = systemClock) =>
  createConsoleStore({
    ...state,
    collection,
    clock,
    log: silentLog,
    removeFiles: async () => undefined,
    onChange: () => undefined,
  });

/** Holds back what one instance writes about conversations until `permit` is called. */
function holdingBack({ collection }: State) {
  const [writing, permission] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHolding = false;
  const slow: CollectionFactory = (name, definition) => {
    const store = collection(name, definition);
    if (name !== "console-conversations") return store;
    const put: typeof store.put = async (...given) => {
      if (isHolding) {
        writing.resolve();
        await permission.promise;
      }
      return store.put(...given);
    };
    return { ...store, put };
  };
  const hold = () => {
    isHolding = true;
  };
  return { collection: slow, hold, writing: writing.promise, permit: permission.resolve };
}

/** Long enough for what was begun before to reach storage, unless it waits. */
async function roundTrips(state: State): Promise<void> {
  for (let count = 0; count < 30; count += 1) {
    await state.ping();
    await nextLoopTurn();
  }
}

const address = (thread: string, channel = "general") => `/api/conversations/${channel}/${thread}`;
const put = (page: WholePage, path: string, body: object) => page.request(path, { method: "PUT", body });
const remove = (page: WholePage, path: string) => page.request(path, { method: "DELETE", body: { id: "d1" } });
const list = async (page: WholePage) => (await page.request("/api/conversations")).body;
const titles = async (page: WholePage): Promise<readonly string[]> =>
  (await list(page)).conversations.map(({ title }: ConversationSummary) => title);
const finds = async (page: WholePage, word: string): Promise<boolean> =>
  (await page.request(`/api/search?q=${word}`)).body.found.length > 0;

/** Everything that the page stores about conversations. */
async function leftIn({ state }: WholePage): Promise<readonly string[]> {
  const left: string[] = [];
  for await (const { id } of conversationsIn(state).entries()) left.push(`conversations ${id}`);
  for (const kind of ["messages", "texts", "changed", "going", "deletions"]) {
    for await (const [key] of state.keyValue(`console-${kind}`).entries("local/")) left.push(`${kind} ${key}`);
  }
  return left;
}

/** How the pages of two instances forget: the first time, on whichever instance, it fails as given. */
function failingOnce(fails: () => Promise<number>) {
  const begun = Promise.withResolvers<0 | 1>();
  let count = 0;
  const forgets = (instance: 0 | 1) => async () => {
    count += 1;
    if (count > 1) return 0;
    begun.resolve(instance);
    return fails();
  };
  return { begun: begun.promise, forgets };
}

/** `haveStatesOfTheirOwn`: on SQLite two instances are one process; `killed/page.test.ts` ends and starts that. */
export function describePage(name: string, open: () => Promise<Opened>, haveStatesOfTheirOwn: boolean): void {
  async function openStates() {
    const { states, close } = await open();
    onTestFinished(close);
    return states;
  }
  async function openPages(...options: readonly Parameters<typeof openWholePage>[0][]) {
    const [first, second] = await openStates();
    return [await openWholePage(options[0], first), await openWholePage(options[1], second)] as const;
  }
  async function answeredIn(page: WholePage, question: string, channel = "general"): Promise<string> {
    const index = page.agents.runs.length;
    const thread = await page.ask(question, { channel });
    (await page.agents.run(index)).answer("In the kitchen.");
    await page.idle();
    return thread;
  }

  describe(`conversations of two instances on ${name}`, () => {
    it("keep the name that one gives while the other one writes the end of an answer", async () => {
      const [one, other] = await openStates();
      const { collection, hold, writing, permit } = holdingBack(other);
      const [naming, answering] = [storeOver(one), storeOver(other, collection)];
      await naming.putQuestion(at, "t", "Where is it?", ana);
      hold();

      const ending = answering.putOwn(at, "r1.0", render(answered)[0], { replyId: "r1", part: 0 });
      await writing;
      const renaming = naming.rename(at, "Kitchen", "you");
      await roundTrips(one);
      permit();
      await Promise.all([ending, renaming]);

      expect(await naming.summary(at)).toMatchObject({ title: "Kitchen", tone: "done", ended: { tone: "done" } });
      await Promise.all([naming.texts.close(), answering.texts.close()]);
    });

    it("stay deleted while the other one writes there, and are listed when something is asked there afterwards", async () => {
      const [one, other] = await openStates();
      const { collection, hold, writing, permit } = holdingBack(other);
      const [deleting, answering] = [storeOver(one), storeOver(other, collection)];
      await deleting.putQuestion(at, "t", "Where is it?", ana);
      hold();

      const ending = answering.putOwn(at, "r1.0", render(answered)[0], { replyId: "r1", part: 0 });
      await writing;
      const hiding = deleting.hide(at);
      await roundTrips(one);
      permit();
      await Promise.all([ending, hiding]);
      await answering.putOwn(at, "r1.0", render(answered)[0], { replyId: "r1", part: 0 });
      expect(await deleting.summary(at)).toBeUndefined();
      await deleting.removeAll(at);
      await answering.putQuestion(at, "t2", "And now?", ana);
      await deleting.gone(at);

      expect(await deleting.summary(at)).toMatchObject({ title: "And now?", begunBy: "you" });
      expect((await answering.listing.page(["general"], 10)).conversations).toMatchObject([{ title: "And now?" }]);
      await Promise.all([deleting.texts.close(), answering.texts.close()]);
    });

    it("are not lost when their last message is removed while the other one stores a new one", async () => {
      const [one, other] = await openStates();
      const { collection, hold, writing, permit } = holdingBack(other);
      const [removing, asking] = [storeOver(one), storeOver(other, collection)];
      await removing.putQuestion(at, "t", "First?", ana);
      hold();

      const question = asking.putQuestion(at, "t2", "Second?", ana);
      await writing;
      const removal = removing.remove(at, "t");
      await roundTrips(one);
      permit();
      await Promise.all([question, removal]);

      expect(await removing.summary(at)).toMatchObject({ title: "Second?" });
      expect((await asking.listing.page(["general"], 10)).conversations).toHaveLength(1);
      await Promise.all([removing.texts.close(), asking.texts.close()]);
    });

    it("stay as long as an answer that was written again in them", async () => {
      const [one] = await openStates();
      let laterMs = 0;
      const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
      const store = storeOver(one, one.collection, clock);
      const answer = (document: Document) => store.putOwn(at, "r1.0", render(document)[0], { replyId: "r1", part: 0 });
      await store.putQuestion(at, "t", "Where is it?", ana);
      await answer(answered);
      laterMs = 89 * dayMs;
      await answer(running(2));
      await answer(answered);

      const retain = async (days: number) => {
        laterMs = days * dayMs;
        await conversationsIn(one).deleteWhere({ order: "sinceMs", until: clock.now() - 90 * dayMs });
        return await store.summary(at);
      };
      expect(await retain(91)).toMatchObject({ title: "Where is it?" });
      expect(await retain(180)).toBeUndefined();
      await store.texts.close();
    });

    it("are listed, named, pinned, searched and deleted by either", async () => {
      const [first, second] = await openPages();
      const thread = await answeredIn(first, "Where is the oven?");
      const other = await answeredIn(second, "Where is the boiler?");
      expect(await titles(first)).toEqual(["Where is the boiler?", "Where is the oven?"]);

      expect((await put(second, `${address(thread)}/title`, { title: "Heating" })).status).toBe(200);
      expect((await put(second, `${address(thread)}/pin`, { isPinned: true })).status).toBe(200);
      expect(await list(first)).toMatchObject({ pinned: [{ title: "Heating" }] });
      expect(await titles(first)).toEqual(["Where is the boiler?", "Heating"]);
      for (const page of [first, second]) await until("it is found", () => finds(page, "heating"));
      await put(first, `${address(thread)}/pin`, { isPinned: false });
      expect((await list(second)).pinned).toEqual([]);

      for (const [page, id] of [[second, thread] as const, [first, other] as const]) {
        expect((await remove(page, address(id))).status).toBe(202);
      }
      for (const page of [first, second]) {
        expect(await titles(page)).toEqual([]);
        expect(await finds(page, "kitchen")).toBe(false);
        expect((await page.request(address(thread))).status).toBe(404);
      }
      await until("nothing is left", async () => (await leftIn(first)).length === 0);
      for await (const turn of first.state.turns.ofConversation({
        platform: "console",
        workspace: "local",
        ...at,
        thread,
      }))
        expect(turn).toMatchObject({ question: "", isForgotten: true });
    });

    it("are deleted with what the other one is answering there", async () => {
      const [first, second] = await openPages();
      const thread = await first.ask("Where is the oven?");
      const run = await first.agents.run(0);

      expect((await remove(second, address(thread))).status).toBe(202);

      await until("its answer is stopped", () => run.isAborted());
      await until("nothing is left", async () => (await leftIn(second)).length === 0);
      const question = { id: "q2", tab: "tab-1", channel: "general", thread, text: "Are you still there?" };
      expect((await first.request("/api/messages", { method: "POST", body: question })).status).toBe(202);
      expect(await titles(second)).toEqual(["Are you still there?"]);
    });

    it("can't be continued while they are being deleted", async () => {
      const forgetting = Promise.withResolvers<number>();
      const [first, second] = await openPages({ forget: () => forgetting.promise });
      const thread = await answeredIn(first, "Where is the oven?");
      await remove(first, address(thread));

      const question = { id: "q2", tab: "tab-1", channel: "general", thread, text: "And the boiler?" };
      const refused = await second.request("/api/messages", { method: "POST", body: question });
      forgetting.resolve(1);

      expect(refused).toMatchObject({ status: 404, body: { error: { code: "place_gone" } } });
      await until("nothing is left", async () => (await leftIn(second)).length === 0);
    });

    // Only where it can be tried: nothing is reported as skipped.
    if (haveStatesOfTheirOwn) {
      it("that one was deleting when it ended are deleted by the other one", async () => {
        const { begun, forgets } = failingOnce(() => new Promise(() => {}));
        const pages = await openPages({ forget: forgets(0) }, { forget: forgets(1) });
        const thread = await answeredIn(pages[0], "Where is the oven?");
        await remove(pages[0], address(thread));
        const ended = await begun;
        await pages[ended].close();

        const other = pages[ended === 0 ? 1 : 0];
        await until("nothing is left", async () => (await leftIn(other)).length === 0);
      });
    }
  });

  describe(`channels of two instances on ${name}`, () => {
    const channels = async (page: WholePage): Promise<readonly string[]> =>
      (await list(page)).channels.map(({ name }: { readonly name: string }) => name);
    const make = (page: WholePage, channel: string) =>
      page.request("/api/channels", { method: "POST", body: { name: channel } });

    it("are made, renamed and removed by either, with what was said there", async () => {
      const [first, second] = await openPages();
      const { id } = (await make(first, "Plans")).body;
      await answeredIn(second, "Where is the oven?", id);

      expect((await put(second, `/api/channels/${id}`, { name: "Ideas" })).status).toBe(200);
      expect(await channels(first)).toEqual(["general", "random", "Ideas"]);
      expect((await first.request(`/api/channels/${id}`)).body).toEqual({ conversations: 1 });
      expect((await remove(first, `/api/channels/${id}`)).status).toBe(202);

      for (const page of [first, second]) {
        expect(await channels(page)).toEqual(["general", "random"]);
        expect(await titles(page)).toEqual([]);
      }
      await until("nothing is left", async () => (await leftIn(second)).length === 0);
    });

    it("have different names, and one of them stays, whatever both do at once", async () => {
      const pages = await openPages();

      const made = await Promise.all(pages.map((page) => make(page, "Plans")));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 422]);
      const { channels: all } = await list(pages[0]);
      await remove(pages[0], `/api/channels/${all[2].id}`);
      const removed = await Promise.all(pages.map((page, index) => remove(page, `/api/channels/${all[index].id}`)));

      expect(removed.map(({ status }) => status).sort()).toEqual([202, 409]);
      for (const page of pages) expect(await channels(page)).toHaveLength(1);
    });

    // Only where it can be tried: nothing is reported as skipped.
    if (haveStatesOfTheirOwn) {
      it("that one could not empty are emptied by the other one", async () => {
        const { begun, forgets } = failingOnce(async () => {
          throw new Error("The process is gone.");
        });
        const pages = await openPages({ forget: forgets(0) }, { forget: forgets(1) });
        await answeredIn(pages[0], "Where is the oven?");
        expect((await remove(pages[0], "/api/channels/general")).status).toBe(202);
        const ended = await begun;
        await pages[ended].close();

        const other = pages[ended === 0 ? 1 : 0];
        await until("nothing is left", async () => (await leftIn(other)).length === 0);
      });
    }
  });
}
