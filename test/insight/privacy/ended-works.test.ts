/** Works end while a person is erased from them. */
import { expect, it } from "vitest";
import { eraseRecords } from "../../../src/insight/privacy/records.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

const kind = "page-deletions";
const ana = { platform: "console", workspace: "console", id: "ana@example.com" };
const by = { id: ana.id, name: "Ana", isBot: false, isExternal: false };

it.each([
  ["isn't done again when it ended meanwhile", true, []],
  ["keeps what is still to be done, without the name", false, ["console/console/c1"]],
])("a work %s", async (_, hasEnded, left) => {
  const state = await openState({ dataDir: await temporaryFolder("erase"), clock: createFakeClock(), log });
  await state.works.add(kind, "console/console/c1", { by });
  const works = {
    ...state.works,
    entries: async function* (of: string) {
      for await (const [key, payload] of state.works.entries(of)) {
        if (hasEnded) await state.works.cancel(of, key);
        yield [key, payload] as const;
      }
    },
  };

  await eraseRecords(ana, new Set(), { ...state, works });

  const found = await Array.fromAsync(state.works.entries(kind));
  expect(found.map(([key]) => key)).toEqual(left);
  expect(JSON.stringify(found)).not.toContain("Ana");
  await state.close();
});
