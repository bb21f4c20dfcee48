/** What `npm start` runs. The tests build it first (test/build.ts). */
import { join } from "node:path";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";

const dist = join(packageFolder, "dist");
export const [main, doctor, person] = [join(dist, "main.js"), join(dist, "doctor.js"), join(dist, "person.js")];
