import { mkdir, writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import * as documents from "../documents.ts";
import { none } from "../scripted-console.ts";
import { ask, boxOf, useBrowser } from "./browser.ts";

const markdown = (text: string): Document => ({ ...documents.answered, blocks: [{ kind: "markdown", text }] });

const newTab = (page: Page) => page.context().newPage();

describe.skipIf(isChromiumMissing)("the page", () => {
  const { start, open, inboundOf, placeOfQuestion } = useBrowser();

  it("takes a question as soon as it is open, shows it at once, its steps in one message, then the answer with its sources", async () => {
    const scripted = await start();
    const page = await open();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("box");

    await ask(page, "Which plan includes SSO?");
    await page.getByText("Which plan includes SSO?").first().waitFor();
    const place = await placeOfQuestion();
    for (const steps of [1, 2, 3] as const) {
      await scripted.show(place, "t1", documents.running(steps));
      await page
        .locator(".step")
        .nth(steps - 1)
        .waitFor();
    }
    await page.evaluate(`document.querySelector(".is-parley").dataset.same = "yes"`);
    await scripted.show(place, "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();

    expect(await page.locator(".is-parley").count()).toBe(1);
    expect(await page.locator(".is-parley[data-same]").count()).toBe(1);
    expect(await page.locator(".step").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    const source = page.locator(".sources").getByRole("link", { name: "Plans and prices" });
    expect(await source.getAttribute("href")).toBe("https://docs.example.com/plans");
    expect(await source.getAttribute("rel")).toContain("noopener");
    expect(await page.locator(".sources").textContent()).toContain("docs.example.com");
    expect(await page.locator(".cite").first().getAttribute("href")).toBe("https://docs.example.com/plans");
  });

  it("shows the passage behind a source on hover, on focus and on touch, and Escape hides it", async () => {
    const scripted = await start();
    const page = await open({ width: 360 });
    await ask(page, "Which plan includes SSO?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    const number = page.locator(".sources").getByRole("button", { name: "[1]" });
    const passage = page.locator(".passage");

    for (const show of [() => number.focus(), () => number.hover(), () => page.locator(".cite").first().hover()]) {
      await show();
      await expect.poll(() => passage.textContent()).toContain("Single sign-on is included in Business");
      expect(await passage.isVisible()).toBe(true);
      const { x = -1, width = 0 } = (await passage.boundingBox()) ?? {};
      expect([x >= 0, x + width <= 360]).toEqual([true, true]);
      await page.keyboard.press("Escape");
      expect(await passage.isVisible()).toBe(false);
      await boxOf(page).focus();
      await page.mouse.move(5, 5);
    }
    expect(await number.getAttribute("aria-description")).toContain("Single sign-on is included");
    expect(await page.locator(".sources").getByRole("button", { name: "[2]" }).count()).toBe(0);
  });

  it("says where a source leads once, also if its title is its address", async () => {
    const scripted = await start();
    const page = await open({ width: 360 });
    await ask(page, "Which plan includes SSO?");
    const sources = [
      {
        number: 1,
        title: "gift-cards · help.example.com (from March 2024)",
        url: "https://help.example.com/gift-cards",
      },
      { number: 2, title: "help.example.com", url: "https://help.example.com/" },
      { number: 3, title: "bank.example · not help.example.com.evil", url: "https://help.example.com/" },
    ];
    const blocks = [{ kind: "sources" as const, sources }];
    await scripted.show(await placeOfQuestion(), "t1", { ...documents.answered, blocks });
    await page.locator(".sources li").nth(2).waitFor();

    expect((await page.locator(".sources li").allTextContents()).map((line) => line.replace(/\s+/g, " "))).toEqual([
      "[1] gift-cards · help.example.com (from March 2024)",
      "[2] help.example.com",
      "[3] bank.example · not help.example.com.evilhelp.example.com",
    ]);
  });

  it("replaces the choice of another agent by what was chosen", async () => {
    const choice: Document = {
      ...{ tone: "info", summary: "Which agent?", blocks: [{ kind: "headline", text: [{ text: "Which agent?" }] }] },
      actions: [{ id: "ask-another", label: "sales", value: "t1 sales", style: "plain" }],
    };
    const asked: Document = {
      ...choice,
      blocks: [{ kind: "text", text: [{ text: "Asked sales too." }] }],
      actions: [],
    };
    const scripted = await start({
      script: async (inbound) => {
        if (inbound.kind !== "action") return;
        await inbound.ack(none);
        await inbound.reply.send(inbound.action === "ask-another" ? asked : choice, "private");
      },
    });
    const page = await open({ width: 360 });
    await ask(page, "Which plan includes SSO?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);

    await page.getByRole("button", { name: "Ask another agent" }).click();
    await page.getByRole("button", { name: "sales" }).click();
    await page.getByRole("region", { name: "What Parley says" }).getByText("Asked sales too.").waitFor();

    await page.getByText("Which agent?").waitFor({ state: "detached" });
    expect(await page.locator(".private").count()).toBe(0);
  });

  it("says which agent answered, and copies the answer with its sources", async () => {
    const scripted = await start();
    const page = await open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await ask(page, "Which plan includes SSO?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.queued);
    await page.locator(".is-parley .who", { hasText: "Parley" }).waitFor();
    await scripted.show(place, "t1", documents.answered);
    await page.locator(".is-parley .who", { hasText: "product_guide" }).waitFor();

    const copyButtons = page.locator('.message > .actions [data-action="copy"]').filter({ visible: true });
    expect(await copyButtons.allTextContents()).toEqual(["Copy"]);
    await copyButtons.click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));

    expect(copied).toContain("Single sign-on is part of the **Business** plan");
    expect(copied).toContain("| Business | 250 | yes |");
    expect(copied).toContain("[1] Plans and prices https://docs.example.com/plans");
  });

  it("keeps every step when there are more than six", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Long?");
    const place = await placeOfQuestion();
    const [headline, ...rest] = documents.running(1).blocks;
    const line = (index: number) => ({ state: "done" as const, title: [{ text: `S${index}` }] });
    for (let count = 1; count <= 9; count += 1) {
      const steps = Array.from({ length: Math.min(count, 5) }, (_, index) => line(count - Math.min(count, 5) + index));
      const earlier = count - steps.length;
      const blocks = headline === undefined ? [] : [headline, { kind: "steps" as const, earlier, steps }];
      await scripted.show(place, "t1", { ...documents.running(1), blocks: [...blocks, ...rest.slice(1)] });
      await page.locator(".step-title", { hasText: `S${count - 1}` }).waitFor();
    }

    expect(await page.locator(".step-title").allTextContents()).toEqual(["S4", "S5", "S6", "S7", "S8"]);
    expect(await page.getByText("4 earlier steps").count()).toBe(1);
  });

  it("says that an answer is being written, once its steps are done and until its first words", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Which plan?");
    const place = await placeOfQuestion();
    const writing = page.getByText("Writing the answer…");
    await scripted.show(place, "t1", documents.running(2));
    await page.locator(".step").nth(1).waitFor();
    expect(await writing.count()).toBe(0);

    const { blocks } = documents.running(3);
    const done = blocks.map((block) => (block.kind === "steps" ? { ...block, steps: block.steps.slice(0, 2) } : block));
    await scripted.show(place, "t1", { ...documents.running(3), blocks: done });
    await writing.waitFor();

    await scripted.show(place, "t1", documents.answered);
    await writing.waitFor({ state: "detached" });
  });

  it("has an answer's words once, in a live region that was there before they came", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Which plan?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.running(2));
    await page.locator(".step").nth(1).waitFor();
    const region = page.locator('.is-parley [aria-live="polite"]');
    expect(await region.textContent()).toBe("");
    await page.evaluate(`{
      globalThis.insertions = 0;
      new MutationObserver((changes) => {
        const inserted = changes.flatMap((change) => [...change.addedNodes]);
        globalThis.insertions += inserted.filter((added) => added.textContent.includes("Single sign-on")).length;
      }).observe(document.querySelector(".is-parley [aria-live]"), { childList: true, subtree: true });
    }`);

    await scripted.show(place, "t1", documents.answered);
    await page.getByText("Single sign-on is part of").waitFor();
    await scripted.show(place, "t1", { ...documents.answered, actions: [] });
    await page.locator(".actions button").first().waitFor({ state: "detached" });

    expect(await page.evaluate("insertions")).toBe(1);
    const words = await page.evaluate(`document.body.textContent.split("Single sign-on is part of").length`);
    expect(words).toBe(2);
  });

  it("presses Stop, Try again and thumbs for the Turn that they belong to", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "Long?");
    const place = await placeOfQuestion();
    await scripted.show(place, "t1", documents.running(1));

    await page.getByRole("button", { name: "Stop" }).click();
    await expect
      .poll(() => inboundOf("action"))
      .toMatchObject({ action: "stop", value: "t1", messageId: "t1.0", place });
    await scripted.show(place, "t1", documents.failed);
    await page.getByRole("button", { name: "Try again" }).click();
    await scripted.show(place, "t1", documents.answered);
    await page.getByRole("button", { name: "Good answer" }).click();
    await page.locator('[data-action="thumb-up"][aria-pressed="true"]').waitFor();

    const pressed = scripted.inbounds.flatMap((inbound) => (inbound.kind === "action" ? [inbound.action] : []));
    expect(pressed).toEqual(["stop", "retry", "thumb-up"]);
  });

  it("shows steps privately under the answer, in this tab alone, until they are hidden", async () => {
    const scripted = await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "action") await inbound.reply.send(documents.steps, "private");
      },
    });
    const page = await open();
    await ask(page, "Which plan?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText("Single sign-on is part of").waitFor();

    // A click waits for frames, of which a tab in the background draws few.
    await page.bringToFront();
    await page.getByRole("button", { name: "Show steps" }).click();
    await page.getByText("Only you can see this").waitFor();

    await page.getByText("SELECT chunk_content").waitFor();
    expect(await other.getByText("Only you can see this").count()).toBe(0);
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    expect(await page.getByText("SELECT chunk_content").count()).toBe(0);
    await page.getByRole("button", { name: "Show steps" }).click();
    await page.getByText("SELECT chunk_content").waitFor();
    await page.getByRole("button", { name: "Hide steps", expanded: true }).click();
    await page.getByText("SELECT chunk_content").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show steps", expanded: false }).waitFor();
  });

  it("keeps all tabs equal, also where the browser has no event streams, or a proxy refuses or holds them back", async () => {
    const scripted = await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "command") await inbound.reply.send(documents.steps, "private");
      },
    });
    const page = await open();
    await ask(page, "From the first tab");
    const place = await placeOfQuestion();
    await page.waitForURL(/#\/general\/.+/);
    const tabs = { without: await newTab(page), held: await newTab(page), refused: await newTab(page) };
    await tabs.without.addInitScript("delete window.EventSource");
    await tabs.held.route("**/api/events?*", () => {});
    await tabs.refused.route("**/api/events?*", (route) => route.fulfill({ status: 502 }));
    for (const tab of [tabs.held, tabs.refused]) await tab.clock.install();
    for (const tab of Object.values(tabs)) await tab.goto(page.url());
    await tabs.without.locator(".question-text").waitFor();
    for (const tab of [tabs.held, tabs.refused]) {
      await expect
        .poll(async () => {
          await tab.clock.runFor(1_000);
          return tab.locator(".question-text").count();
        })
        .toBe(1);
    }

    await ask(tabs.without, "From the second tab");
    await scripted.show(place, "t1", documents.failed);
    await ask(tabs.without, "/agent list");

    await tabs.without.getByText("Only you can see this").waitFor();
    for (const tab of [page, ...Object.values(tabs)]) {
      await expect
        .poll(async () => {
          if (tab === tabs.held || tab === tabs.refused) await tab.clock.runFor(1_000);
          return [await tab.locator(".question-text").allTextContents(), await tab.getByText("didn't answer.").count()];
        })
        .toEqual([["From the first tab", "From the second tab"], 1]);
      expect(await tab.getByText("Only you can see this").count()).toBe(tab === tabs.without ? 1 : 0);
      expect(await tab.locator("#connection").textContent()).toBe("");
    }
    await page.context().setOffline(true);
    await tabs.without.getByText("Connection lost").waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => tabs.without.locator("#connection").textContent()).toBe("");
  });

  it("shows a private answer once that was sent over a stream which a proxy held back", async () => {
    let answered = 0;
    await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "command") await inbound.reply.send(documents.steps, "private");
        answered += 1;
      },
    });
    const page = await open();
    const held = await newTab(page);
    // As such a proxy does: Parley has a stream, and it stays open after the page has given it up.
    const proxy = new AbortController();
    onTestFinished(() => proxy.abort());
    let opened = 0;
    await held.route("**/api/events?*", async (route) => {
      await fetch(route.request().url(), { headers: await route.request().allHeaders(), signal: proxy.signal });
      opened += 1;
    });
    await held.clock.install();
    await held.goto(page.url());
    await expect.poll(() => opened).toBe(1);
    await ask(held, "/agent list");
    await expect.poll(() => answered).toBe(1);
    const note = held.getByText("Only you can see this");
    expect(await note.count()).toBe(0);

    await expect
      .poll(async () => {
        await held.clock.runFor(1_000);
        return note.count();
      })
      .toBe(1);

    await ask(held, "/agent list");
    await expect
      .poll(async () => {
        await held.clock.runFor(1_000);
        return note.count();
      })
      .toBe(2);
    await held.clock.runFor(10_000);
    expect(await note.count()).toBe(2);
  });

  it("draws hostile Markdown as harmless words that say where they lead", async () => {
    const scripted = await start();
    const page = await open();
    await ask(page, "<img src=x onerror=alert(1)> **not bold**");
    const place = await placeOfQuestion();

    await scripted.show(
      place,
      "t1",
      markdown(
        [
          "<script>alert(1)</script><b onclick=alert(1)>raw</b>",
          "![tracking pixel](https://evil.example/pixel.png)",
          "[https://bank.example](https://evil.example/login)",
          "[honest](https://good.example/page) [press me](javascript:alert(1)) [here](/api/conversations)",
          '<iframe src="https://evil.example"></iframe> <style>body{display:none}</style>',
          "- [ ] open task",
        ].join("\n\n"),
      ),
    );
    const answer = page.locator(".is-parley .markdown");
    await answer.waitFor();

    expect(await page.locator(".question-text").textContent()).toBe("<img src=x onerror=alert(1)> **not bold**");
    expect(await answer.locator("script, img, iframe, style, input, [onclick], [style]").count()).toBe(0);
    const links = await answer
      .getByRole("link")
      .evaluateAll((found) => found.map((link) => [link.textContent, link.getAttribute("href")]));
    expect(links).toEqual([
      ["tracking pixel", "https://evil.example/pixel.png"],
      ["https://evil.example/login", "https://evil.example/login"],
      ["honest", "https://good.example/page"],
    ]);
    const text = await answer.textContent();
    expect(text).toContain("<script>alert(1)</script>");
    expect(text).toContain("good.example");
    expect(text).toContain("press me");
  });

  it("shows a document of the project at the heading that a source names", async () => {
    const projectFolder = await temporaryFolder("docs");
    const filler = "Words.\n\n".repeat(80);
    await mkdir(`${projectFolder}/docs`);
    await writeFile(
      `${projectFolder}/README.md`,
      `# Guide\n\n${filler}## Connect Slack\n\nSee [deploy](docs/deploy.md#first).\n\n${filler}`,
    );
    await writeFile(`${projectFolder}/docs/deploy.md`, "# Deploy\n\n## First\n\nBack to [the guide](../README.md).");
    const scripted = await start({ projectFolder });
    const page = await open();

    await page.goto(`${scripted.url}/docs/README.md#connect-slack`);
    const heading = page.getByRole("heading", { name: "Connect Slack" });
    const top = () => heading.evaluate((node) => Math.abs(node.getBoundingClientRect().top));
    await expect.poll(top).toBeLessThan(100);
    await page.getByRole("link", { name: "deploy" }).click();
    await page.getByRole("heading", { name: "First" }).waitFor();
    await page.getByRole("link", { name: "the guide" }).click();
    await heading.waitFor();

    expect(page.url()).toBe(`${scripted.url}/docs/README.md`);
  });
});
