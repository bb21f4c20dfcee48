import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { describeAuditLog } from "../contracts/storage/overview/audit-log.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

describeAuditLog(async () =>
  openState({ dataDir: await temporaryFolder("audit-log"), clock: systemClock, log: silentLog }),
);
