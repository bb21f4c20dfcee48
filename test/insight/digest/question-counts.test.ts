import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeQuestionCounts } from "../../contracts/storage/insight/question-counts.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

describeQuestionCounts("SQLite", async () => {
  const { collection, keyValue, coordinator, close } = await openState({
    ...{ dataDir: await temporaryFolder("question-counts"), clock: systemClock, log },
  });
  // One process has the folder, so the instances share its coordinator.
  return { collection, keyValue, coordinators: [coordinator, coordinator], close };
});
