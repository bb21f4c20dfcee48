/** Runs around every test: no test may leak a planted key. It also sets how properties run. */
import { StatementSync } from "node:sqlite";
import { configureGlobal } from "fast-check";
import { afterAll, afterEach, expect } from "vitest";
import { takeLeaks, watchForKeys } from "./doubles/planted-keys.ts";
import { removeTemporaryFolders } from "./doubles/temporary-folder.ts";
import { logWhatFailedTestsLeave } from "./left-behind.ts";
import { propertyParameters } from "./properties.ts";

configureGlobal(propertyParameters);
logWhatFailedTestsLeave();

// All that is stored in this process goes through here; what another process stored is looked at when its folder goes.
// The fast tests share a process, so this file runs there once for each of theirs.
const { run } = StatementSync.prototype;
if (run.name !== "watchedRun") {
  StatementSync.prototype.run = function watchedRun(...values: unknown[]) {
    watchForKeys("the database", values.map(String).join("\n"));
    return Reflect.apply(run, this, values);
  };
}

const noLeaks = () => expect(takeLeaks()).toEqual([]);
afterEach(noLeaks);
// What a test tidies up after itself comes later than that.
afterAll(noLeaks);
afterAll(removeTemporaryFolders);
