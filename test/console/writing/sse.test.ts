import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  maxStreams,
  maxStreamsOfSession,
  maxUnsentChars,
  maxWaitingNotes,
  maxWaitingTabs,
} from "../../../adapters/console/limits.ts";
import type { PageEvent } from "../../../adapters/console/writing/messages.ts";
import { createHub } from "../../../adapters/console/writing/sse.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

function startHub(coordinator = createMemoryCoordinator({ clock: createFakeClock() })) {
  const clock = createFakeClock();
  const hub = createHub({ coordinator, clock, log: silentLog });
  hub.start();
  const app = new Hono();
  app.get("/:tab", (context) => {
    const { tab } = context.req.param();
    return hub.stream(context, readerOf(tab, context.req.query("person")), () => true);
  });
  const open = async (tab: string) => {
    const reader = (await app.request(`/${tab}`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) throw new Error("no stream");
    let received = "";
    return {
      /** Reads on until `text` came, and returns everything so far; undefined when the stream ended first. */
      readUntil: async (text: string) => {
        while (!received.includes(text)) {
          const { done, value } = await reader.read();
          if (done) return undefined;
          received += value;
        }
        return received;
      },
    };
  };
  return { hub, clock, open };
}

/** Everyone has a session that ends in 20 s. */
const readerOf = (tab: string, person = "ana") => ({
  tab,
  person,
  session: { key: `session of ${person}`, expiresAtMs: 1_800_000_020_000 },
});

const note = (tab: string, id: string, person = "ana"): PageEvent => ({
  type: "note",
  key: id,
  tab,
  person,
  note: { id, channel: "general", thread: "x" },
});
const idsOf = (events: readonly PageEvent[]) => events.map((event) => (event.type === "note" ? event.note.id : ""));
const removed = (id: string): PageEvent => ({ type: "removed", channel: "general", thread: "x", id });

describe("the stream of events to a page", () => {
  it("sends a sign of life while nothing happens", async () => {
    const { clock, open } = startHub();
    const page = await open("one");
    await page.readUntil("event: hello");

    await clock.advance(15_000);

    expect(await page.readUntil("event: beat")).toBeDefined();
  });

  it("notifies every page of a change, also one from another instance", async () => {
    const coordinator = createMemoryCoordinator({ clock: createFakeClock() });
    const here = startHub(coordinator);
    const there = startHub(coordinator);
    const page = await here.open("one");
    await page.readUntil("event: hello");

    there.hub.notify(removed("m1"));

    expect(await page.readUntil('"m1"')).toContain("event: removed");
  });

  it("ends when the console is closed", async () => {
    const { hub, clock, open } = startHub();
    const page = await open("one");
    await page.readUntil("event: hello");
    await clock.advance(0);

    hub.close();

    expect(await page.readUntil("never")).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  it("ends when the page stops reading, instead of buffering everything for it", async () => {
    const { hub, clock, open } = startHub();
    const page = await open("one");
    await page.readUntil("event: hello");

    const large = "x".repeat(maxUnsentChars / 4);
    for (let count = 0; count < 20; count += 1) hub.notify(removed(`m${count} ${large}`));
    await clock.advance(0);

    expect(await page.readUntil('"m19 ')).toBeUndefined();
  });

  it("keeps the newest notes for a tab that is disconnected, and delivers them once", async () => {
    const { hub, clock, open } = startHub();
    for (let count = 0; count <= maxWaitingNotes; count += 1) hub.notify(note("one", `n${count}.`));
    await clock.advance(0);

    const first = await (await open("one")).readUntil(`"n${maxWaitingNotes}."`);
    await clock.advance(10_000);
    const second = await open("one");
    hub.notify(note("one", "later"));

    expect(first).not.toContain('"n0."');
    expect(first).toContain('"n1."');
    expect(await second.readUntil('"later"')).not.toContain('"n1."');
  });

  it("holds what it sends in the first 10 s until the page has heard it: a proxy may hold a stream back", async () => {
    const { hub, clock, open } = startHub();
    hub.notify(note("one", "before"));
    await clock.advance(0);
    const held = await open("one");
    await held.readUntil('"before"');
    await clock.advance(4_000);
    hub.notify(note("one", "early"));
    await clock.advance(0);

    const polled = hub.take(readerOf("one"), () => true);

    expect(idsOf(polled)).toEqual(["before", "early"]);
    // The page polls, so its stream is of no use, also if the proxy keeps it open.
    expect(await held.readUntil("never")).toBeUndefined();
    hub.notify(note("one", "later"));
    await clock.advance(0);
    expect(idsOf(hub.take(readerOf("one"), () => true))).toEqual(["later"]);
  });

  it("holds nothing for a page whose stream has worked for 10 s", async () => {
    const { hub, clock, open } = startHub();
    const page = await open("one");
    hub.notify(note("one", "early"));
    await page.readUntil('"early"');
    await clock.advance(10_000);
    hub.notify(note("one", "later"));
    await page.readUntil('"later"');

    expect(hub.take(readerOf("one"), () => true)).toEqual([]);
  });

  it("forgets the tab that waited longest when there are too many", async () => {
    const { hub, clock, open } = startHub();
    for (let count = 0; count <= maxWaitingTabs; count += 1) hub.notify(note(`tab${count}`, "kept"));
    await clock.advance(0);

    const forgotten = await open("tab0");
    const kept = await open("tab1");
    expect(await kept.readUntil('"kept"')).toBeDefined();
    hub.notify(removed("m1"));

    expect(await forgotten.readUntil('"m1"')).not.toContain('"kept"');
  });

  it("holds a note for its person, not for others who name its tab", async () => {
    const { hub, open } = startHub();
    hub.notify(note("one", "n1"));

    const ben = await open("one?person=ben");
    hub.notify(removed("m1"));
    const seen = await ben.readUntil('"id":"m1"');
    const ana = await open("one");

    expect(seen).not.toContain("event: note");
    expect(await ana.readUntil('"id":"n1"')).toBeDefined();
  });

  it("ends with its session: when it was signed out, and when it expires", async () => {
    const { hub, clock, open } = startHub();
    const ana = await open("one");
    const ben = await open("two?person=ben");
    await ana.readUntil("event: hello");
    await ben.readUntil("event: hello");

    hub.notify({ type: "signed-out", session: "session of ana" });
    expect(await ana.readUntil("never")).toBeUndefined();
    await clock.advance(15_000);
    expect(await ben.readUntil("event: beat")).toBeDefined();

    await clock.advance(15_000);
    expect(await ben.readUntil("never")).toBeUndefined();
  });

  it("makes room for another of its session when there are twenty: the oldest is told, and ends", async () => {
    const { hub, clock, open } = startHub();
    const ben = await open("ben?person=ben");
    const first = await open("first");
    for (let count = 1; count < maxStreamsOfSession; count += 1) await open(`tab${count}`);

    const next = await open("next");

    const said = await first.readUntil("event: crowded");
    // Also a page that doesn't understand this waits before it opens another one.
    expect(said).toContain("event: crowded\ndata: {}\nretry: 60000\n");
    expect(await first.readUntil("never")).toBeUndefined();
    hub.notify(removed("m1"));
    for (const page of [ben, next]) expect(await page.readUntil('"m1"')).toContain("event: removed");
    // What only its tab is told waits for it.
    hub.notify(note("first", "n1"));
    await clock.advance(0);
    expect(idsOf(hub.take(readerOf("first"), () => true))).toEqual(["n1"]);
  });

  it("makes room among those who have most when there are two thousand in all", async () => {
    const { hub, open } = startHub();
    const ana = await open("ana");
    const guests = [];
    for (let count = 1; count < maxStreams; count += 1) {
      guests.push(await open(`tab${count}?person=guest${Math.floor(count / maxStreamsOfSession)}`));
    }

    const ben = await open("ben?person=ben");
    hub.notify(removed("m1"));

    for (const page of [ana, ben]) expect(await page.readUntil('"m1"')).not.toContain("crowded");
    const ended = [];
    for (const page of guests) ended.push((await page.readUntil('"m1"')) === undefined);
    expect(ended.filter(Boolean)).toHaveLength(1);
  });

  it("writes an event's JSON once, however many pages are open", async () => {
    const { hub, open } = startHub();
    const pages = [];
    for (let count = 0; count < 15; count += 1) pages.push(await open(`tab${count}`));
    const writing = vi.spyOn(JSON, "stringify");
    onTestFinished(() => writing.mockRestore());

    hub.notify(removed("m1"));
    for (const page of pages) await page.readUntil('"m1"');

    expect(writing).toHaveBeenCalledTimes(1);
  });
});
