/** What Jobs work with. */

import type { App } from "../../app.ts";
import type { Job } from "../../core/model/job.ts";
import type { ReaderOffer } from "../../presentation/drawing.ts";
import type { PageReading } from "../pages/page-reading.ts";
import type { JobWork } from "./job-work.ts";
import type { Locks } from "./lock.ts";
import type { ServicePatience } from "./service-patience.ts";

export type JobApp = App & {
  readonly locks: Locks;
  readonly work: JobWork;
  readonly asOwner: PageReading["asOwner"];
  readonly patience: Pick<ServicePatience, "isWaiting">;
  /** Buttons to show when a Job that added content ends. Never rejects; resolves within a few seconds. */
  readonly offerReader: (job: Job) => Promise<ReaderOffer | undefined>;
};
