#!/usr/bin/env node
/** `npm start`: Node stores the compiled code of what is loaded from here on, so that the next start is quicker. */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("./program.ts");
