/**
 * The npm package, as `npx` gets it in an empty folder: from a registry on this machine, with the packages that it needs
 * and nothing else of the project. It starts, answers from its own manual, and reads a page in its child process.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageName } from "../../release/contents.ts";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { freePort } from "../doubles/network/free-port.ts";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { type NpmRegistry, startNpmRegistry } from "../doubles/network/npm-registry.ts";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

/** npm unpacks 250 packages before Parley starts. On a machine with many others at work that takes minutes. */
const installLimitMs = 240_000;

type Locked = { readonly hasInstallScript?: boolean; readonly dev?: boolean };

describe.skipIf(isChromiumMissing)("the packed Parley", () => {
  let browser: Browser;
  let page: Page;
  let npx: ChildProcess;
  let registry: NpmRegistry;
  let site: LoopbackSite;
  let folder: string;
  let tarball: string;
  let content: string;
  let output = "";
  beforeAll(async () => {
    const packed = await temporaryFolder("packed");
    execFileSync(process.execPath, [join(packageFolder, "release/release.ts"), "pack", packed]);
    tarball = join(packed, readdirSync(packed)[0] ?? "");
    execFileSync("tar", ["xzf", tarball, "-C", packed]);
    content = join(packed, "package");
    const manifest = JSON.parse(readFileSync(join(content, "package.json"), "utf8"));
    [registry, site, folder] = await Promise.all([
      startNpmRegistry({ manifest, tarball: () => readFileSync(tarball) }),
      startLoopbackSite(),
      temporaryFolder("empty"),
    ]);
    const port = String(await freePort());
    const ofNpm = { npm_config_registry: registry.url, npm_config_cache: await temporaryFolder("npm-cache") };
    const env = { PATH: process.env["PATH"], HOME: packed, ...ofNpm, PORT: port, INGEST_ALLOW_PRIVATE: "true" };
    npx = spawn("npx", ["--yes", packageName], { cwd: folder, env, detached: true });
    for (const stream of [npx.stdout, npx.stderr]) stream?.on("data", (part: Buffer) => (output += part));
    browser = await launchChromium();
    page = await browser.newPage();
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok || npx.exitCode !== null,
        () => npx.exitCode !== null,
      );
    await until("the start of what npx has installed", isReady, installLimitMs);
    if (npx.exitCode !== null) throw new Error(output);
    await page.goto(`http://127.0.0.1:${port}`);
  }, installLimitMs);
  afterAll(async () => {
    await browser?.close();
    // npx and what it started.
    if (npx?.pid !== undefined && npx.exitCode === null) process.kill(-npx.pid, "SIGTERM");
    await until("the end of npx", () => npx.exitCode !== null || npx.signalCode !== null);
    registry?.close();
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

  it("stores everything in the folder's data", () => {
    expect(readdirSync(folder)).toEqual(["data"]);
    expect(existsSync(join(folder, "data/parley.db"))).toBe(true);
  });

  it("has one program, its documents and the maps of its sources, but neither sources nor tests, in 5 MB", () => {
    expect(readdirSync(content).sort()).toEqual(
      [".env.example", "CHANGELOG.md", "LICENSE", "README.md", "adapters", "dist", "docs", "manifest"].concat([
        "npm-shrinkwrap.json",
        "package.json",
      ]),
    );
    expect(existsSync(join(content, "dist/main.js.map"))).toBe(true);
    expect(statSync(tarball).size).toBeLessThan(5_000_000);
    const { bin, scripts } = JSON.parse(readFileSync(join(content, "package.json"), "utf8"));
    expect({ bin, scripts }).toEqual({ bin: { parley: "dist/main.js" }, scripts: undefined });
  });

  it("runs nothing when it is installed, and neither do the packages that it needs", () => {
    const { packages } = JSON.parse(readFileSync(join(content, "npm-shrinkwrap.json"), "utf8"));
    const needed = Object.entries(packages as Readonly<Record<string, Locked>>);

    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true || dev === true)).toEqual([]);
  });
});
