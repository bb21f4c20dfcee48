/** What people do on the admin pages, in Chromium: where they and the keyboard are afterwards, and what the page shows. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Action, Block } from "../../../src/core/document.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { GapLine } from "../../../src/overview/pages/gaps.ts";
import type { JobLine } from "../../../src/overview/pages/jobs.ts";
import type { DocumentLine } from "../../../src/overview/pages/knowledge.ts";
import type { ScheduleLine } from "../../../src/overview/pages/schedules.ts";
import { type Answers, answering, noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "./browser.ts";

const nowMs = Date.now();
const place = { platform: "console", workspace: "local", channel: "general" };
const gap = (id: string, question: string): GapLine => ({
  ...{
    id,
    key: `console/local/${id}`,
    platform: "console",
    workspace: "local",
    agent: "support",
    state: "open",
    place,
  },
  ...{ question, people: 3, createdAtMs: nowMs, lastAtMs: nowMs, thumbsDown: 1, signals: ["nothing"], merged: [] },
});
const documentOf = (id: string, more: Partial<DocumentLine> = {}): DocumentLine => ({
  ...{ id, title: `Page ${id}`, kind: "url", by: "Ana", addedAtMs: nowMs, readAtMs: nowMs, rows: 1, ...more },
});
const job: JobLine = {
  ...{ id: "j1", ref: "j1j1", place, startedIn: { platform: "console", name: "general" }, status: "running" },
  ...{ isWaiting: false, kind: "refresh", knowledgeBase: "handbook", first: "a page", items: 4, done: 1, failed: 0 },
  ...{ by: "Ana", createdAtMs: nowMs },
};
const schedule = (id: string, question: string): ScheduleLine => ({
  ...{
    id,
    place,
    name: { name: "general" },
    isDirect: false,
    kind: "question",
    question,
    time: "every Monday at 9:00",
  },
  ...{ timeZone: "UTC", isOnlyIfChanged: false, owner: "Mina", isPaused: false, nextAtMs: nowMs },
});

/** Shows `blocks` to whoever pressed. */
const answer = ({ reply }: Inbound, blocks: readonly Block[], actions: readonly Action[] = []) =>
  reply.send({ tone: "info", blocks, actions, summary: "" }, "private");
const text = (words: string): Block => ({ kind: "text", text: [{ text: words }] });

const focused = (page: Page) =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
const said = (page: Page) => page.getByRole("region", { name: "What Parley says" });

describe.skipIf(isChromiumMissing)("acting on the admin pages", () => {
  const { start, open } = useBrowser();

  async function openAt(path: string, answers: Answers, script: (inbound: Inbound) => Promise<void>) {
    const scripted = await start({ overview: { ...noOverview, pages: answering(answers) }, script });
    const page = await open();
    await page.goto(`${scripted.url}${path}`);
    return page;
  }

  it("leads from a gap that was merged to the one that it is part of now, and Back past it", async () => {
    const gaps = [gap("g1", "Do vouchers expire?"), gap("g2", "how long is a voucher valid")];
    const page = await openAt(
      "/admin/gaps",
      {
        gaps: () => ({ gaps, total: gaps.length }),
        "gaps/one": ({ input }) => {
          const found = gaps.find(({ key }) => key === (input as { readonly key: string }).key);
          return found === undefined ? undefined : { ...found, asked: [], hidden: 3 };
        },
      },
      async (inbound) => {
        gaps.pop();
        const undo: Action = { id: "gap-split", label: "Undo", value: "g1 g2", style: "plain" };
        await answer(inbound, [text("Merged.")], [undo]);
      },
    );
    await page.getByRole("link", { name: "how long is a voucher valid" }).click();
    await page.getByRole("button", { name: "Merge" }).click();

    await page.getByRole("heading", { name: "Do vouchers expire?" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/gaps/console/local/g1");
    await page.goBack();
    await page.getByText("1 open").waitFor();
  });

  it("does nothing on a page that someone left open once another person has signed in in the same browser", async () => {
    const tokens = { token: "a-token-to-manage-with" };
    const pages = answering({
      "gaps/one": () => ({ ...gap("g1", "Do vouchers expire?"), asked: [], hidden: 3 }),
    });
    const { url, inbounds } = await start({ ...tokens, overview: { ...noOverview, pages } });
    const signIn = async (page: Page, name: string) => {
      await page.goto(`${url}/admin/gaps/console/local/g1`);
      await page.getByLabel("Token").fill(tokens.token);
      await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(`${name} · manager`).waitFor();
      await page.getByRole("button", { name: "Dismiss" }).waitFor();
    };
    const ana = await open();
    await signIn(ana, "Ana");
    await ana.context().clearCookies();
    await signIn(await ana.context().newPage(), "Ben");

    await ana.getByRole("button", { name: "Dismiss" }).click();

    await ana.getByText("Ben · manager").waitFor();
    expect(inbounds).toEqual([]);
  });

  it("leaves no buttons of the page before beside what went wrong", async () => {
    let isThere = true;
    const page = await openAt(
      "/admin/gaps/console/local/g1",
      {
        "gaps/one": () => (isThere ? { ...gap("g1", "Do vouchers expire?"), asked: [], hidden: 3 } : undefined),
      },
      async (inbound) => {
        isThere = false;
        await answer(inbound, [text("Dismissed.")]);
      },
    );
    await page.getByRole("button", { name: "Dismiss" }).click();

    await page.getByText("This question is no longer in the list").waitFor();
    expect(await page.getByRole("button", { name: "Add the answer" }).count()).toBe(0);
  });

  it("draws Markdown that Parley says as it does in chat", async () => {
    const page = await openAt(
      "/admin/gaps/console/local/g1",
      { "gaps/one": () => ({ ...gap("g1", "Do they?"), asked: [], hidden: 3 }) },
      (inbound) => answer(inbound, [{ kind: "markdown", text: "> **three years** <img src=x>" }]),
    );
    await page.getByRole("button", { name: "Add the answer" }).click();

    await said(page).locator("blockquote strong", { hasText: "three years" }).waitFor();
    expect(await said(page).locator("img, pre").count()).toBe(0);
  });

  it("counts documents and shows the jobs that run, without another press", async () => {
    const documents = [documentOf("one"), documentOf("two"), documentOf("three")];
    let jobs: readonly JobLine[] = [];
    const page = await openAt(
      "/admin/knowledge/mindsdb/handbook",
      {
        "knowledge/documents": () => ({
          base: { project: "mindsdb", name: "handbook", ref: "handbook", documents: documents.length, problems: 0 },
          documents,
        }),
        "knowledge/jobs": () => ({ jobs: [...jobs] }),
      },
      async (inbound) => {
        if (inbound.kind === "action" && inbound.action === "remove-document") documents.pop();
        else jobs = [job, { ...job, id: "j2", knowledgeBase: "other" }];
        await answer(inbound, [text("Done.")]);
      },
    );
    await page.getByText("3 documents").waitFor();
    await page.getByRole("button", { name: "Remove Page three" }).click();
    await page.getByText("2 documents").waitFor();
    await page.getByRole("button", { name: "Refresh all" }).click();

    await page.getByRole("progressbar").waitFor();
    expect(await page.getByText("Refreshing").count()).toBe(1);
  });

  it("offers to remove a page that the service has read, where Parley says what to do first", async () => {
    const { rows: _rows, ...unknown } = documentOf("one");
    const page = await openAt(
      "/admin/knowledge/mindsdb/handbook",
      {
        "knowledge/documents": () => ({
          base: { project: "mindsdb", name: "handbook", ref: "handbook", documents: 1, problems: 0 },
          documents: [unknown],
        }),
      },
      (inbound) => answer(inbound, [text("Refresh it first.")]),
    );
    await page.getByRole("button", { name: "Remove Page one" }).click();
    await said(page).getByText("Refresh it first.").waitFor();
  });

  it("brings the keyboard to a question of Parley's, and back with Escape", async () => {
    const page = await openAt(
      "/admin/knowledge/mindsdb/handbook",
      {
        "knowledge/documents": () => ({
          base: { project: "mindsdb", name: "handbook", ref: "handbook", documents: 2, problems: 0 },
          documents: [documentOf("one"), documentOf("two")],
        }),
      },
      (inbound) =>
        answer(inbound, [text("Remove it?")], [{ id: "confirm", label: "Yes, remove it", value: "", style: "danger" }]),
    );
    await page.getByRole("button", { name: "Remove Page two" }).press("Enter");
    await expect.poll(() => focused(page)).toBe("What Parley says");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Yes, remove it");

    await page.keyboard.press("Escape");
    await said(page).waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Remove Page two");
  });

  it("deletes someone's schedule after a question only, and keeps the keyboard's place in the list", async () => {
    const schedules = [schedule("s1", "How many arrivals?"), schedule("s2", "Which trials end?")];
    const page = await openAt(
      "/admin/schedules",
      { schedules: () => ({ schedules: [...schedules] }) },
      async (inbound) => {
        schedules.shift();
        await answer(inbound, [text("The schedule is deleted.")]);
      },
    );
    const remove = page.getByRole("button", { name: "Delete How many arrivals?" });
    await remove.press("Enter");
    await page.getByRole("dialog").getByText("How many arrivals? (every Monday at 9:00, by Mina)").waitFor();
    await page.keyboard.press("Escape");
    // It is hidden, and so without a role, a moment before it says that it was closed.
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(schedules).toHaveLength(2);

    await remove.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await remove.waitFor({ state: "detached" });
    expect(schedules).toHaveLength(1);
    await expect.poll(() => focused(page)).toBe("Delete Which trials end?");
  });

  it("says in the form of instructions whose they are, and returns to the button after Save", async () => {
    const channels = [{ place, name: "general", isDirect: false, mode: "thread" as const }];
    const page = await openAt(
      "/admin/agents",
      { agents: () => ({ channels, agents: [], tokens: [], knowledgeBases: [], canChange: false }) },
      async (inbound) => {
        const field = { name: "text", label: "Instructions", isRequired: false, type: "multiline" } as const;
        const form = {
          id: "agent instructions",
          title: "Instructions",
          submitLabel: "Save",
          fields: [field],
          context: "",
        };
        if (inbound.kind === "form") await answer(inbound, [text("Saved.")]);
        else await inbound.ack({ kind: "form", form });
      },
    );
    await page.getByRole("button", { name: "Instructions of general" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Instructions of # general" });
    await dialog.getByRole("textbox").fill("Be brief.");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");

    await said(page).getByText("Saved.").waitFor();
    await expect.poll(() => focused(page)).toBe("Instructions of general");
  });

  it("makes the page for conversations no longer than the window", async () => {
    const page = await openAt("/", {}, async () => {});
    await page.getByLabel("Message", { exact: true }).waitFor();
    const spare = "document.documentElement.scrollHeight - innerHeight";
    expect(await page.evaluate(spare)).toBe(0);
  });
});
