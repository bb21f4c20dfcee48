/** What `npm start` runs. The tests build it first (test/build.ts). */
import { join } from "node:path";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";

export const main = join(packageFolder, "dist/main.js");
