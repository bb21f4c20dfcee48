/**
 * Reads what the schemas say about each setting: Parley's own and those of the platforms, as lists and by name. A setting
 * is a schema of text. Its default, as text, is what the schema parses when nothing is set.
 */
import { z } from "zod";
import type { PlatformModule } from "../core/ports/platform-module.ts";
import { sections } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a setting says about itself with `meta`. */
type SettingWords = {
  /** Its environment variable. */
  readonly env: string;
  readonly about: string;
  /** For the documents, if the default is not a single value. */
  readonly defaultWords?: string;
  /** Absent: the default is the example. */
  readonly example?: string;
  readonly isSecret?: true;
  /** Also read under its lower-case name, as other programs do. */
  readonly hasLowerCaseTwin?: true;
};

declare module "zod" {
  interface GlobalMeta extends Partial<SettingWords> {}
}

export type Setting = Omit<SettingWords, "env"> & {
  readonly format: z.ZodType;
  /** As text, in the same format as the value. */
  readonly default?: string;
};

type NamedSetting = readonly [name: string, setting: Setting];

export type SettingGroup = readonly [title: string, settings: readonly NamedSetting[]];

/** Every section with its settings, in the order of the documents: platforms first. */
export function settingGroupsWith(platforms: readonly PlatformModule[]): readonly SettingGroup[] {
  const ofPlatforms = platforms.map(({ title, settings }) => [title, settings] as const);
  return [...ofPlatforms, ...Object.entries(sections)].map(([title, schema]) => [title, settingsIn(schema)]);
}

/** All settings by name, in the same order. */
export function settingsWith(platforms: readonly PlatformModule[]): ReadonlyMap<string, Setting> {
  return new Map(settingGroupsWith(platforms).flatMap(([, group]) => group));
}

function settingsIn(schema: z.ZodObject): readonly NamedSetting[] {
  return Object.values(schema.shape).flatMap((field) => {
    const group = groupIn(field);
    return group === undefined ? [settingOf(field)] : settingsIn(group);
  });
}

/** The settings that a member of a schema holds together; undefined if it is a setting itself. */
export function groupIn(field: z.core.$ZodType): z.ZodObject | undefined {
  const inner = field instanceof z.ZodPrefault ? field.unwrap() : field;
  return inner instanceof z.ZodObject ? inner : undefined;
}

export function settingOf(format: z.core.$ZodType): NamedSetting {
  const { env, about, ...words } = z.globalRegistry.get(format) ?? {};
  if (env === undefined || about === undefined) throw new Error("A setting lacks its variable or its words.");
  const text = format instanceof z.ZodPrefault ? String(format.def.defaultValue) : undefined;
  return [env, { ...words, about, format: format as z.ZodType, default: text }];
}

/** What is set, without spaces around it. An empty variable counts as not set. */
export function givenText(env: Environment, [name, { hasLowerCaseTwin }]: NamedSetting): string | undefined {
  const twin = hasLowerCaseTwin === true ? env[name.toLowerCase()] : undefined;
  return (env[name] || twin)?.trim() || undefined;
}

/** A value for the documents and for messages about a wrong one. */
export function exampleOf({ example, default: text }: Setting): string {
  return example ?? text ?? "";
}
