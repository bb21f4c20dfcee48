/** The image as docs/deploy.md runs it: without root, with a read-only file system, and one volume for all that stays. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { launchChromium } from "../doubles/processes/chromium.ts";
import { type Container, createVolume, removeAll, runToEnd, startContainer } from "./container.ts";

describe("the image", () => {
  const question = "How do I connect Slack?";
  let browser: Browser;
  let page: Page;
  let volume: string;
  let container: Container;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    volume = await createVolume();
    container = await startContainer(volume);
    await container.ready();
  });
  afterAll(async () => {
    await browser?.close();
    await removeAll();
  });

  const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 45_000 });

  it("answers the first question from its own manual", async () => {
    await page.goto(container.url);
    await page.getByRole("textbox").first().fill(question);
    await page.keyboard.press("Enter");

    await shows("SLACK_BOT_TOKEN");
  });

  it("runs as user 10001, as the process that gets the signals", async () => {
    const { output } = await container.execute("sh", "-c", "id -u; tr '\\0' ' ' < /proc/1/cmdline");

    expect(output).toBe("10001\nnode /opt/parley/dist/main.js ");
  });

  it("can write to its volume and to /tmp, and nowhere else", async () => {
    const isWritten = async (folder: string) =>
      (await container.execute("sh", "-c", `touch ${folder}/x && rm ${folder}/x`)).code === 0;

    expect(await isWritten("/data")).toBe(true);
    expect(await isWritten("/tmp")).toBe(true);
    for (const folder of ["/", "/opt/parley", "/opt/parley/dist", "/usr/local/bin", "/etc", "/var/lib"])
      expect(await isWritten(folder), folder).toBe(false);
  });

  it("has a health check that holds", async () => {
    expect(await container.checkHealth()).toEqual({ code: 0, output: "" });
  });

  it("runs the commands of parley", async () => {
    expect(await container.execute("parley", "--version")).toEqual({ code: 0, output: `${packageJson.version}\n` });
    expect(await runToEnd(volume, { words: ["--version"] })).toEqual({ code: 0, output: `${packageJson.version}\n` });
    expect((await container.execute("parley", "doctor")).code).toBe(0);
  });

  it("ends on SIGTERM in order, before its time is over", async () => {
    expect(await container.stop()).toBe(0);
    expect(await container.log()).toContain("Shut down");
  });

  it("shows the conversation again, from another container on the same volume", async () => {
    container = await startContainer(volume);
    await container.ready();
    const again = await browser.newPage();
    // Below the address of the conversation, which has another port now.
    await again.goto(`${container.url}/${new URL(page.url()).hash}`);

    await again.getByText(question).first().waitFor({ timeout: 45_000 });
    await again.getByText("SLACK_BOT_TOKEN").first().waitFor({ timeout: 45_000 });
    await container.stop();
  });
});
