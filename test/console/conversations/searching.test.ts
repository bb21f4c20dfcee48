import { describe, expect, it, onTestFinished } from "vitest";
import { conversationsIn } from "../../../adapters/console/conversations/listing.ts";
import { excerptOf, fold, marked, wordsOf } from "../../../src/core/text/folding.ts";
import { until } from "../../doubles/until.ts";
import { event, requestsTo } from "../requests.ts";
import { startScriptedConsole } from "../scripted-console.ts";
import { openWholePage, type WholePage } from "../whole-page.ts";

type Piece = { readonly text: string; readonly isFound: boolean };
type Found = {
  readonly thread: string;
  readonly messageId?: string;
  readonly title: Piece[];
  readonly excerpt: Piece[];
};
type Result = { readonly found: readonly Found[]; readonly next?: string };

async function search(page: WholePage, query: string, before?: string): Promise<Result> {
  const asked = new URLSearchParams(before === undefined ? { q: query } : { q: query, before });
  return (await page.request(`/api/search?${asked}`)).body;
}
const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("");
const markedOf = (pieces: readonly Piece[]) => pieces.filter(({ isFound }) => isFound).map(({ text }) => text);
const finds = async (page: WholePage, query: string, thread: string) =>
  (await search(page, query)).found.some((found) => found.thread === thread);

async function answer(page: WholePage, index: number, question: string, text: string, thread?: string) {
  const id = await page.ask(question, thread === undefined ? {} : { thread });
  (await page.agents.run(index)).answer(text);
  await page.idle();
  return thread ?? id;
}

describe("a search", () => {
  it("finds a conversation by its title, its questions and its answers, and opens at the message", async () => {
    const page = await openWholePage();
    const thread = await answer(
      page,
      0,
      "Which plan has single sign-on?",
      "The **Enterprise** plan, since [June](https://example.com/tariffs).",
    );
    const second = await page.ask("Who may switch it on?", { thread });
    (await page.agents.run(1)).answer("An administrator.");
    await page.idle();
    await until("it can be searched", () => finds(page, "administrator", thread));

    const [byQuestion] = (await search(page, "switch")).found;
    const [byAnswer] = (await search(page, "enterprise PLAN june")).found;

    expect(byQuestion).toMatchObject({ thread, messageId: second });
    expect(markedOf(byQuestion?.excerpt ?? [])).toEqual(["switch"]);
    expect(textOf(byAnswer?.excerpt ?? [])).toContain("The Enterprise plan, since June.");
    const [byAddress] = (await search(page, "tariffs")).found;
    expect(markedOf(byAddress?.excerpt ?? [])).toEqual(["tariffs"]);
    expect(markedOf(byAnswer?.excerpt ?? [])).toEqual(["Enterprise", "plan", "June"]);
    expect(markedOf(byAnswer?.title ?? [])).toEqual(["plan"]);
    expect((await search(page, "enterprise nowhere")).found).toEqual([]);
    expect((await search(page, "   ")).found).toEqual([]);
  });

  it("follows edits, names and deletions", async () => {
    const page = await openWholePage();
    const thread = await answer(page, 0, "Where is the oven?", "In the kitchen.");
    await until("it can be searched", () => finds(page, "kitchen", thread));
    const body = { id: "e1", tab: "t", channel: "general", thread, messageId: thread, text: "Where is the boiler?" };

    await page.request("/api/messages", { method: "PUT", body });
    (await page.agents.run(1)).answer("In the cellar.");
    await until("the new answer is found", () => finds(page, "cellar", thread));
    expect(await finds(page, "oven", thread)).toBe(false);
    await page.request(`/api/conversations/general/${thread}/title`, { method: "PUT", body: { title: "Heating" } });
    await until("the name is found", () => finds(page, "heating", thread));
    await page.request(`/api/conversations/general/${thread}`, { method: "DELETE", body: { id: "d1" } });

    expect((await search(page, "cellar")).found).toEqual([]);
    await until("its words are gone", async () => {
      for await (const _one of page.state.keyValue("console-texts").entries("local/")) return false;
      return true;
    });
  });

  it("ends a request after ten million characters, and continues where it ended", async () => {
    const page = await openWholePage();
    const count = 60;
    for (let index = 0; index < count; index += 1) {
      const key = `local/general/t${index}`;
      const lastOrder = String(index + 1).padStart(20, "0");
      await conversationsIn(page.state).put(key, {
        ...{ version: 1, channel: "general", thread: `t${index}`, title: `Title ${index}`, lastOrder },
        ...{ titleFrom: { kind: "question", id: "q" }, lastAtMs: Date.now() },
      });
      const text = index === 0 ? "needle" : "x".repeat(400_000);
      await page.state.keyValue("console-texts").set(key, { version: 1, parts: [{ text }], writers: [] });
    }

    const first = await search(page, "needle");
    const second = await search(page, "needle", first.next);

    expect(first).toMatchObject({ found: [] });
    expect(Number(first.next)).toBeGreaterThan(count / 4);
    expect(second.found).toMatchObject([{ thread: "t0" }]);
  });

  it("finds what a process noted and died before it had read it", async () => {
    const page = await openWholePage();
    const thread = await answer(page, 0, "Where is the oven?", "In the kitchen.");
    await until("it can be searched", () => finds(page, "kitchen", thread));
    const key = `local/general/${thread}`;
    await page.state.keyValue("console-texts").set(key, { version: 1, parts: [], writers: [] });
    const changed = page.state.keyValue("console-changed");
    await changed.set("local/note", { version: 1, key, atMs: Date.now() - 60_000 });

    const again = await openWholePage({}, page.state);

    await until("it is found again", () => finds(again, "kitchen", thread));
    await until("nothing is noted", async () => (await changed.get("local/note")) === undefined);
  });

  it("continues where a part of it ended", async () => {
    const scripted = await startScriptedConsole();
    onTestFinished(scripted.stop);
    const { get, send } = requestsTo(() => scripted);
    const count = 32;
    for (let number = 0; number < count; number += 1) {
      await send("POST", "/api/messages", event({ text: `Is oven ${number} on?` }));
    }

    await until("all are found, each once", async () => {
      const first: Result = await get("/api/search?q=oven");
      if (first.next === undefined) return false;
      const second: Result = await get(`/api/search?q=oven&before=${first.next}`);
      const threads = [...first.found, ...second.found].map(({ thread }) => thread);
      return threads.length === count && new Set(threads).size === count;
    });
  });
});

describe("folding", () => {
  it.each([
    ["straße", "STRASSE in Köln"],
    ["koln", "STRASSE in Köln"],
    ["ελλας", "ΕΛΛΆΣ"],
    ["ёж", "ЕЖ"],
    ["退货", "我们的退货政策是什么"],
    ["กาแฟ", "ร้านกาแฟอยู่ที่ไหน"],
    ["ｗｉｆｉ", "The Wi-Fi is WIFI"],
    ["cafe", "Cafe\u0301"],
  ])("finds %s in %s", (query, text) => {
    expect(fold(text)).toContain(wordsOf(query, 8)[0]);
    expect(textOf(marked(text, wordsOf(query, 8)))).toBe(text);
    expect(markedOf(marked(text, wordsOf(query, 8)))).not.toEqual([]);
  });

  it("marks whole characters, and cuts around the first word", () => {
    const text = `${"a ".repeat(200)}the 👩‍🚀 flies to München ${"b ".repeat(200)}`;

    const pieces = excerptOf(text, ["munchen"], 60);

    expect(markedOf(pieces)).toEqual(["München"]);
    expect([...textOf(pieces)].length).toBeLessThan(90);
    expect(textOf(pieces)).toMatch(/^….*…$/);
  });

  it("shows what is around a word that a long message says late", () => {
    const text = `${"İstanbul 搜索 😀\n ".repeat(8_000)}the Müller plan${" and more".repeat(9_000)}`;

    const pieces = excerptOf(text, ["muller"], 60);

    expect(markedOf(pieces)).toEqual(["Müller"]);
    expect(textOf(pieces)).toMatch(/^…[^\n]*😀 the Müller plan and more.*…$/u);
  });
});
