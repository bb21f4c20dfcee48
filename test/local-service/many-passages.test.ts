/** Full-text search among so many passages that scoring them all would take long. */
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../src/local-service/answering/question.ts";
import { openStore } from "../../src/local-service/storage/store.ts";

const count = 4_000;

function storeOfMany() {
  const store = openStore(":memory:", () => 0);
  const base = store.bases.create("many", {})?.id ?? 0;
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `row-${at}`,
    content: `Harbour lantern ferry number ${at}.${at % 2 === 0 ? " Painted green." : ""}`,
  }));
  rows.push({ id: "rare", content: "The harbour ferry carries a walrus." });
  store.passages.insert(base, rows);
  const find = (question: string) => store.passages.search([base], readQuestion([{ question, answer: "" }]), 5);
  return { find, close: store.close };
}

describe("a search among many passages", () => {
  it("finds the passage that has the rare word, and yields to everything else in between", async () => {
    const { find, close } = storeOfMany();
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
    const { find, close } = storeOfMany();

    const green = await find("green ferry");
    const all = await find("harbour lantern ferry");

    expect(green.map(({ content }) => content.includes("green"))).toEqual([true, true, true, true, true]);
    expect(all).toHaveLength(5);
    close();
  });
});
