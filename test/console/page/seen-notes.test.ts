import { afterEach, beforeEach, expect, it, vi } from "vitest";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The module as a page has it after it was loaded. */
async function load(): Promise<(event: { readonly key: string }) => boolean> {
  vi.resetModules();
  const { isNewNote } = await import("../../../adapters/console/page/connection/seen-notes.ts");
  return isNewNote;
}

it("takes each private answer once, also after a reload and from other instances", async () => {
  const before = await load();
  expect([{ key: "a" }, { key: "b" }, { key: "a" }].map(before)).toEqual([true, true, false]);

  const after = await load();

  expect([{ key: "a" }, { key: "b" }, { key: "c" }].map(after)).toEqual([false, false, true]);
});

it("remembers the newest hundred", async () => {
  const isNew = await load();
  for (let count = 0; count <= 100; count += 1) isNew({ key: `n${count}` });

  expect(JSON.parse([...stored.values()][0] ?? "[]")).toHaveLength(100);
  expect([{ key: "n1" }, { key: "n0" }].map(isNew)).toEqual([false, true]);
});

it("works where the browser's storage is blocked", async () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked });
  const isNew = await load();

  expect([{ key: "a" }, { key: "a" }].map(isNew)).toEqual([true, false]);
});
