import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createConsoleStore } from "../../adapters/console/writing/store.ts";
import { openState } from "../../src/state/open-state.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";

it("gives what arrives in the same moment after a start orders of their own", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-console-store-"));
  const clock = createFakeClock();
  const { keyValue, close } = await openState({ dataDir, clock, log: silentLog });
  const begin = () => createConsoleStore({ keyValue, clock, onChange: () => undefined });
  const before = await begin().nextOrder();

  const after = begin();
  const orders = await Promise.all([after.nextOrder(), after.nextOrder(), after.nextOrder()]);

  expect(new Set([before, ...orders]).size).toBe(4);
  await close();
  await rm(dataDir, { recursive: true });
});
