/**
 * `npm run animation`: makes the animation at the top of README.md. Asks a real Parley in the strict local Slack, draws
 * each version of its message, and joins the pictures with the times at which they were written. Needs Chromium and
 * Debian's `webp`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../../test/doubles/processes/chromium.ts";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { answers25 } from "../../test/doubles/service/scripted-answers.ts";
import { pause } from "../../test/doubles/service/scripted-moves.ts";
import { startScriptedService } from "../../test/doubles/service/scripted-service.ts";
import { until } from "../../test/doubles/until.ts";
import { appToken, botToken, startFakeSlack } from "../../test/fakes/slack/index.ts";
import type { Json } from "../../test/fakes/slack/world.ts";
import { refundAnswer } from "./refund-answer.ts";
import { type Shown, threadHtml, threadStyle } from "./slack-drawing.ts";

const target = fileURLToPath(new URL("../slack.webp", import.meta.url));
const channel = "C0GENERAL";
/** Ms between two chunks, as if a model were at work. */
const paceMs = 1_300;
/** How long the end is shown, before and after its sources are opened. */
const [endMs, openMs] = [3_500, 4_500];
const maxMs = 20_000;
const size = { width: 720, height: 700 };

type Frame = { readonly shown: Shown; readonly forMs: number };

/** A question that is asked now, and what stood below it from when on. */
async function ask(): Promise<readonly Frame[]> {
  const slack = await startFakeSlack();
  const service = await startScriptedService(
    ({ question }) => answers25({ ...refundAnswer, question, between: [pause(paceMs)] }),
    { agents: ["support"], knowledgeBases: ["handbook"] },
  );
  const parley = await createParleyProcess({
    ...{ LOG_LEVEL: "error", AGENT_SERVICE_URL: service.url, AGENT_DEFAULT: "support" },
    ...{ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl },
  });
  try {
    await parley.start();
    const { question } = refundAnswer;
    const askedAtMs = Date.now();
    const { ts } = slack.person("U0ALICE").mention(channel, question);
    const isOver = () => JSON.stringify(slack.world.thread(channel, ts).at(-1)?.blocks ?? "").includes("Show steps");
    await until("the answer", isOver);
    const writes = slack.calls.filter(
      ({ method, error }) => /^chat\.(postMessage|update)$/.test(method) && error === undefined,
    );
    const versions = writes.map(({ body, atMs }) => ({ atMs, blocks: body["blocks"] as readonly Json[] }));
    const asker = "Alice";
    const firstMs = (versions[0]?.atMs ?? askedAtMs) - askedAtMs;
    const live = versions.map(({ atMs, blocks }, at): Frame => {
      return { shown: { question, asker, blocks }, forMs: (versions[at + 1]?.atMs ?? atMs + endMs) - atMs };
    });
    const last = live.at(-1)?.shown;
    if (last === undefined) throw new Error("nothing was written");
    return [
      { shown: { question, asker }, forMs: firstMs },
      ...live,
      { shown: { ...last, isOpen: true }, forMs: openMs },
    ];
  } finally {
    await parley.close();
    await service.close();
    await slack.stop();
  }
}

async function draw(frames: readonly Frame[], folder: string): Promise<readonly string[]> {
  const font = readFileSync(new URL(import.meta.resolve("inter-ui/variable/InterVariable.woff2")));
  const style = threadStyle(`data:font/woff2;base64,${font.toString("base64")}`);
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext({ viewport: size, deviceScaleFactor: 1.5 })).newPage();
    await page.setContent(`<style>${style}</style><main></main>`);
    const files: string[] = [];
    for (const [at, { shown }] of frames.entries()) {
      await page.locator("main").evaluate((main, html) => {
        main.innerHTML = html;
      }, threadHtml(shown));
      await page.evaluate("document.fonts.ready.then(() => undefined)");
      const file = join(folder, `${String(at).padStart(3, "0")}.png`);
      await page.screenshot({ path: file });
      files.push(file);
    }
    return files;
  } finally {
    await browser.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "parley-animation-"));
try {
  const frames = await ask();
  const allMs = frames.reduce((sum, { forMs }) => sum + forMs, 0);
  if (allMs > maxMs) throw new Error(`the animation takes ${allMs} ms, more than ${maxMs}`);
  const files = await draw(frames, folder);
  const each = files.flatMap((file, at) => ["-d", String(Math.max(1, Math.round(frames[at]?.forMs ?? 1))), file]);
  execFileSync("img2webp", ["-loop", "0", "-lossless", "-min_size", "-o", target, ...each], { stdio: "ignore" });
  process.stdout.write(`docs/slack.webp: ${frames.length} pictures, ${(allMs / 1_000).toFixed(1)} s\n`);
} finally {
  rmSync(folder, { recursive: true });
}
