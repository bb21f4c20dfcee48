#!/usr/bin/env node
/** `npm start`. */
import "./needed-node.ts";

// Node stores the compiled code of what is loaded from here on, so that the next start is quicker.
const { enableCompileCache } = await import("node:module");
enableCompileCache();
await import("./program.ts");
