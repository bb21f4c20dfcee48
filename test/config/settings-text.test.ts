import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig, readConfig } from "../../src/config/config.ts";
import { exampleOf, settingGroupsWith, settingsWith } from "../../src/config/setting.ts";
import { renderEnvExample, renderSettingsPage } from "../../src/config/settings-text.ts";
import { platformModules } from "../../src/platforms.ts";

const groups = settingGroupsWith(platformModules);
const settings = settingsWith(platformModules);
const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the documents of the settings (npm run settings writes them)", () => {
  it("finds .env.example as the settings say", () => {
    expect(read(".env.example")).toBe(renderEnvExample(groups));
  });

  it("finds docs/settings.md as the settings say", () => {
    expect(read("docs/settings.md")).toBe(renderSettingsPage(groups));
  });

  it("gives examples and defaults that are right in form", () => {
    for (const [name, setting] of settings) {
      expect(setting.format.safeParse(exampleOf(setting)), name).toMatchObject({ success: true });
      if (setting.default !== undefined) {
        expect(setting.format.safeParse(setting.default), name).toMatchObject({ success: true });
      }
    }
  });

  it("changes nothing when .env.example is copied as it is", () => {
    const dataOf = (env: Record<string, string | undefined>) =>
      JSON.stringify(readConfig(env, platformModules), (_, value: unknown) =>
        typeof value === "function" ? "" : value,
      );

    expect(dataOf(parseEnv(renderEnvExample(groups)))).toBe(dataOf({}));
  });

  it("offers every setting in .env.example", () => {
    const offered = parseEnv(renderEnvExample(groups).replaceAll(/^#(?=[A-Z])/gm, ""));

    expect(Object.keys(offered).sort()).toEqual([...settings.keys()].sort());
  });
});

describe("loadConfig", () => {
  const before = process.cwd();
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-env-"));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    delete process.env["AGENT_PROJECT"];
    rmSync(folder, { recursive: true });
  });

  it("works without a .env", () => {
    expect(existsSync(".env")).toBe(false);
    expect(loadConfig(platformModules).project).toBe("mindsdb");
  });

  it("reads .env when it is there", () => {
    writeFileSync(".env", '# mine\nAGENT_PROJECT="sales"\n');

    expect(loadConfig(platformModules).project).toBe("sales");
  });

  it("lets the environment override .env", () => {
    writeFileSync(".env", "AGENT_PROJECT=sales\n");
    process.env["AGENT_PROJECT"] = "support";

    expect(loadConfig(platformModules).project).toBe("support");
  });
});
