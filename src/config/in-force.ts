/** Lists the settings in force as people may read them: of a secret only whether it is set. Pure. */

import type { SettingRow, SettingRows } from "../ports/overview/system.ts";
import type { PlatformModule, Setting } from "../ports/platform-module.ts";
import { settingGroupsWith } from "./setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function settingsInForce(env: Environment, platforms: readonly PlatformModule[]): readonly SettingRows[] {
  return settingGroupsWith(platforms).map(([title, settings]) => ({
    title,
    settings: settings.map(([name, setting]) => rowOf(name, setting, env)),
  }));
}

function rowOf(name: string, setting: Setting, env: Environment): SettingRow {
  const twin = setting.hasLowerCaseTwin === true ? env[name.toLowerCase()] : undefined;
  const given = (env[name] || twin)?.trim() || undefined;
  const { about, defaultWords, isSecret } = setting;
  const row = { name, about, isDefault: given === undefined, defaultWords };
  if (isSecret === true) return { ...row, isSecret, value: given === undefined ? "not set" : "set" };
  const value = given ?? setting.default;
  return value === undefined ? row : { ...row, value: withoutLogin(value) };
}

/** Also of a URL that names only a user, which may be a token. */
function withoutLogin(value: string): string {
  return value.replace(/:\/\/[^/\s]{1,2000}@/g, "://[redacted]@");
}
