/**
 * What is known of one setting, and what follows from the table of them all in settings.ts: their names, the types of
 * their values, and lists to go through.
 */
import type { z } from "zod";
import { settingGroups } from "./settings.ts";

export type Setting = {
  readonly form: z.ZodType<unknown, string>;
  /** As text, in the same form as what is set. */
  readonly default?: string;
  /** Said in the documents where the default is no single value. */
  readonly defaultWords?: string;
  readonly example: string;
  readonly about: string;
  readonly isSecret?: true;
  /** Also read under its lower-case name, as other programs do. */
  readonly hasLowerCaseTwin?: true;
};

type Groups = typeof settingGroups;
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Settings = UnionToIntersection<Groups[keyof Groups]>;
export type SettingName = keyof Settings;

type Output<S> = S extends { readonly form: z.ZodType<infer Value, string> } ? Value : never;
/** What the settings say, by name. Without a default, what is not set is undefined. */
export type SettingValues = {
  readonly [N in SettingName]: Settings[N] extends { readonly default: string }
    ? Output<Settings[N]>
    : Output<Settings[N]> | undefined;
};

/** Every group with its settings, in the order of the documents. */
export const groups: readonly (readonly [title: string, settings: readonly (readonly [SettingName, Setting])[]])[] =
  Object.entries<Readonly<Record<string, Setting>>>(settingGroups).map(([title, group]) => [
    title,
    Object.entries(group) as [SettingName, Setting][],
  ]);

/** All settings by name, in the same order. */
export const settings: ReadonlyMap<SettingName, Setting> = new Map(groups.flatMap(([, group]) => group));
