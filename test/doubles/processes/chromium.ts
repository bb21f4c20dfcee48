/**
 * Debian's Chromium for the browser tests. Without it they are skipped, loudly; with REQUIRE_ALL=1, as the project's
 * own checks run, that is a failure.
 */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = "/usr/bin/chromium";

export const isChromiumMissing = !existsSync(executablePath);

if (isChromiumMissing && process.env["REQUIRE_ALL"] === "1") {
  throw new Error(`REQUIRE_ALL=1, and there is no ${executablePath}: apt-get install chromium`);
}
if (isChromiumMissing) {
  process.stderr.write(
    `\n*** SKIPPED: browser tests, because there is no ${executablePath} (apt-get install chromium) ***\n\n`,
  );
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
