/**
 * Plants one import at a time, each in a file of its own in a copy of the folders, and sees what the linter says of it
 * as `npm run check` runs it: a rule that only runs when it is asked for by name would refuse nothing.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");

type Planted = readonly [folder: string, source: string];

const refused: readonly Planted[] = [
  ["src/ports", "../bridge/bridge.ts"],
  ["src/ports", "../presentation/sentences.ts"],
  ["src/ports", "discord.js"],
  ["src/ports/tools", "../../operations/operations.ts"],
  ["src/bridge", "../../adapters/slack/slack.ts"],
  ["src/bridge", "../agent-service/mindsdb/client.ts"],
  ["src/bridge", "../state/open-state.ts"],
  ["src/bridge", "../delivery/delivery.ts"],
  ["src/bridge", "../config/config.ts"],
  ["src/bridge", "../parley.ts"],
  ["src/bridge", "node:http"],
  ["src/bridge", "node:fs"],
  ["src/bridge", "node:sqlite"],
  ["src/bridge", "undici"],
  ["src/bridge", "keyv"],
  ["src/bridge", "hono"],
  ["src/bridge", "pino"],
  ["src/bridge", "@slack/bolt"],
  ["src/bridge/turn", "../../state/open-state.ts"],
  ["src/bridge/turn", "../../presentation/drawing/notice.ts"],
  ["src/presentation", "../bridge/turn/turns.ts"],
  ["src/presentation", "node:fs"],
  ["src/presentation/sentences", "../../commands/commands.ts"],
  ["src/delivery", "../../adapters/discord/discord.ts"],
  ["src/delivery", "discord.js"],
  ["src/delivery", "../bridge/bridge.ts"],
  ["src/delivery", "../presentation/markdown/cut-blocks.ts"],
  ["src/agent-service/mindsdb", "../../state/open-state.ts"],
  ["src/agent-service/mindsdb/stream", "../../../bridge/bridge.ts"],
  ["src/agent-service/mindsdb/stream", "../../responses/client.ts"],
  ["src/agent-service/responses", "../mindsdb/client.ts"],
  ["src/agent-service/responses", "../chat/client.ts"],
  ["src/agent-service/responses", "../../state/open-state.ts"],
  ["src/agent-service/chat", "../responses/client.ts"],
  ["src/agent-service/http", "../chat/client.ts"],
  ["src", "./agent-service/mindsdb/client.ts"],
  ["src/state", "../agent-service/mindsdb/client.ts"],
  ["src/state/redis/line", "../../../bridge/bridge.ts"],
  ["src/operations", "../state/open-state.ts"],
  ["src/operations", "../presentation/drawing.ts"],
  ["src/operations", "../../adapters/slack/slack.ts"],
  ["src/commands", "../agent-service/mindsdb/client.ts"],
  ["src/commands/agents", "../../bridge/access/reach.ts"],
  ["src/commands/knowledge-bases", "../../knowledge/jobs/jobs.ts"],
  ["src/knowledge", "@slack/bolt"],
  ["src/knowledge/jobs", "../../commands/commands.ts"],
  ["src/commands/agents", "../../schedules/next-due.ts"],
  ["src/bridge", "../schedules/schedules.ts"],
  ["src/schedules", "../bridge/bridge.ts"],
  ["src/schedules", "../state/open-state.ts"],
  ["src/schedules", "../presentation/drawing/notice.ts"],
  ["src/overview", "../insight/insight.ts"],
  ["src/overview", "../state/open-state.ts"],
  ["src/overview", "../presentation/drawing/notice.ts"],
  ["src/bridge", "../overview/overview.ts"],
  ["src/insight", "../overview/overview.ts"],
  ["adapters/console/admin", "../../../src/overview/overview.ts"],
  ["src/privacy", "../insight/insight.ts"],
  ["src/privacy", "../state/open-state.ts"],
  ["src/overview", "../privacy/privacy.ts"],
  ["adapters/console/admin", "../../../src/privacy/privacy.ts"],
  ["src/local-service", "../bridge/bridge.ts"],
  ["src/local-service", "../agent-service/mindsdb/client.ts"],
  ["src/config", "../bridge/bridge.ts"],
  ["src/charts", "../presentation/drawing.ts"],
  ["src/charts", "../delivery/delivery.ts"],
  ["src/bundle", "../ports/errors.ts"],
  ["src/bridge", "../bundle/bundle.ts"],
  ["src/child", "../knowledge/knowledge.ts"],
  ["src/bridge", "../charts/pictures.ts"],
  ["src/delivery", "../charts/pictures.ts"],
  ["adapters/slack", "../discord/discord.ts"],
  ["adapters/slack", "../../src/bridge/bridge.ts"],
  ["adapters/slack", "../../src/presentation/sentences/jobs.ts"],
  ["adapters/slack/writing", "../../discord/ids.ts"],
  ["adapters/discord", "../../src/main.ts"],
  ["adapters/discord", "../../src/program.ts"],
  ["adapters/discord", "../../src/config/config.ts"],
  ["adapters/discord/intake", "../../../src/state/open-state.ts"],
  ["adapters/console/page", "../../slack/slack.ts"],
  ["adapters/teams", "../slack/slack.ts"],
];

const allowed: readonly Planted[] = [
  ["src/ports", "./model/turn.ts"],
  ["src/ports/tools", "../clock.ts"],
  ["src/bridge", "./turn/turns.ts"],
  ["src/bridge/turn", "../lane.ts"],
  ["src/bridge", "../ports/clock.ts"],
  ["src/bridge/intake", "../../presentation/sentences.ts"],
  ["src/presentation/drawing", "../../ports/model/turn.ts"],
  ["src/delivery", "../ports/chat-platform.ts"],
  ["src/state", "node:sqlite"],
  ["src/agent-service/mindsdb", "undici"],
  ["src/agent-service/responses", "../http/openai-problem.ts"],
  ["src/agent-service/chat", "../dialect.ts"],
  ["src/agent-service", "./responses/client.ts"],
  ["src", "./agent-service/agent-service.ts"],
  ["src/commands/knowledge-bases", "../../knowledge/knowledge.ts"],
  ["src/commands/jobs", "../knowledge-bases/feed-ports.ts"],
  ["src/commands/schedules", "../../schedules/schedules.ts"],
  ["src/schedules", "croner"],
  ["src/schedules", "../presentation/sentences.ts"],
  ["src/overview", "../ports/overview/overview.ts"],
  ["src/overview", "../presentation/sentences.ts"],
  ["src/privacy", "../ports/content/privacy.ts"],
  ["src/privacy", "../presentation/sentences.ts"],
  ["src/bridge", "../ports/overview/overview.ts"],
  ["adapters/console/admin", "../../../src/ports/overview/overview.ts"],
  ["src/local-service", "../ports/model/agent-event.ts"],
  ["src/charts", "../presentation/charts.ts"],
  ["src/charts", "../child/task-child.ts"],
  ["src/knowledge/foreign", "../../child/task-child.ts"],
  ["src/presentation", "./charts/chart-of.ts"],
  ["adapters/slack", "../../src/ports/model/turn.ts"],
  ["adapters/slack/writing", "../ids.ts"],
  ["adapters/slack/drawing", "../../../src/presentation/markdown.ts"],
  ["adapters/slack", "@slack/bolt"],
];

const fileOf = (number: number, [folder]: Planted) =>
  `${folder}/planted-${number}.${folder.endsWith("/page") ? "js" : "ts"}`;

describe("an import between folders", () => {
  const planted = [...refused, ...allowed];
  const complaints = new Map<string, string>();
  const circles: string[] = [];
  let copy = "";

  beforeAll(async () => {
    copy = await temporaryFolder("imports");
    for (const name of ["biome.json", ".gitignore"]) await copyFile(join(root, name), join(copy, name));
    await plant("src/bridge/one.ts", 'import type { Two } from "./two.ts";\nexport type One = Two;\n');
    await plant("src/bridge/two.ts", 'import type { One } from "./one.ts";\nexport type Two = One;\n');
    await plant("src/platforms.ts", 'import "../adapters/slack/slack.ts";\n');
    await Promise.all(
      planted.map((entry, number) => plant(fileOf(number, entry), `import ${JSON.stringify(entry[1])};\n`)),
    );
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const [program = "", ...args] = String(scripts.check).split(" && ")[0]?.split(" ") ?? [];
    const report = await new Promise<string>((done) => {
      const asJson = ["--max-diagnostics=none", "--reporter=json"];
      execFile(
        join(root, "node_modules/.bin", program),
        [...args, ...asJson],
        { cwd: copy, maxBuffer: 64 * 1_024 * 1_024 },
        (_, stdout) => done(stdout),
      );
    });
    for (const { category, message, location } of JSON.parse(report).diagnostics) {
      if (category === "lint/style/noRestrictedImports") complaints.set(location.path, message);
      if (category === "lint/suspicious/noImportCycles") circles.push(location.path);
    }
  });

  async function plant(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text);
  }

  it.each(refused.map((entry, number) => [...entry, number] as const))(
    "is refused by the linter from %s to %s",
    (folder, source, number) => {
      expect(complaints.has(fileOf(number, [folder, source]))).toBe(true);
    },
  );

  it.each(allowed.map((entry, number) => [...entry, number] as const))(
    "is allowed from %s to %s",
    (folder, source, number) => {
      expect(complaints.has(fileOf(refused.length + number, [folder, source]))).toBe(false);
    },
  );

  it("in a circle is refused, even of types alone", () => {
    expect(circles).toContain("src/bridge/one.ts");
  });

  it("of an adapter is allowed in the list of platforms", () => {
    expect(complaints.has("src/platforms.ts")).toBe(false);
  });
});
