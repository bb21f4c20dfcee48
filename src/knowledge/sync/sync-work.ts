/**
 * Reads a source of files and makes the knowledge base the same: what is new is added, what changed is replaced, what
 * is gone is removed. What can't be read stays as it was. Every step can run twice, so it continues after a crash.
 */
import type { Ledger, LedgerDocument, LedgerOrigin } from "../../core/content/ledger.ts";
import { ParleyError } from "../../core/errors.ts";
import type { JobItem, SomeFiles, SyncedItem } from "../../core/model/job.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { ledgerSentences, shorten, syncSentences } from "../../presentation/sentences.ts";
import { maxDocumentBytes } from "../foreign/content-limits.ts";
import type { ContentWork } from "../jobs/content-work.ts";
import type { Destination, Errand } from "../jobs/inserting.ts";
import type { Locks } from "../jobs/lock.ts";
import { reasonOf } from "../jobs/url-work.ts";
import { documentId } from "../ledger/document-id.ts";
import { isGone } from "../ledger/elsewhere.ts";
import type { Keeping } from "../ledger/keeping.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { ListSource, SourceFile, SourceFiles } from "./source.ts";

export type SyncWork = ReturnType<typeof createSyncWork>;

type SyncedDocument = LedgerDocument & { readonly origin: Extract<LedgerOrigin, { kind: "synced" }> };

const maxNames = 10;
const maxNameChars = 100;
/** Entries of the ledger that are changed at once, while no other insert into the base runs. */
const changedAtOnce = 100;

const nothing: SyncedItem = {
  added: { count: 0, names: [] },
  updated: { count: 0, names: [] },
  gone: { count: 0, names: [] },
  unchanged: 0,
  leftOut: 0,
  failed: { count: 0, files: [] },
};

/** All of a base, in the order of their paths. */
export function syncedDocuments(documents: readonly LedgerDocument[]): readonly SyncedDocument[] {
  return documents.filter((document): document is SyncedDocument => document.origin.kind === "synced");
}

export function createSyncWork(options: {
  readonly list: ListSource;
  readonly content: Pick<ContentWork, "synced">;
  readonly keeping: Pick<Keeping, "amend" | "remove">;
  readonly ledger: Ledger;
  readonly locks: Locks;
  readonly clock: Clock;
}) {
  const { list, content, keeping, ledger, locks, clock } = options;

  /** While nobody else reads that source into that base. */
  async function alone<T>(
    source: string,
    { project, knowledgeBase }: Destination,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const id = documentId({ kind: "synced", source, path: `${project}/${knowledgeBase}` });
    const lock = await locks.acquire(`sync/${id}`, { signal });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  async function documentsOf(source: string, { project, knowledgeBase }: Destination) {
    const { documents } = await ledger.page({ project, name: knowledgeBase }, 0, Number.MAX_SAFE_INTEGER);
    return syncedDocuments(documents).filter(({ origin }) => origin.source === source);
  }

  async function readAlone(
    source: string,
    errand: Errand,
    before: SyncedItem | undefined,
    onProgress: (patch: Partial<JobItem>) => void,
  ): Promise<SyncedItem> {
    const found = await list(source, errand);
    return compare(source, found, errand, before, onProgress).finally(() => found.dispose?.());
  }

  async function compare(
    source: string,
    found: SourceFiles,
    errand: Errand,
    before: SyncedItem | undefined,
    onProgress: (patch: Partial<JobItem>) => void,
  ): Promise<SyncedItem> {
    const { target, signal } = errand;
    const known = new Map((await documentsOf(source, target)).map((document) => [document.origin.path, document]));
    checkPlausible(found, known.size);

    // What was done before a crash isn't found again.
    const done = before ?? nothing;
    let synced: SyncedItem = { ...done, unchanged: 0, leftOut: found.leftOut, failed: nothing.failed };
    const change = (changed: Partial<SyncedItem>) => {
      synced = { ...synced, ...changed };
      onProgress({ synced });
    };
    const fail = (path: string, reason: string) => {
      const { count, files } = synced.failed;
      const failed = { name: nameOf(path), reason };
      change({ failed: { count: count + 1, files: files.length < maxNames ? [...files, failed] : files } });
    };
    for (const { path, reason } of found.unread) fail(path, reason);

    const there = new Set(found.files.map(({ path }) => path));
    const isUnread = (path: string) => found.unread.some((one) => path.startsWith(one.path));
    const gone = [...known.values()].filter(({ origin: { path } }) => !there.has(path) && !isUnread(path));
    for (const some of pieces(gone)) {
      const ids = some.map(({ id }) => id);
      await keeping.remove(target, ids, signal);
      for (const { origin } of some) change({ gone: withName(synced.gone, origin.path) });
    }

    const same: string[] = [];
    for (const file of found.files) {
      signal.throwIfAborted();
      const document = known.get(file.path);
      try {
        const outcome = await read(file, found.name, source, document, errand);
        if (outcome === "added") change({ added: withName(synced.added, file.path) });
        else if (outcome === "updated") change({ updated: withName(synced.updated, file.path) });
        else change({ unchanged: synced.unchanged + 1 });
        if (outcome === "unchanged" && document !== undefined) same.push(document.id);
      } catch (thrown) {
        const reason = reasonOfFile(thrown);
        if (reason === undefined) throw thrown;
        fail(file.path, reason);
        const amended = (one: LedgerDocument) => ({ ...one, readAtMs: clock.now(), problem: reason });
        // Its rows stay: they are the last that anyone could read.
        if (document !== undefined) await keeping.amend(target, [document.id], signal, amended);
      }
    }
    for (const ids of pieces(same)) {
      const amended = ({ problem: _problem, ...one }: LedgerDocument) => ({ ...one, readAtMs: clock.now() });
      await keeping.amend(target, ids, signal, amended);
    }
    return synced;
  }

  async function read(
    { path, url, save }: SourceFile,
    name: string,
    source: string,
    known: LedgerDocument | undefined,
    errand: Errand,
  ): Promise<"added" | "updated" | "unchanged"> {
    const isWhole = known?.problem !== ledgerSentences.incomplete && !isGone(known?.problem);
    const origin = { kind: "synced", source, path } as const;
    const facts = { origin, title: onOneLine(`${name}/${path}`), url };
    const hash = isWhole ? known?.hash : undefined;
    const outcome = await content.synced(
      hash === undefined ? facts : { ...facts, hash },
      (into) => save(into, maxDocumentBytes),
      errand,
    );
    if (outcome === "same") return "unchanged";
    return known?.hash === undefined ? "added" : "updated";
  }

  return {
    /** `before`: what was done of it already. Throws ReadFailure, ParleyError, or the signal's reason. */
    read: async (
      source: string,
      errand: Errand,
      how: {
        readonly before: SyncedItem | undefined;
        readonly onProgress: (patch: Partial<JobItem>) => void;
      },
    ): Promise<Partial<JobItem>> => {
      const { target, signal } = errand;
      const work = () => readAlone(source, errand, how.before, how.onProgress);
      const synced = await alone(source, target, signal, work);
      const { added, updated, gone, failed } = synced;
      const isSame = [added, updated, gone, failed].every(({ count }) => count === 0);
      return isSame ? { synced, outcome: "unchanged" } : { synced };
    },

    /** Removes all that was read from a source. Resolves with the number of its files. */
    remove: (source: string, target: Destination, signal: AbortSignal): Promise<number> =>
      alone(source, target, signal, async () => {
        const documents = await documentsOf(source, target);
        for (const some of pieces(documents)) {
          const ids = some.map(({ id }) => id);
          await keeping.remove(target, ids, signal);
        }
        return documents.length;
      }),
  };
}

/** A folder whose mount is gone looks like an empty one. Throws ReadFailure. */
function checkPlausible({ files, unread }: SourceFiles, known: number): void {
  if (files.length > 0) return;
  if (known > 0) throw new ReadFailure("unreachable", syncSentences.emptyNow(known));
  if (unread.length === 0) throw new ReadFailure("unreadable", syncSentences.empty);
}

/** What concerns that file alone. */
function reasonOfFile(thrown: unknown): string | undefined {
  if (thrown instanceof ReadFailure) return thrown.reason;
  return thrown instanceof ParleyError && thrown.code === "insert_failed" ? reasonOf(thrown) : undefined;
}

function withName({ count, names }: SomeFiles, path: string): SomeFiles {
  return { count: count + 1, names: names.length < maxNames ? [...names, nameOf(path)] : names };
}

function nameOf(path: string): string {
  return shorten(onOneLine(path), maxNameChars);
}

/** Names of files are as free as their text. */
function onOneLine(name: string): string {
  return cleanText(name).replace(/\s+/g, " ");
}

function pieces<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / changedAtOnce) }, (_, at) =>
    all.slice(at * changedAtOnce, (at + 1) * changedAtOnce),
  );
}
