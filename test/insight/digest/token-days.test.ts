import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeTokenDays } from "../../contracts/storage/insight/token-days.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

describeTokenDays("SQLite", async () => {
  const { collection, close } = await openState({
    ...{ dataDir: await temporaryFolder("token-days"), clock: systemClock, log },
  });
  // One process has the folder, so the instances share its connection.
  return { collections: [collection, collection], close };
});
