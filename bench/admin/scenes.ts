/**
 * Runs scenes of the admin pages over a store that `npm run demo` has filled: `node bench/admin/scenes.ts DATA_DIR
 * [--redis URL] [--table] [fill restarts pages]`.
 */
import { parseArgs } from "node:util";
import { lineOf, rowOf } from "../measure.ts";
import { scenes } from "./measures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { redis: { type: "string" }, table: { type: "boolean", default: false } },
});
const [dataDir = "", ...named] = positionals;
const write = values.table ? rowOf : lineOf;
for (const [name, measure] of Object.entries(scenes)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const store = { dataDir, ...(values.redis === undefined ? {} : { redisUrl: values.redis }) };
  for (const one of await measure(store)) process.stdout.write(`${write(one)}\n`);
}
