/** What a page does whose stream ended because its session has too many. */
import { describe, expect, it } from "vitest";
import { maxStreamsOfSession } from "../../../adapters/console/limits.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import { useBrowser } from "../page/browser.ts";
import { event, requestsTo } from "../requests.ts";

describe.skipIf(isChromiumMissing)("a page whose stream made room for others", () => {
  const { start, open } = useBrowser();

  it("asks every few seconds, and opens no other stream until someone comes back to it", async () => {
    const scripted = await start();
    const page = await open();
    // It reads everything once its stream says hello.
    await Promise.all([page.waitForResponse("**/api/commands"), page.reload()]);
    await page.getByRole("button", { name: "How do I connect Slack?" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const count = (path: string) => asked.filter((one) => one === path).length;
    const { send } = requestsTo(() => scripted);

    const stop = new AbortController();
    for (let tab = 0; tab < maxStreamsOfSession; tab += 1) {
      await fetch(`${scripted.url}/api/events?tab=t${tab}`, { signal: stop.signal });
    }
    // Private answers wait there for a page that has no stream.
    await expect.poll(() => count("/api/notes")).toBeGreaterThan(0);
    await send("POST", "/api/messages", event({ text: "From elsewhere?" }));
    await page.getByRole("link", { name: "From elsewhere?" }).waitFor();
    await expect.poll(() => count("/api/notes"), { timeout: 15_000 }).toBeGreaterThan(2);
    expect(count("/api/events")).toBe(0);

    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => count("/api/events")).toBe(1);
    const polls = count("/api/notes");
    await send("POST", "/api/messages", event({ text: "Once more?" }));
    await page.getByRole("link", { name: "Once more?" }).waitFor();
    expect(count("/api/notes")).toBe(polls);
    expect(count("/api/events")).toBe(1);
    stop.abort();
  });
});
