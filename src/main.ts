#!/usr/bin/env node
/** `parley`, as the npm package and the image have it, and `npm start`: runs Parley, or the command that is named. */
import "./needed-node.ts";

// Node stores the compiled code of what is loaded from here on, so that the next start is quicker.
const { enableCompileCache } = await import("node:module");
enableCompileCache();
const { run } = await import("./command-line.ts");
await run(process.argv.slice(2));
