/** The face of the room: composes Jobs and page reading from the ports. */

import type { App } from "../app.ts";
import type { Settings } from "../config/settings.ts";
import type { Named } from "../core/access.ts";
import type { AnswerAdded, AnswerStore } from "../core/content/answering.ts";
import type { AskCheck } from "../core/content/checks.ts";
import { ParleyError } from "../core/errors.ts";
import type { Job } from "../core/model/job.ts";
import { createAnswerRows } from "./answers/answer-rows.ts";
import { createAnswerWork } from "./answers/answer-work.ts";
import type { JobApp } from "./jobs/app.ts";
import { createContentWork } from "./jobs/content-work.ts";
import { createInserting } from "./jobs/inserting.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createLocks } from "./jobs/lock.ts";
import type { PayloadOf } from "./jobs/payload.ts";
import { createRefreshWork } from "./jobs/refresh-work.ts";
import { createServicePatience } from "./jobs/service-patience.ts";
import { createThreadWork } from "./jobs/thread-work.ts";
import { createUrlWork } from "./jobs/url-work.ts";
import { createElsewhere } from "./ledger/elsewhere.ts";
import { createKeeping } from "./ledger/keeping.ts";
import { createLedger } from "./ledger/ledger.ts";
import type { PageReading } from "./pages/page-reading.ts";
import { createFolderSource } from "./sync/folder.ts";
import { createGitSource, isRepository } from "./sync/git.ts";
import type { ListSource } from "./sync/source.ts";
import { createSyncWork } from "./sync/sync-work.ts";

export type { AddressGate } from "./addresses/address-gate.ts";
export type { AddressVerdict } from "./addresses/address-policy.ts";
export { isDocumentName } from "./documents/document-names.ts";
export { createTextReading } from "./foreign/text-reading.ts";
export { fileProblem } from "./jobs/content-work.ts";
export type { JobDraft } from "./jobs/jobs.ts";
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
export { folderWithin } from "./sync/folder.ts";
export { isRepository, repositoryOf } from "./sync/git.ts";
export { syncedDocuments } from "./sync/sync-work.ts";

/** Longer than a person waits. */
const removeMs = 60_000;

export type IngestSettings = Pick<Settings["ingest"], "by" | "requiresDns" | "maxPages" | "maxDepth">;

type OtherRooms = {
  /** Called by Jobs that have added an answer; rejects while that can't be stored. */
  readonly whenAnswerAdded: (added: AnswerAdded) => Promise<void>;
  readonly check: AskCheck;
} & Pick<JobApp, "offerReader">;

export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge(
  app: App,
  { reading, answers }: { readonly reading: PageReading; readonly answers: AnswerStore },
) {
  const { service, clock } = app;
  const { coordinator, keyValue } = app.state;
  const settings = app.settings.ingest;
  const ledger = createLedger({ documents: keyValue("ledger"), rows: keyValue("ledger-rows") });
  let others: OtherRooms = {
    whenAnswerAdded: async () => undefined,
    check: async () => ({ checked: { result: "gone" } }),
    offerReader: async () => undefined,
  };
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
  const { folders = [], gitTokens = [] } = app.settings.sync;
  const folder = createFolderSource({ folders, clock });
  const git = createGitSource({ fetch: reading.fetch, content: reading.repositories, scratch, tokens: gitTokens });
  const list: ListSource = (source, options) => (isRepository(source) ? git : folder)(source, options);
  const sync = createSyncWork({ list, content, keeping, ledger, locks, clock });
  const whenAdded: OtherRooms["whenAnswerAdded"] = (added) => others.whenAnswerAdded(added);
  const jobs = createJobs({
    ...app,
    locks,
    work: {
      urls,
      refresh,
      content,
      sync,
      threads,
      answers: createAnswerWork({ keeping, answers, whenAdded, clock }),
      check: (id, job, signal) => patience.outwait(() => others.check(id, job, signal), signal),
    },
    patience,
    asOwner: reading.asOwner,
    offerReader: (job) => others.offerReader(job),
  });
  return {
    /** What its Jobs tell and ask rooms that are built on this one. Until then they do nothing. */
    connect: (rooms: OtherRooms) => {
      others = rooms;
    },
    jobs,
    answers: createAnswerRows(jobs),
    /** Removes what such a Job saved, and its mark. Throws ParleyError. */
    removeSaved: ({ project, knowledgeBase }: Job, payload: PayloadOf<"thread">) =>
      threads.remove(
        payload,
        { project, knowledgeBase },
        app.sites.get(payload.place.platform)?.platform,
        new AbortController().signal,
      ),
    reading,
    settings,
    ledger,
    elsewhere: createElsewhere(app, { ledger, keeping }),
    /** Removes a document's rows and its entry. Throws ParleyError: knowledge_base_busy if a long insert is running. */
    removeDocument: async ({ project, name }: Named, id: string) => {
      const late = new AbortController();
      const cancel = clock.after(removeMs, () => late.abort(new ParleyError("knowledge_base_busy")));
      const { origin } = (await ledger.get({ project, name }, id)) ?? {};
      const target = { project, knowledgeBase: name };
      // First, so that what is left of it after a crash is still listed.
      const before = async () => {
        if (origin?.kind === "answer") await answers.delete({ project, name }, origin.answerId);
      };
      await keeping.remove(target, [id], late.signal, before).finally(cancel);
    },
    /** Removes all that was synced from there. Resolves with the number of files. Throws ParleyError, as above. */
    removeSource: async ({ project, name }: Named, source: string): Promise<number> => {
      const late = new AbortController();
      const cancel = clock.after(removeMs, () => late.abort(new ParleyError("knowledge_base_busy")));
      return sync.remove(source, { project, knowledgeBase: name }, late.signal).finally(cancel);
    },
    /** Everything known about a base that was deleted. */
    forgetBase: async (base: Named) => {
      for (const { id } of await answers.ofBase(base)) await answers.delete(base, id);
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
