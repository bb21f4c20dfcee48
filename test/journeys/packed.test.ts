/**
 * The npm package, as an empty folder gets it: the tarball unpacked beside the packages that it depends on, and nothing
 * else of the project. It starts, answers from its own manual, and reads a page in its child process.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> };

async function unpackedInto(folder: string): Promise<string> {
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: packageFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const name = /[\w.-]+\.tgz/.exec(packed)?.[0] ?? "";
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  execFileSync("tar", ["xzf", join(folder, name), "-C", packages, "--transform", "s/^package/parley/"]);
  // Only what npm would install for it: a package that is missing from its dependencies is missing here.
  const lock = JSON.parse(await readFile(join(packageFolder, "package-lock.json"), "utf8")) as Lock;
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isInstalled = dev !== true && /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isInstalled || !existsSync(join(packageFolder, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(packageFolder, path), join(folder, path));
  }
  return join(packages, "parley/dist/main.js");
}

describe.skipIf(isChromiumMissing)("the packed Parley", () => {
  let browser: Browser;
  let page: Page;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  beforeAll(async () => {
    const program = await unpackedInto(await temporaryFolder("packed"));
    [site, parley] = await Promise.all([
      startLoopbackSite(),
      createParleyProcess({ INGEST_ALLOW_PRIVATE: "true" }, program),
    ]);
    [browser] = await Promise.all([launchChromium(), parley.start()]);
    page = await browser.newPage();
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
    await site?.close();
  });

  async function send(text: string): Promise<void> {
    await page.getByRole("textbox").first().fill(text);
    await page.keyboard.press("Enter");
  }
  const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 45_000 });

  it("answers the first question from its own manual", async () => {
    await send("How do I connect Slack?");

    await shows("SLACK_BOT_TOKEN");
  });

  it("reads a page into a knowledge base", async () => {
    await send("/kb create harbour");
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Create" }).click();
    await shows("Created knowledge base harbour.");
    await send(`/kb ingest ${site.good[0]} into harbour`);

    await shows("The lighthouse lamp");
  });

  it("holds neither sources nor tests", () => {
    const folders = execFileSync("npm", ["pack", "--ignore-scripts", "--dry-run", "--json"], {
      cwd: packageFolder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });

    expect(folders).not.toMatch(/"path": ?"(?:test|bench|src|node_modules|\.ci)\//);
  });
});
