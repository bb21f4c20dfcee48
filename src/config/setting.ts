/** All settings: Parley's own and those of the platforms, as lists and by name. */
import type { PlatformModule, Setting, ValuesOf } from "../ports/platform-module.ts";
import { settingGroups } from "./settings.ts";

type Groups = typeof settingGroups;
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Settings = UnionToIntersection<Groups[keyof Groups]>;

export type SettingValues = ValuesOf<Settings>;

export type SettingGroup = readonly [title: string, settings: readonly (readonly [name: string, Setting])[]];

/** Every group with its settings, in the order of the documents: platforms first. */
export function settingGroupsWith(platforms: readonly PlatformModule[]): readonly SettingGroup[] {
  const ofPlatforms = platforms.map(({ title, settings }) => [title, settings] as const);
  return [...ofPlatforms, ...Object.entries(settingGroups)].map(([title, group]) => [title, Object.entries(group)]);
}

/** All settings by name, in the same order. */
export function settingsWith(platforms: readonly PlatformModule[]): ReadonlyMap<string, Setting> {
  return new Map(settingGroupsWith(platforms).flatMap(([, group]) => group));
}

/** A value for the documents and for messages about a wrong one. */
export function exampleOf({ example, default: text }: Setting): string {
  return example ?? text ?? "";
}
