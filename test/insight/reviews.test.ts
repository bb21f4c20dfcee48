import { openState } from "../../src/state/open-state.ts";
import { describeReviews } from "../contracts/storage/insight/reviews.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

describeReviews(async (clock) => openState({ dataDir: await temporaryFolder("reviews"), clock, log }));
