/**
 * `npm run screenshot`: starts Parley in an empty folder, asks it a question, and takes the picture in README.md.
 */
import { fileURLToPath } from "node:url";
import { launchChromium } from "../test/doubles/processes/chromium.ts";
import { createParleyProcess } from "../test/doubles/processes/parley-process.ts";

const picture = fileURLToPath(new URL("console.png", import.meta.url));

const parley = await createParleyProcess({ LOG_LEVEL: "error" });
const browser = await launchChromium();
try {
  await parley.start();
  const page = await browser.newPage({ viewport: { width: 1200, height: 960 }, deviceScaleFactor: 1.5 });
  await page.goto(parley.url);
  await page.getByRole("textbox").fill("How do I connect Slack?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Show steps" }).waitFor();
  await page.mouse.move(0, 0);
  // The page scrolls to its newest line smoothly.
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
  await parley.close();
}
