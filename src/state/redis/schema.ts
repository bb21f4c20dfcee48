/**
 * The number of the form in which Parley keeps things in Redis. An instance that meets a higher number than its own
 * refuses; one that meets none has 0.1.0's Redis before it, which wrote none (redis-upgrade.ts).
 */
import { ParleyError } from "../../ports/errors.ts";

/** 1: 0.1.0, which kept each line as one JSON value. 2: lines in sorted sets (redis-line-script.ts). */
export const redisSchema = 2;

export function newerSchemaError(found: number): ParleyError {
  return new ParleyError("state_unavailable", {
    what: `The data in Redis was written by a newer Parley (schema ${found}, this one knows ${redisSchema}).`,
    hint: "Start that version again, or set REDIS_URL to another Redis. Nothing was changed.",
  });
}
