import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { describeHourCounts } from "../contracts/storage/overview/hour-counts.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

describeHourCounts("SQLite", async () => {
  const { tallies, keyValue, coordinator, close } = await openState({
    ...{ dataDir: await temporaryFolder("hour-counts"), clock: systemClock, log },
  });
  // One process has the folder, so the instances share its coordinator.
  return { tallies, keyValue, coordinators: [coordinator, coordinator], close };
});
