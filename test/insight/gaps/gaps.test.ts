import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { describeGaps } from "../../contracts/storage/insight/gaps.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

async function open() {
  const state = await openState({ dataDir: await temporaryFolder("gaps"), clock: systemClock, log: silentLog });
  return { ...state, coordinators: [state.coordinator, state.coordinator] as const };
}

describeGaps("SQLite", open);
