/** `npm ci` runs this, so that the first start is as fast as the next ones, and works where nothing can be written. */
import { bundled } from "./bundle.ts";

const { problem } = bundled();
if (problem !== undefined) process.stderr.write(`Parley will run from its sources: ${problem}\n`);
