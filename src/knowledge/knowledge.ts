/** The face of the room: composes Jobs and page reading from the ports. */

import type { Settings } from "../config/settings.ts";
import type { Named } from "../core/access.ts";
import type { Audit } from "../core/audit.ts";
import type { AnswerAdded, AnswerStore } from "../core/content/answering.ts";
import type { AskCheck } from "../core/content/checks.ts";
import type { Ledger } from "../core/content/ledger.ts";
import { ParleyError } from "../core/errors.ts";
import type { JobMetrics } from "../core/metrics.ts";
import type { Job } from "../core/model/job.ts";
import type { AgentService } from "../core/ports/agent-service.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Coordinator, JobStore, KeyValue } from "../core/ports/state.ts";
import type { Site } from "../delivery/types.ts";
import { createAnswerRows } from "./answers/answer-rows.ts";
import { createAnswerWork } from "./answers/answer-work.ts";
import { createContentWork } from "./jobs/content-work.ts";
import { createInserting } from "./jobs/inserting.ts";
import type { JobDeps } from "./jobs/job-life.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createLocks } from "./jobs/lock.ts";
import type { PayloadOf } from "./jobs/payload.ts";
import { createRefreshWork } from "./jobs/refresh-work.ts";
import { createServicePatience } from "./jobs/service-patience.ts";
import { createThreadWork } from "./jobs/thread-work.ts";
import { createUrlWork } from "./jobs/url-work.ts";
import { createElsewhere, type ElsewhereCount } from "./ledger/elsewhere.ts";
import { createKeeping } from "./ledger/keeping.ts";
import type { PageReading } from "./pages/page-reading.ts";

export type { AddressGate } from "./addresses/address-gate.ts";
export type { AddressVerdict } from "./addresses/address-policy.ts";
export { createTextReading } from "./foreign/text-reading.ts";
export { fileProblem } from "./jobs/content-work.ts";
export {
  addsAnswer,
  type CrawlLimits,
  checkedAgent,
  isRefresh,
  type Payload,
  type PayloadOf,
  payloadOf,
} from "./jobs/payload.ts";
export { savedRowId } from "./jobs/thread-work.ts";
export { createBasesOf } from "./ledger/agent-bases.ts";
export { documentId } from "./ledger/document-id.ts";
export { createSourceDates } from "./ledger/source-dates.ts";
export { createPageReading, type PageReading } from "./pages/page-reading.ts";
export { formatOfText } from "./rows/row-format.ts";

/** Longer than a person waits. */
const removeMs = 60_000;

export type IngestSettings = Pick<Settings["ingest"], "by" | "requiresDns" | "maxPages" | "maxDepth">;

export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge(options: {
  readonly service: AgentService;
  readonly store: JobStore;
  readonly coordinator: Coordinator;
  /** Undefined for a platform that is switched off. */
  readonly siteOf: (platform: string) => Site | undefined;
  readonly reading: PageReading;
  readonly audit: Audit;
  readonly metrics: JobMetrics;
  readonly settings: IngestSettings;
  readonly jobsPerPerson: number;
  readonly ledger: Ledger;
  /** Namespace "ledger-counts". */
  readonly ledgerCounts: KeyValue<ElsewhereCount>;
  readonly answers: AnswerStore;
  /** Called by Jobs that have added an answer; rejects while that can't be stored. Default: nobody is told. */
  readonly whenAnswerAdded?: (added: AnswerAdded) => Promise<void>;
  /** Buttons to show when a Job that added content ends. Default: none. */
  readonly offerReader?: JobDeps["offerReader"];
  /** Default: there are no checks. */
  readonly check?: AskCheck;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { service, store, coordinator, siteOf, reading, audit, metrics, settings, ledger, clock, log } = options;
  const { crawler, gate, scratch } = reading;
  const locks = createLocks({ coordinator, clock });
  const patience = createServicePatience({ service, clock });
  const inserting = createInserting({ service, locks, patience, clock });
  const keeping = createKeeping({ inserting, ledger, clock });
  const threads = createThreadWork({ keeping });
  const urls = createUrlWork({
    page: reading,
    crawler,
    inserting,
    keeping,
    ledger,
    gate,
    requiresDns: settings.requiresDns,
    allowsService: settings.by !== "parley",
  });
  const refresh = createRefreshWork({ service, crawler, inserting, keeping, ledger, clock });
  const content = createContentWork({ service, inserting, keeping, patience, scratch, clock, parser: reading.content });
  const answers = createAnswerWork({
    keeping,
    answers: options.answers,
    whenAdded: options.whenAnswerAdded ?? (async () => undefined),
    clock,
  });
  const check = options.check ?? (async () => ({ checked: { result: "gone" } }) as const);
  const jobs = createJobs({
    jobs: store,
    coordinator,
    locks,
    siteOf,
    work: {
      urls,
      refresh,
      content,
      threads,
      answers,
      check: (id, job, signal) => patience.outwait(() => check(id, job, signal), signal),
    },
    patience,
    audit,
    metrics,
    clock,
    log,
    asOwner: reading.asOwner,
    jobsPerPerson: options.jobsPerPerson,
    offerReader: options.offerReader ?? (async () => undefined),
  });
  return {
    jobs,
    answers: createAnswerRows(jobs),
    /** Removes what such a Job saved, and its mark. Throws ParleyError. */
    removeSaved: ({ project, knowledgeBase }: Job, payload: PayloadOf<"thread">) =>
      threads.remove(
        payload,
        { project, knowledgeBase },
        siteOf(payload.place.platform)?.platform,
        new AbortController().signal,
      ),
    reading,
    settings,
    ledger,
    elsewhere: createElsewhere({ service, ledger, keeping, counts: options.ledgerCounts, clock, log }),
    /** Removes a document's rows and its entry. Throws ParleyError: knowledge_base_busy if a long insert is running. */
    removeDocument: async ({ project, name }: Named, id: string) => {
      const late = new AbortController();
      const cancel = clock.after(removeMs, () => late.abort(new ParleyError("knowledge_base_busy")));
      const { origin } = (await ledger.get({ project, name }, id)) ?? {};
      const target = { project, knowledgeBase: name };
      // First, so that what is left of it after a crash is still listed.
      const before = async () => {
        if (origin?.kind === "answer") await options.answers.delete({ project, name }, origin.answerId);
      };
      await keeping.remove(target, id, late.signal, before).finally(cancel);
    },
    /** Everything known about a base that was deleted. */
    forgetBase: async (base: Named) => {
      for (const { id } of await options.answers.ofBase(base)) await options.answers.delete(base, id);
      await ledger.deleteBase(base);
    },
    /** Who fetches web pages; undefined when the settings don't allow the requested way. */
    way: async (asked: IngestSettings["by"] = settings.by): Promise<Job["way"] | undefined> => {
      if (settings.by === "parley") return asked === "service" ? undefined : "parley";
      if (asked !== "auto") return asked;
      const { dialect, generation, urlSourcesSurvive } = await service.profile();
      // Built-in knowledge bases read with the same reader, but can't say which pages failed.
      const isBuiltIn = dialect !== "mindsdb" || generation === "local";
      return urlSourcesSurvive && !isBuiltIn ? "service" : "parley";
    },
  };
}
