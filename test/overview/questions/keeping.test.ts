import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeQuestionLogKeeping } from "../../contracts/storage/overview/question-log-keeping.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

describeQuestionLogKeeping("SQLite", async () => {
  const { keyValue, collection, coordinator, close } = await openState({
    ...{ dataDir: await temporaryFolder("question-log"), clock: systemClock, log },
  });
  // One process has the folder, so the instances share its coordinator.
  return { keyValue, collection, coordinators: [coordinator, coordinator], close };
});
