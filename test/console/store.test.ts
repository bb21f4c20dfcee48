import { expect, it } from "vitest";
import { createConsoleStore } from "../../adapters/console/writing/store.ts";
import { openState } from "../../src/state/open-state.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

it("gives what arrives in the same moment after a start orders of their own", async () => {
  const dataDir = await temporaryFolder("console-store");
  const clock = createFakeClock();
  const { keyValue, close } = await openState({ dataDir, clock, log: silentLog });
  const begin = () => createConsoleStore({ keyValue, clock, onChange: () => undefined });
  const before = await begin().nextOrder();

  const after = begin();
  const orders = await Promise.all([after.nextOrder(), after.nextOrder(), after.nextOrder()]);

  expect(new Set([before, ...orders]).size).toBe(4);
  await close();
});
