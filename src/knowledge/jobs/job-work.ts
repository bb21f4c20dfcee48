/**
 * Dispatches an item of a Job to the work for its kind.
 */
import type { ChatPlatform } from "../../ports/chat-platform.ts";
import type { Job, JobItem } from "../../ports/model/job.ts";
import { personKey } from "../../ports/model/place.ts";
import { workSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { ContentWork } from "./content-work.ts";
import { limitsOf, type Payload } from "./payload.ts";
import type { ThreadWork } from "./thread-work.ts";
import type { UrlWork } from "./url-work.ts";

export type ItemTask = {
  readonly job: Job;
  /** Of the item. */
  readonly index: number;
  /** Undefined when nothing usable is stored. */
  readonly payload: Payload | undefined;
  readonly platform: ChatPlatform;
  readonly signal: AbortSignal;
  readonly onProgress: (patch: Partial<JobItem>) => void;
};

export type JobWork = Pick<UrlWork, "look"> & {
  /** Resolves with what to show for the item; throws an error that reasonOf can explain. */
  readonly perform: (task: ItemTask) => Promise<Partial<JobItem>>;
};

export function createJobWork(parts: {
  readonly urls: UrlWork;
  readonly content: ContentWork;
  readonly threads: ThreadWork;
}): JobWork {
  const { urls, content, threads } = parts;
  return {
    look: urls.look,
    perform: async ({ job, index, payload, platform, signal, onProgress }) => {
      const target = { project: job.project, knowledgeBase: job.knowledgeBase };
      const owner = personKey(job.askedIn, job.actor);
      const errand = { target, owner, signal };
      switch (payload?.kind) {
        case "url": {
          const url = job.items[index]?.url ?? "";
          return job.way === "service"
            ? urls.byService(url, limitsOf(job), errand)
            : urls.byParley(url, limitsOf(job), errand, onProgress);
        }
        case "rows":
          return content.rows(payload, errand);
        case "file":
          return content.file(payload, job.id, platform, errand);
        case "query":
          return content.query(payload, errand);
        case "thread":
          return threads.save(payload, target, platform, signal);
        case undefined:
          throw new ReadFailure("unreadable", workSentences.lost);
        default:
          return payload satisfies never;
      }
    },
  };
}
