/** Dispatches an item of a Job to the work for its kind. */

import type { AskCheck } from "../../core/content/checks.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import { personKey } from "../../core/model/place.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { workSentences } from "../../presentation/sentences.ts";
import type { AnswerWork } from "../answers/answer-work.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { SyncWork } from "../sync/sync-work.ts";
import type { ContentWork } from "./content-work.ts";
import { isRefresh, isScheduled, limitsOf, type Payload } from "./payload.ts";
import type { RefreshWork } from "./refresh-work.ts";
import type { ThreadWork } from "./thread-work.ts";
import type { UrlWork } from "./url-work.ts";

export type JobWork = {
  readonly urls: UrlWork;
  readonly refresh: RefreshWork;
  readonly content: ContentWork;
  readonly sync: SyncWork;
  readonly threads: ThreadWork;
  readonly answers: AnswerWork;
  /** Waits out an outage of the agent service. */
  readonly check: AskCheck;
};

/** Resolves with what to show for the item; throws an error that reasonOf can explain. */
export async function performItem(
  { urls, refresh, content, sync, threads, answers, check }: JobWork,
  task: {
    readonly job: Job;
    readonly index: number;
    /** Undefined when nothing usable is stored. */
    readonly payload: Payload | undefined;
    readonly platform: ChatPlatform;
    readonly signal: AbortSignal;
    readonly onProgress: (patch: Partial<JobItem>) => void;
  },
): Promise<Partial<JobItem>> {
  const { job, index, payload, platform, signal, onProgress } = task;
  const { askedIn, actor, project, knowledgeBase } = job;
  const errand = { target: { project, knowledgeBase }, owner: personKey(askedIn, actor), name: actor.name, signal };
  switch (payload?.kind) {
    case "url": {
      const url = job.items[index]?.url ?? "";
      if (isRefresh(job)) return refresh.read(url, errand, { removes: isScheduled(job), onProgress });
      return job.way === "service"
        ? urls.byService(url, limitsOf(job), errand, job.items[index]?.title)
        : urls.byParley(url, limitsOf(job), errand, onProgress);
    }
    case "rows":
      return content.rows(payload, errand);
    case "file":
      return content.file(
        payload,
        job.id,
        (attachment, signal) => platform.openAttachment(attachment, job.askedIn, signal),
        errand,
      );
    case "query":
      return content.query(payload, errand);
    case "sync":
      return sync.read(payload.source, errand, { before: job.items[index]?.synced, onProgress });
    case "thread":
      return threads.save(payload, errand, platform);
    case "answer":
      return answers.add(payload, job, errand);
    case "check":
      return check(payload.gapId, job, signal);
    case undefined:
      throw new ReadFailure("unreadable", workSentences.lost);
    default:
      return payload satisfies never;
  }
}
