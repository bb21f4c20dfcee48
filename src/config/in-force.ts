/** Lists the settings in force as people may read them: of a secret only whether it is set. Pure. */

import type { PlatformModule } from "../core/ports/platform-module.ts";
import { type Environment, givenText, type Setting, settingGroupsWith } from "./setting.ts";

export type SettingRow = {
  readonly name: string;
  readonly about: string;
  /** Of a secret "set" or "not set". Absent: not set, and there is no default. */
  readonly value?: string;
  readonly isSecret?: true;
  /** It was not set, so its default applies. */
  readonly isDefault: boolean;
  /** What applies if it isn't set. */
  readonly defaultWords?: string;
};

/** Settings under one heading. */
export type SettingRows = { readonly title: string; readonly settings: readonly SettingRow[] };

export function settingsInForce(env: Environment, platforms: readonly PlatformModule[]): readonly SettingRows[] {
  return settingGroupsWith(platforms).map(([title, settings]) => ({
    title,
    settings: settings.map(([name, setting]) => rowOf(name, setting, givenText(env, [name, setting]))),
  }));
}

function rowOf(name: string, setting: Setting, given: string | undefined): SettingRow {
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
