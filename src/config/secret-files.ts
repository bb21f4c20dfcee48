/**
 * Secrets in files, as container platforms mount them: NAME_FILE has the path of the file that holds NAME. Every secret
 * setting can be given so, and is then read, checked and redacted like one from the environment.
 */
import { readFileSync } from "node:fs";
import { type Environment, givenText, type Setting } from "./setting.ts";

export const fileSetting = (name: string) => `${name}_FILE`;
export const examplePath = (name: string) => `/run/secrets/${name.toLowerCase().replaceAll("_", "-")}`;

type SecretFiles = {
  /** With the secrets of the files. */
  readonly env: Environment;
  /** The settings that come from a file, whether it could be read or not. */
  readonly names: ReadonlySet<string>;
};

/** Reads the files. `report` gets the setting, NAME_FILE, and why it can't be used. */
export function readSecretFiles(
  env: Environment,
  settings: ReadonlyMap<string, Setting>,
  report: (variable: string, why: string) => void,
): SecretFiles {
  const names = new Set<string>();
  const secrets: Record<string, string> = {};
  for (const [name, setting] of settings) {
    const variable = fileSetting(name);
    const path = env[variable]?.trim();
    if (setting.isSecret !== true || path === undefined || path === "") continue;
    if (givenText(env, [name, setting]) !== undefined) {
      report(variable, `is set, but so is ${name}: set one of them`);
      continue;
    }
    names.add(name);
    const text = textOf(path);
    if (text === undefined) report(variable, "names a file that can't be read");
    else if (text === "") report(variable, "names a file that is empty");
    else secrets[name] = text;
  }
  return { env: { ...env, ...secrets }, names };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
