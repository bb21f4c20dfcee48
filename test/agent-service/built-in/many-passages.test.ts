/** Full-text search among so many passages that scoring them all would take long. */
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";

const count = 4_000;

async function storeOfMany() {
  const store = openStore(":memory:", () => 0);
  const base = store.bases.create("many", {})?.id ?? 0;
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `row-${at}`,
    content: `Harbour lantern ferry number ${at}.${at % 2 === 0 ? " Painted green." : ""}`,
  }));
  rows.push({ id: "rare", content: "The harbour ferry carries a walrus." });
  await store.passages.insert(base, rows);
  const find = (question: string) => store.passages.search([base], readQuestion([{ question, answer: "" }]), 5);
  return { find, close: store.close };
}

describe("a search among many passages", () => {
  it("finds the passage that has the rare word, and yields to everything else in between", async () => {
    const { find, close } = await storeOfMany();
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    })();

    const [first, ...rest] = await find("Which harbour ferry with a lantern carries the walrus?");
    isOver = true;
    await others;

    expect(first?.rowId).toBe("rare");
    expect(rest).toEqual([]);
    expect(turns).toBeGreaterThan(3);
    close();
  });

  it("still finds passages by words that many of them have", async () => {
    const { find, close } = await storeOfMany();

    const green = await find("green ferry");
    const all = await find("harbour lantern ferry");

    expect(green.map(({ content }) => content.includes("green"))).toEqual([true, true, true, true, true]);
    expect(all).toHaveLength(5);
    close();
  });
});

describe("a large document", () => {
  const sections = (word: string) =>
    Array.from({ length: 450 }, (_, at) => `## Part ${at}\n\nThe ${word} of part ${at} is number${at}.`).join("\n\n");

  function emptyStore() {
    const store = openStore(":memory:", () => 0);
    const base = store.bases.create("large", {})?.id ?? 0;
    const insert = (word: string) => store.passages.insert(base, [{ id: "doc", content: sections(word) }]);
    const count = () => store.passages.list(base, 10_000).length;
    const find = (question: string) => store.passages.search([base], readQuestion([{ question, answer: "" }]), 5);
    return { ...store, base, insert, count, find };
  }

  it("is inserted with everything else in between, and is whole in the end", async () => {
    const { insert, count, find, close } = emptyStore();
    const seen: number[] = [];
    let isOver = false;
    const others = (async () => {
      for (; !isOver; seen.push(count())) await new Promise((resolve) => setImmediate(resolve));
    })();

    await insert("lantern");
    isOver = true;
    await others;

    expect(new Set(seen).size).toBeGreaterThan(3);
    expect(count()).toBe(450);
    expect((await find("Which lantern is number449?"))[0]?.content).toContain("Part 449");
    close();
  });

  it("replaces itself, also where two versions come at the same moment: the later one stays whole", async () => {
    const { insert, count, find, close } = emptyStore();

    await Promise.all([insert("lantern"), insert("walrus")]);

    expect(count()).toBe(450);
    expect(await find("lantern")).toEqual([]);
    expect(await find("walrus")).toHaveLength(5);
    close();
  });

  it("is gone whole when it is deleted while it is being inserted", async () => {
    const { base, passages, insert, count, close } = emptyStore();

    const inserted = insert("lantern");
    await new Promise((resolve) => setImmediate(resolve));
    expect(count()).toBeGreaterThan(0);
    await Promise.all([inserted, passages.deleteRows(base, ["doc"])]);

    expect(count()).toBe(0);
    close();
  });

  it("of which a crash left a part is whole when it is inserted again", async () => {
    const { base, passages, insert, count, close } = emptyStore();
    await passages.insert(base, [{ id: "doc", content: sections("lantern").slice(0, 9_000) }]);

    await insert("walrus");

    expect(count()).toBe(450);
    close();
  });

  it("goes with its knowledge base, and what is added meanwhile finds none", async () => {
    const { base, bases, passages, insert, count, close } = emptyStore();
    await insert("lantern");

    const deleted = passages.deleteAll(base, () => bases.remove(base));
    const late = passages.insert(base, [{ id: "late", content: "Too late." }]);

    await deleted;
    await expect(late).rejects.toThrow();
    expect(count()).toBe(0);
    expect(bases.get("large")).toBeUndefined();
    close();
  });
});
