import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
// @ts-expect-error: a module of the page, which has no types.
import { createState } from "../../../adapters/console/page/state.js";

beforeEach(() => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

const conversation = (thread: string, title: string) => ({ channel: "general", thread, title, lastOrder: "1" });
const list = (...conversations: readonly object[]) => ({
  channels: [{ id: "general", name: "general" }],
  conversations,
  pinned: [],
  you: { id: "you", role: "manage" },
});

describe("what arrives while the list is being read", () => {
  it("is newer than the list: names, deletions and pins stay, and the next list counts again", () => {
    const store = createState();
    const titles = () => [...store.state.conversations.values()].map(({ title }) => title);
    store.readList(list(conversation("a", "Old"), conversation("b", "Deleted")), store.arrivalsNow());
    const since = store.arrivalsNow();
    store.receive({ type: "conversation", conversation: conversation("a", "New") });
    store.receive({ type: "conversation-removed", channel: "general", thread: "b" });
    store.receive({ type: "pinned", channel: "general", thread: "a", isPinned: true });

    store.readList(list(conversation("a", "Old"), conversation("b", "Deleted"), conversation("c", "Other")), since);

    expect(titles()).toEqual(["New", "Other"]);
    expect(store.state.pinned).toEqual(["general/a"]);
    store.readList(list(conversation("a", "Newest")), store.arrivalsNow());
    expect(titles()).toEqual(["Newest"]);
    expect(store.state.pinned).toEqual([]);
  });
});
