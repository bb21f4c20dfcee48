import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeDigestCounts } from "../../contracts/storage/insight/digest-counts.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

describeDigestCounts("SQLite", async () => {
  const { keyValue, collection, coordinator, close } = await openState({
    ...{ dataDir: await temporaryFolder("digest-counts"), clock: systemClock, log },
  });
  // One process has the folder, so the instances share its coordinator.
  return { keyValue, collection, coordinators: [coordinator, coordinator], close };
});
