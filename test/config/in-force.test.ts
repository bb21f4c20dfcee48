import { describe, expect, it } from "vitest";
import { settingsInForce } from "../../src/config/in-force.ts";
import { exampleOf, settingsWith } from "../../src/config/setting.ts";
import { platformModules } from "../../src/platforms.ts";

const settings = settingsWith(platformModules);
const rowsOf = (env: Readonly<Record<string, string>>) =>
  settingsInForce(env, platformModules).flatMap((group) => group.settings);
const rowOf = (name: string, env: Readonly<Record<string, string>>) => rowsOf(env).find((row) => row.name === name);

describe("the settings in force", () => {
  it("contain no secret when every secret setting is set, only that it is", () => {
    const secrets = [...settings].filter(([, { isSecret }]) => isSecret === true).map(([name]) => name);
    const env = Object.fromEntries(secrets.map((name) => [name, `hidden-${name.toLowerCase()}-value`]));
    expect(secrets.length).toBeGreaterThan(5);

    const rows = rowsOf(env);
    expect(JSON.stringify(rows)).not.toContain("hidden-");
    const secretRows = rows.filter(({ isSecret }) => isSecret === true);
    expect(secretRows.map(({ name }) => name).toSorted()).toEqual(secrets.toSorted());
    expect(new Set(secretRows.map(({ value }) => value))).toEqual(new Set(["set"]));
  });

  it("contain no secret that is part of any other setting's value, such as a password in a URL", () => {
    const env = Object.fromEntries(
      [...settings.keys()].map((name) => [name, `https://hidden-user:hidden-${name}@host.example/x`]),
    );
    expect(JSON.stringify(rowsOf(env))).not.toMatch(/hidden-/);
    expect(rowOf("LOCAL_MODEL_URL", { LOCAL_MODEL_URL: "https://only-a-user@host/v1" })?.value).toBe(
      "https://[redacted]@host/v1",
    );
  });

  it("name every setting once, and say which have their default", () => {
    expect(rowsOf({}).map(({ name }) => name)).toEqual([...settings.keys()]);
    expect(rowsOf({}).every(({ isDefault }) => isDefault)).toBe(true);
    expect(rowOf("RETENTION_DAYS", {})).toMatchObject({ value: "90", isDefault: true });
    expect(rowOf("RETENTION_DAYS", { RETENTION_DAYS: " 30 " })).toMatchObject({ value: "30", isDefault: false });
    expect(rowOf("CONSOLE_TOKEN", {})).toMatchObject({ value: "not set", isSecret: true });
  });

  it("show the examples of all settings but the secret ones as they are", () => {
    const env = Object.fromEntries([...settings].map(([name, setting]) => [name, exampleOf(setting)]));
    const plain = rowsOf(env).filter(({ isSecret, isDefault }) => isSecret !== true && !isDefault);
    for (const { name, value } of plain) expect([name, value]).toEqual([name, env[name]]);
  });
});
