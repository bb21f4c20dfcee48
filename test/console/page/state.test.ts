import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createState } from "../../../adapters/console/page/state.ts";
import type { ConversationSummary } from "../../../adapters/console/writing/messages.ts";

beforeEach(() => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

const conversation = (thread: string, title: string): ConversationSummary => ({
  ...{ version: 1, channel: "general", thread, title, lastOrder: "1" },
  titleFrom: { kind: "person", actorId: "you" },
});
const list = (...conversations: readonly ConversationSummary[]) => ({
  channels: [{ id: "general", name: "general" }],
  conversations,
  pinned: [],
  you: { id: "you", role: "manage" as const },
});

describe("what arrives while the list is being read", () => {
  it("is newer than the list: names, deletions and pins stay, and the next list counts again", () => {
    const store = createState();
    const titles = () => [...store.state.conversations.values()].map(({ title }) => title);
    store.readList(list(conversation("a", "Old"), conversation("b", "Deleted")), store.arrivalsNow());
    const since = store.arrivalsNow();
    store.receive({ type: "conversation", conversation: conversation("a", "New") });
    store.receive({ type: "conversation-removed", channel: "general", thread: "b" });
    store.receive({ type: "pinned", personId: "you", channel: "general", thread: "a", isPinned: true });

    store.readList(list(conversation("a", "Old"), conversation("b", "Deleted"), conversation("c", "Other")), since);

    expect(titles()).toEqual(["New", "Other"]);
    expect(store.state.pinned).toEqual(["general/a"]);
    store.readList(list(conversation("a", "Newest")), store.arrivalsNow());
    expect(titles()).toEqual(["Newest"]);
    expect(store.state.pinned).toEqual([]);
  });
});
