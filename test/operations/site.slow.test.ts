/** The documentation as a static site (npm run site): every page is there, no link is dead, and its search finds them. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSite } from "../../docs/generators/site/build.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const site = buildSite();
const pages = [...site]
  .filter(([path]) => path.endsWith(".html"))
  .map(([path, html]) => ({ path, html: String(html) }));
const htmlOf = (path: string) => pages.find((page) => page.path === path)?.html ?? "";

describe("the site", () => {
  it("has a page for each document and for each task in README, and names it beside every page", () => {
    const documents = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    const expected = documents.map((name) => `docs/${name.replace(".md", ".html")}`);

    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...expected, "index.html", "connect-slack.html", "connect-discord.html"]),
    );
    for (const path of expected) expect(htmlOf("index.html")).toContain(`<li><a href="${path}"`);
  });

  it("has no dead link: each leads to a file and a heading that are there", () => {
    const dead = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, link = ""]) => {
        if (/^https?:/.test(link)) return [];
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        const isThere = site.has(target) && (anchor === undefined || htmlOf(target).includes(` id="${anchor}"`));
        return isThere ? [] : [`${path}: ${link}`];
      }),
    );

    expect(dead).toEqual([]);
  });

  it("keeps a link between documents, to a heading and to a section of README", () => {
    expect(htmlOf("connect-slack.html")).toContain('<h1 id="connect-slack">Connect Slack</h1>');
    expect(htmlOf("index.html")).toContain('src="docs/slack.webp"');
    expect(htmlOf("docs/deploy.html")).toContain('href="deploy.html#systemd"');
    expect(htmlOf("docs/deploy.html")).toContain('href="settings.html"');
  });
});

describe.skipIf(isChromiumMissing)("its search", () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder("site");
    for (const [path, content] of site) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it("finds the page of a task from any page, also where the pages are opened as files", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, "docs/deploy.html")).href);
    const found = page.locator("#found a");

    await page.getByRole("searchbox").fill("how do I connect Slack?");
    await found.first().waitFor();
    expect(await found.first().locator("b").textContent()).toBe("Connect Slack");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Connect Slack" }).waitFor();

    await page.getByRole("searchbox").fill("AGENT_MAX_RUNS");
    await found.first().waitFor();
    expect(await found.first().getAttribute("href")).toBe("docs/settings.html#the-agent-service");
    await page.getByRole("searchbox").fill("zzzzzzz");
    await page.getByText("Nothing found.").waitFor();
  });
});
