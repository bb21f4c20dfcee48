/** `npm start`: runs src/program.ts as a bundle. Where it can't be bundled, it runs from its sources and says so. */
import { bundled } from "./bundle/bundle.ts";

const bundle = bundled();
if (bundle.problem !== undefined) process.stderr.write(`Parley runs from its sources: ${bundle.problem}\n`);
await import(bundle.program ?? "./program.ts");
