/** Two people on the page, in two browsers: names, one's own tools, signing out, and a session that ends. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { privateChannelOf } from "../../../adapters/console/channels/reading.ts";
import { noOverview } from "../../doubles/nulls/no-overview.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import * as documents from "../documents.ts";
import { none } from "../scripted-console.ts";
import { ask, boxOf, useBrowser } from "./browser.ts";

const tokens = { token: "a-token-to-manage-with", guestToken: "a-token-to-ask-with" };

async function signIn(page: Page, token: string, name: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  // The page's scripts draw it: before that, nothing that is typed is sent.
  await page.locator(".me").waitFor({ state: "attached" });
}

const idOf = (page: Page) => page.evaluate<string>("fetch('/api/me').then((r) => r.json()).then(({ id }) => id)");

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core")), "utf8");

async function seriousFindings(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  const found: unknown = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id]))",
  );
  return (found as [string, string][]).filter(([impact]) => impact === "serious" || impact === "critical");
}

describe.skipIf(isChromiumMissing)("people on the page", () => {
  const { start, open } = useBrowser();

  /** In a browser behind a proxy that says who it is. */
  async function openAs(name: string, url: string, hash = ""): Promise<Page> {
    const page = await open();
    await page.context().setExtraHTTPHeaders({ "x-user": name });
    await page.goto(`${url}/${hash}`);
    await page.reload();
    await page.locator(".me").waitFor({ state: "attached" });
    return page;
  }

  it("see who wrote what, and have tools for their own questions alone", async () => {
    await start(tokens);
    const ana = await open();
    await signIn(ana, tokens.guestToken, "Ana Alonso");
    await ask(ana, "How long do refunds take?");
    await ana.getByRole("article", { name: "Your question" }).waitFor();
    const address = ana.url();

    const ben = await open({ isOther: true });
    await signIn(ben, tokens.guestToken, "Ben");
    await ben.goto(address);
    const question = ben.getByRole("article", { name: "Ana Alonso’s question" });
    await question.waitFor();

    expect(await question.textContent()).toContain("unverified");
    expect(await question.getByRole("button").count()).toBe(0);
    expect(await ana.getByRole("button", { name: "Edit your question" }).count()).toBe(1);
    expect(await ben.locator(".me").textContent()).toContain("Ben");
    expect(await seriousFindings(ben)).toEqual([]);
  });

  it("keep what they typed when their session ends, and continue after signing in again in another tab", async () => {
    const scripted = await start(tokens);
    const page = await open();
    await signIn(page, tokens.guestToken, "Ana");
    await boxOf(page).fill("Half a question");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    for await (const [key] of scripted.state.keyValue("console-sessions").entries("")) {
      await scripted.state.keyValue("console-sessions").delete(key);
    }

    await boxOf(page).press("Enter");
    await page.getByText("You're signed out.").waitFor();
    const [other] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "Sign in" }).click(),
    ]);
    await other.getByLabel("Token").fill(tokens.guestToken);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.locator(".me").waitFor({ state: "attached" });
    await page.bringToFront();
    await page.evaluate("dispatchEvent(new Event('focus'))");

    // Both tabs may send it, under the same id: then it is one question.
    const sent = () =>
      scripted.inbounds.flatMap((inbound) => (inbound.kind === "message" ? [[inbound.messageId, inbound.text]] : []));
    await expect.poll(() => Object.values(Object.fromEntries(sent()))).toEqual(["Half a question"]);
    await expect.poll(() => page.locator("#session").textContent()).toBe("");
  });

  it("leave nothing of theirs to the next person in the same browser", async () => {
    const { url } = await start(tokens);
    const page = await open();
    await signIn(page, tokens.token, "Ana");
    await boxOf(page).fill("My secret plan");

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You're signed out.").waitFor();
    expect(page.url()).toBe(`${url}/signed-out`);
    await page.context().clearCookies({ name: /^parley_browser/ });
    await signIn(page, tokens.guestToken, "Ben");

    expect(await boxOf(page).inputValue()).toBe("");
    expect(await page.locator(".me-name").textContent()).toBe("Ben");
  });

  it("see nothing of each other in two tabs of one browser, and what waits in one isn't sent by the other", async () => {
    const scripted = await start({
      ...tokens,
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "command") await inbound.reply.send(documents.steps, "private");
      },
    });
    const ana = await open();
    await ana.context().addInitScript(`{
      const post = BroadcastChannel.prototype.postMessage;
      BroadcastChannel.prototype.postMessage = function (event) {
        (window.relayed ??= []).push([this.name, JSON.stringify(event)]);
        return post.call(this, event);
      };
    }`);
    await ana.reload();
    await signIn(ana, tokens.guestToken, "Ana");
    const anasId = await idOf(ana);
    await boxOf(ana).fill("Ana's draft");
    const ben = await ana.context().newPage();
    await ben.goto(scripted.url);
    await ana.context().clearCookies();
    await ben.reload();
    await signIn(ben, tokens.token, "Ben");
    const bensId = await idOf(ben);
    await ask(ben, "Ben's question");
    await ben.getByRole("article", { name: "Your question" }).waitFor();
    await ask(ben, "/agent list");
    await ben.getByText("Only you can see this").waitFor();

    // Her tab is still open, and its cookie is his now.
    await boxOf(ana).press("Enter");
    await ana.getByText("You're signed out.").waitFor();

    expect(anasId).not.toBe(bensId);
    expect(await boxOf(ben).inputValue()).toBe("");
    expect(await ana.getByText("Only you can see this").count()).toBe(0);
    const texts = scripted.inbounds.flatMap((inbound) => (inbound.kind === "message" ? [inbound.text] : []));
    expect(texts).toEqual(["Ben's question"]);
    for (const [page, id] of [
      [ana, anasId],
      [ben, bensId],
    ] as const) {
      const relayed = (await page.evaluate("window.relayed ?? []")) as [string, string][];
      expect(relayed.filter(([name]) => !name.includes(id))).toEqual([]);
      expect(relayed.filter(([, event]) => /steps|draft/i.test(event))).toEqual([]);
    }

    // Whoever is there now gets a page of their own, and hers waits for her.
    await ana.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => ana.locator(".me-name").textContent()).toBe("Ben");
    expect(await boxOf(ana).inputValue()).toBe("");
  });

  it("create a token that is shown once, and revoke it", async () => {
    const scripted = await start({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
    const page = await openAs("ana", scripted.url);
    const dialog = page.getByRole("dialog");
    const create = dialog.getByRole("button", { name: "Create" });

    await page.getByRole("button", { name: "Tokens" }).click();
    await create.click();
    await dialog.getByText("Write what it is for.").waitFor();
    await dialog.getByLabel("New token").fill("Claude on my laptop");
    await create.click();
    await dialog.getByText(/^parley_/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Tokens" }).click();
    await dialog.getByText("Claude on my laptop").waitFor();
    expect(await dialog.textContent()).not.toContain("parley_");
    await dialog.getByRole("button", { name: "Revoke Claude on my laptop" }).click();

    await dialog.getByText("You have no tokens.").waitFor();
  });

  it("begin a conversation that only they read, unless they choose a channel, and see who reads it before", async () => {
    const scripted = await start({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
    const page = await openAs("ana", scripted.url);
    const readers = page.locator("#readers");
    const channels = () => scripted.inbounds.map(({ place }) => place.channel);
    const own = privateChannelOf("ana");

    await expect.poll(() => readers.textContent()).toContain("Only you can read it.");
    expect(await seriousFindings(page)).toEqual([]);
    await ask(page, "Only for me?");
    await expect.poll(channels).toEqual([own]);
    await expect.poll(() => readers.isVisible()).toBe(false);

    await page.getByRole("link", { name: "New conversation" }).click();
    await boxOf(page).fill("For everyone?");
    await readers.getByLabel("New conversation in").selectOption("# random");
    await expect.poll(() => readers.textContent()).toContain("Everyone who signs in here can read it.");
    expect(await boxOf(page).inputValue()).toBe("For everyone?");
    await boxOf(page).press("Enter");
    await expect.poll(channels).toEqual([own, "random"]);

    await page.locator("#channels").getByRole("link", { name: "random" }).click();
    await ask(page, "Chosen in the list?");
    await expect.poll(channels).toEqual([own, "random", "random"]);
    await page.getByRole("article", { name: "Your question" }).waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    await expect.poll(() => readers.textContent()).toContain("Only you can read it.");
    expect(await boxOf(page).inputValue()).toBe("");
  });

  it("are told that people who manage read it too, where LOG_PRIVATE is on", async () => {
    const behindProxy = { userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] };
    const scripted = await start({ ...behindProxy, overview: { ...noOverview, showsPrivate: true } });
    const page = await openAs("ana", scripted.url);

    const said = "Only you and those who manage Parley can read it.";
    await expect.poll(() => page.locator("#readers").textContent()).toContain(said);
  });

  it("land in their own channel when they delete a conversation that others can read", async () => {
    const scripted = await start({ userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] });
    const page = await openAs("ana", scripted.url, "#/general");
    await ask(page, "For everyone?");
    await expect.poll(() => scripted.inbounds.map(({ place }) => place.channel)).toEqual(["general"]);
    const conversations = page.locator("#conversations");

    await conversations.getByRole("button", { name: "Options for For everyone?" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();

    await expect.poll(() => page.locator("#readers").textContent()).toContain("Only you can read it.");
  });

  it("see who reads a new conversation also as guests of a shared token, who have no channel of their own", async () => {
    const scripted = await start(tokens);
    const page = await open({ width: 360 });
    await signIn(page, tokens.guestToken, "Ana");

    await expect
      .poll(() => page.locator("#readers").textContent())
      .toContain("Everyone who signs in here can read it.");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await ask(page, "For everyone?");

    await expect.poll(() => scripted.inbounds.map(({ place }) => place.channel)).toEqual(["general"]);
  });

  it.each([
    { width: 360, colorScheme: "dark" as const },
    { width: 1400, colorScheme: "light" as const },
  ])("sign in on a page that everyone can use, at $width px, $colorScheme", async ({ width, colorScheme }) => {
    await start({
      ...tokens,
      provider: { issuer: "http://127.0.0.1:9/realms/acme", clientId: "parley", clientSecret: "secret" },
    });
    const page = await open({ width, colorScheme });

    expect(await page.getByRole("link", { name: "Sign in with 127.0.0.1:9" }).count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
