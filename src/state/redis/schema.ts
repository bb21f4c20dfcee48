/** Version number of Parley's data in Redis. Newer data is refused; 0.1.0 wrote no number (upgrade.ts). */
import { ParleyError } from "../../ports/errors.ts";

/** 1: 0.1.0, which stored each line as one JSON value. 2: lines in sorted sets (line/script.ts). */
export const redisSchema = 2;

export function newerSchemaError(found: number): ParleyError {
  return new ParleyError("state_unavailable", {
    what: `The data in Redis was written by a newer version of Parley (schema ${found}; this version knows ${redisSchema}).`,
    hint: "Start that version again, or set REDIS_URL to another Redis. Nothing was changed.",
  });
}
