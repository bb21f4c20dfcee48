/** A Log that shows nothing; but none of its lines, as they would be written, may hold a planted key. */

import { createLog } from "../../src/operations/logging.ts";
import type { Log } from "../../src/ports/log.ts";
import { watchForKeys } from "./planted-keys.ts";

const destination = { write: (line: string) => watchForKeys("the log", line) };

export const silentLog: Log = createLog({ level: "debug", isTerminal: false, destination });
