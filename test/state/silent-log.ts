/** A Log that says nothing. */
import type { Log } from "../../src/operations/log.ts";

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
