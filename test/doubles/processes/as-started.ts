/**
 * Node's options and environment as `npm start` sets them, for processes that stand for Parley. Node's code cache is a
 * folder of the project: the first run fills it, as the first start does.
 */
import { resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };

const [, environment, cache, options] =
  /^((?:\w+=\S+ )*NODE_COMPILE_CACHE=(\S+) (?:\w+=\S+ )*)exec node (--.*) src\/main\.ts$/.exec(
    packageJson.scripts.start,
  ) ?? [];
if (environment === undefined || cache === undefined || options === undefined)
  throw new Error("npm start is written in a way that tests and benches do not know");

export const startOptions: readonly string[] = options.split(" ");

export const startEnvironment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    environment
      .trimEnd()
      .split(" ")
      .map((setting) => setting.split("=")),
  ),
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, "../../..", cache),
};
