/** A log that prints nothing, and still checks each line for planted keys. */

import type { Log } from "../../src/core/ports/log.ts";
import { createLog } from "../../src/operations/logging.ts";
import { watchForKeys } from "./planted-keys.ts";

const destination = { write: (line: string) => watchForKeys("the log", line) };

export const silentLog: Log = createLog({ level: "debug", destination });
