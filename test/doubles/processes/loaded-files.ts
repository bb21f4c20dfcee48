/**
 * Prints, when a process ends, which packages, sources of Parley and files of dist it loaded. It is loaded before
 * everything else.
 */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded = new Set<string>();

registerHooks({
  load: (url, context, next) => {
    const [, name] =
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)|\/(dist\/[^/]+\.js|(?:src|adapters)\/.+)$/.exec(url)?.filter(Boolean) ??
      [];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  },
});

process.on("exit", () => void writeSync(1, `loaded ${[...loaded].join(" ")}\n`));
