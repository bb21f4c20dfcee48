import { openState } from "../../../src/state/open-state.ts";
import { describeSchedules } from "../../contracts/storage/schedules.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

describeSchedules("SQLite", async (clock) => {
  const state = await openState({ dataDir: await temporaryFolder("schedules"), clock, log });
  // One process has the folder, so the instances share its connection.
  return { stores: [state, state], close: state.close };
});
