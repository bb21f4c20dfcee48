import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { fileResponse } from "../../../adapters/console/admin/file-response.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { silentLog } from "../../doubles/silent-log.ts";

it("a file whose reader leaves while it is written is no error", async () => {
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (about) => void errors.push(about) };
  const next = Promise.withResolvers<void>();
  async function* text() {
    yield "x".repeat(40_000);
    await next.promise;
    yield "y";
  }
  const reader = fileResponse({ name: "questions.csv", type: "text/csv", text: text() }, log).body?.getReader();

  expect((await reader?.read())?.value).toHaveLength(40_000);
  await nextLoopTurn();
  const left = reader?.cancel();
  next.resolve();
  await left;
  await nextLoopTurn();

  expect(errors).toEqual([]);
});
