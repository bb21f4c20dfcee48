/**
 * Plants one import at a time, each in a file of its own in a copy of the folders, and sees what the linter says of it.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

type Planted = readonly [folder: string, source: string];

const refused: readonly Planted[] = [
  ["src/bridge", "../../adapters/slack/slack.ts"],
  ["src/bridge", "../agent-service/client.ts"],
  ["src/bridge", "../state/open-state.ts"],
  ["src/bridge", "../delivery/delivery.ts"],
  ["src/bridge", "../config.ts"],
  ["src/bridge", "node:http"],
  ["src/bridge", "node:fs"],
  ["src/bridge", "node:sqlite"],
  ["src/bridge", "undici"],
  ["src/bridge", "keyv"],
  ["src/bridge", "hono"],
  ["src/bridge", "pino"],
  ["src/bridge", "@slack/bolt"],
  ["src/bridge/ports", "../../state/open-state.ts"],
  ["src/bridge/ports", "discord.js"],
  ["src/presentation", "../bridge/turns.ts"],
  ["src/presentation", "node:fs"],
  ["src/delivery", "../../adapters/discord/discord.ts"],
  ["src/delivery", "discord.js"],
  ["src/delivery", "../bridge/turns.ts"],
  ["src/agent-service", "../state/open-state.ts"],
  ["src/agent-service", "../../adapters/console/console.ts"],
  ["src/state", "../agent-service/client.ts"],
  ["src/state", "../bridge/turns.ts"],
  ["src/operations", "../state/open-state.ts"],
  ["src/operations", "../../adapters/slack/slack.ts"],
  ["src/commands", "../agent-service/client.ts"],
  ["src/knowledge", "@slack/bolt"],
  ["src/local-service", "../bridge/words.ts"],
  ["src/local-service", "../agent-service/client.ts"],
  ["src/config", "../bridge/words.ts"],
  ["adapters/slack", "../discord/discord.ts"],
  ["adapters/slack", "../../adapters/console/drawing/render.ts"],
  ["adapters/discord", "../../src/main.ts"],
  ["adapters/discord", "../../src/config/config.ts"],
  ["adapters/console/page", "../../slack/slack.ts"],
  ["adapters/teams", "../slack/slack.ts"],
];

const allowed: readonly Planted[] = [
  ["src/bridge", "./turns.ts"],
  ["src/bridge", "./ports/clock.ts"],
  ["src/bridge", "../presentation/document.ts"],
  ["src/bridge/ports", "../words.ts"],
  ["src/presentation", "../bridge/words.ts"],
  ["src/delivery", "../bridge/ports/chat-platform.ts"],
  ["src/state", "node:sqlite"],
  ["src/agent-service", "undici"],
  ["src/local-service", "../bridge/ports/clock.ts"],
  ["adapters/slack", "../../src/ports/words.ts"],
  ["adapters/slack", "@slack/bolt"],
];

const fileOf = (number: number, [folder]: Planted) =>
  `${folder}/planted-${number}.${folder.endsWith("/page") ? "js" : "ts"}`;

describe("an import between folders", () => {
  const planted = [...refused, ...allowed];
  const complaints = new Map<string, string>();
  let copy = "";

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "parley-imports-"));
    await copyFile(join(root, "biome.json"), join(copy, "biome.json"));
    await plant("src/main.ts", 'import "../adapters/slack/slack.ts";\n');
    await Promise.all(
      planted.map((entry, number) => plant(fileOf(number, entry), `import ${JSON.stringify(entry[1])};\n`)),
    );
    const args = ["lint", "--only=style/noRestrictedImports", "--vcs-enabled=false", "--max-diagnostics=none"];
    const report = await new Promise<string>((done) => {
      execFile(join(root, "node_modules/.bin/biome"), [...args, "--reporter=json", "."], { cwd: copy }, (_, stdout) =>
        done(stdout),
      );
    });
    for (const { category, message, location } of JSON.parse(report).diagnostics) {
      if (category === "lint/style/noRestrictedImports") complaints.set(location.path, message);
    }
  });
  afterAll(() => rm(copy, { recursive: true }));

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

  it("of an adapter is allowed to main alone", () => {
    expect(complaints.has("src/main.ts")).toBe(false);
  });
});
