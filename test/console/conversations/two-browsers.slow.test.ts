/** Two browsers of one person, on two instances, do whatever they like. In the end both show what a reload shows. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createState } from "../../../adapters/console/page/state.ts";
import type { ConsoleMessage, ConversationSummary } from "../../../adapters/console/writing/messages.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { propertyParameters, runs } from "../../properties.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const kinds = ["ask", "follow up", "rename", "pin", "edit", "delete", "delete all", "vote", "stop", "reload"] as const;
type Kind = (typeof kinds)[number];
/** `pick`: which conversation or message, of those that the browser shows. */
type Deed = { readonly browser: 0 | 1; readonly kind: Kind; readonly pick: number };

const deed = fc.record({
  browser: fc.constantFrom(0 as const, 1 as const),
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(20),
});

/** A browser without drawing: the page's own state, fed by its requests and its stream of events. */
async function openBrowser(page: WholePage) {
  const store = createState();
  const tab = randomUUID();
  const closing = new AbortController();

  async function readThread(at: { readonly channel: string; readonly thread: string }): Promise<void> {
    const since = store.arrivalsNow();
    const { status, body } = await page.request(`/api/conversations/${at.channel}/${at.thread}`);
    if (status === 200) store.readThread(at, body.messages, since);
    if (status === 404) store.noteGone(at);
  }

  async function read(): Promise<void> {
    const since = store.arrivalsNow();
    store.readList((await page.request("/api/conversations")).body, since);
    await Promise.all([...store.state.conversations.values()].map(readThread));
  }

  async function listen(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of body) {
      text += decoder.decode(part, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        const event = JSON.parse(data ?? "{}");
        if (event.type !== undefined) store.receive(event);
      }
    }
  }

  const from = { incoming: { httpVersion: "1.1", socket: { remoteAddress: "127.0.0.1" } } };
  const init = { headers: { host: "127.0.0.1:3000" }, signal: closing.signal };
  const stream = await page.app.request(`http://127.0.0.1:3000/api/events?tab=${tab}`, init, from);
  listen(stream.body as ReadableStream<Uint8Array>).catch(() => undefined);
  await read();

  /** What a person sees: the list with its names and marks, the pins, and every conversation's messages. */
  function shown() {
    const { conversations, pinned, threads } = store.state;
    const listed = [...conversations.values()].sort((a, b) => ((a.lastOrder ?? "") < (b.lastOrder ?? "") ? 1 : -1));
    return {
      conversations: listed,
      pinned: pinned.filter((key: string) => conversations.has(key)),
      messages: listed.map(({ channel, thread }: ConversationSummary) =>
        [...(threads.get(`${channel}/${thread}`)?.values() ?? [])]
          .map(({ message: { vote: _vote, ...message } }) => message)
          .sort((a, b) => (a.order < b.order ? -1 : 1)),
      ),
    };
  }

  async function act({ kind, pick }: Deed): Promise<void> {
    const all: ConversationSummary[] = [...store.state.conversations.values()];
    const at = all[pick % Math.max(1, all.length)];
    const event = { id: randomUUID(), tab, channel: "general" };
    const send = (method: string, path: string, body: object) => page.request(path, { method, body });
    if (kind === "ask") {
      await send("POST", "/api/messages", { ...event, text: `Question ${pick}?` });
      return;
    }
    if (kind === "reload") return read();
    if (at === undefined) return;
    const { thread } = at;
    const path = `/api/conversations/general/${thread}`;
    const messages = [...(store.state.threads.get(`general/${thread}`)?.values() ?? [])].map(
      ({ message }: { readonly message: ConsoleMessage }) => message,
    );
    const questions = messages.filter(({ author }) => author === "you");
    const messageId = questions[pick % Math.max(1, questions.length)]?.id ?? thread;
    const press = async (name: RegExp) => {
      for (const message of messages) {
        const action = message.author === "parley" && message.payload.actions.find(({ id }) => name.test(id));
        if (!action) continue;
        const pressed = { ...event, thread, action: action.id, value: action.value, messageId: message.id, voter: tab };
        await send("POST", "/api/actions", pressed);
        return;
      }
    };
    const deeds: Record<Exclude<Kind, "ask" | "reload">, () => Promise<unknown>> = {
      "follow up": () => send("POST", "/api/messages", { ...event, thread, text: `And ${pick}?` }),
      rename: () => send("PUT", `${path}/title`, { title: `Name ${pick}` }),
      pin: () => send("PUT", `${path}/pin`, { isPinned: pick % 2 === 0 }),
      edit: () => send("PUT", "/api/messages", { ...event, thread, messageId, text: `Edited ${pick}?` }),
      delete: () => send("DELETE", "/api/messages", { ...event, thread, messageId }),
      "delete all": () => send("DELETE", path, { id: event.id }),
      vote: () => press(/^thumb-up$/),
      stop: () => press(/^stop$/),
    };
    await deeds[kind]();
  }

  return { act, shown, close: () => closing.abort() };
}

it("shows the same in two browsers as after a reload, whatever both do at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async (rounds) => {
      const state = await openState({ dataDir: await temporaryFolder("two-browsers"), clock: systemClock, log });
      const pages = [await openWholePage({}, state), await openWholePage({}, state)] as const;
      const browsers = [await openBrowser(pages[0]), await openBrowser(pages[1])] as const;
      const answered = [0, 0];
      const answer = () => {
        for (const [index, { agents }] of pages.entries()) {
          for (const run of agents.runs.slice(answered[index])) run.answer("In the kitchen.");
          answered[index] = agents.runs.length;
        }
      };

      for (const [index, round] of rounds.entries()) {
        await Promise.all(round.map((one) => browsers[one.browser].act(one)));
        // Every other round ends while questions are being answered.
        if (index % 2 === 0) answer();
      }
      await until("nothing is left to do", async () => {
        answer();
        const busy = pages.reduce((sum, { parley }) => {
          const { running, waiting } = parley.bridge.counts();
          return sum + running + waiting;
        }, 0);
        return busy + (await Array.fromAsync(state.works.entries("page-deletions"))).length === 0;
      });
      const fresh = await openBrowser(pages[0]);
      const isSame = () =>
        browsers.every((browser) => JSON.stringify(browser.shown()) === JSON.stringify(fresh.shown()));
      await until("the last events have arrived", isSame, 3_000).catch(() => undefined);

      for (const browser of browsers) expect(browser.shown()).toEqual(fresh.shown());
      for (const browser of [...browsers, fresh]) browser.close();
      for (const page of pages) await page.close();
      await state.close();
    }),
    { ...propertyParameters, numRuns: runs(12) },
  );
});
