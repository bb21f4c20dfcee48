/**
 * Puts documents into knowledge bases and keeps the ledger of them. Before rows are deleted, the ledger knows the old and
 * the new ones together, so that a process that dies in between leaves no row that nobody knows.
 */
import { createHash } from "node:crypto";
import type { Ledger, LedgerDocument, LedgerOrigin } from "../../core/content/ledger.ts";
import { ParleyError } from "../../core/errors.ts";
import type { JobItem } from "../../core/model/job.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { ledgerSentences } from "../../presentation/sentences.ts";
import type { Destination, Errand, Inserting, RowsAlone } from "../jobs/inserting.ts";
import { isRowId, type Row } from "../rows/row-format.ts";
import { documentId } from "./document-id.ts";

/** What is known about a document before it is put in. */
export type DocumentFacts = {
  readonly origin: LedgerOrigin;
  readonly title: string;
  readonly url?: string | undefined;
  /** Tells pasted texts, queries and saved messages apart. */
  readonly text?: string;
  /** SHA-256 of what it was read from. Default: of its rows. */
  readonly hash?: string;
  /** Who says so, and when: of an added answer. Default: who put it in first. */
  readonly said?: { readonly by: LedgerDocument["by"]; readonly atMs: number };
};

/** `replaced`: of other documents. */
export type AddedRows = Pick<JobItem, "replaced"> & { readonly rows: number };

/** The rows are read when it is their turn, so that queued work takes no memory. */
export type ReadRows = () => Promise<readonly Row[]>;

export type Keeping = ReturnType<typeof createKeeping>;

/** A restart of the storage fails no work. */
const storagePatienceMs = 120_000;

export function createKeeping(options: {
  readonly inserting: Inserting;
  readonly ledger: Ledger;
  readonly clock: Clock;
}) {
  const { inserting, clock } = options;
  const baseOf = ({ project, knowledgeBase }: Destination) => ({ project, name: knowledgeBase });

  function ledgerUntil(signal: AbortSignal): Pick<Ledger, "get" | "rowIds" | "rowIdsByDocument" | "put" | "delete"> {
    const { ledger } = options;
    const stored = <T>(work: () => Promise<T>) => keepTrying(work, { clock, forMs: storagePatienceMs, signal });
    return {
      get: (base, id) => stored(() => ledger.get(base, id)),
      rowIds: (base, id) => stored(() => ledger.rowIds(base, id)),
      rowIdsByDocument: (base) => stored(() => ledger.rowIdsByDocument(base)),
      put: (document, ids) => stored(() => ledger.put(document, ids)),
      delete: (base, id) => stored(() => ledger.delete(base, id)),
    };
  }

  /** Who put it in first keeps it: putting it in again gives nobody the right to remove it. */
  function entryOf(facts: DocumentFacts, { target, owner, name }: Errand, known?: LedgerDocument): LedgerDocument {
    const nowMs = clock.now();
    return {
      version: 1,
      id: documentId(facts.origin, facts.text),
      ...target,
      origin: facts.origin,
      title: facts.title,
      url: facts.url,
      way: "parley",
      by: facts.said?.by ?? known?.by ?? { key: owner, name },
      addedAtMs: facts.said?.atMs ?? known?.addedAtMs ?? nowMs,
      readAtMs: nowMs,
    };
  }

  /** While no other insert into that base runs. Rows of an earlier version that the new one lacks are deleted. */
  async function replaceAlone(
    facts: DocumentFacts,
    rows: readonly Row[],
    alone: RowsAlone,
    errand: Errand,
    successorOf?: LedgerDocument,
  ): Promise<void> {
    const ledger = ledgerUntil(errand.signal);
    const base = baseOf(errand.target);
    const id = documentId(facts.origin, facts.text);
    const known = await ledger.get(base, id);
    const entry = entryOf(facts, errand, known ?? successorOf);
    const ids = rows.map((row) => String(row["id"]));
    const stale = (await ledger.rowIds(base, id)).filter((one) => !ids.includes(one));
    const both = [...ids, ...stale];
    await ledger.put({ ...entry, rows: both.length, problem: ledgerSentences.incomplete }, both);
    try {
      await alone.replace(rows);
    } catch (thrown) {
      // Nothing of a new document that was refused stays in the list. If the service is away, its rows may be there.
      const isNew = known === undefined || known.problem === ledgerSentences.incomplete;
      if (isNew && !errand.signal.aborted) {
        const areGone = await alone.delete(both).then(() => true, isBaseGone);
        if (areGone) await ledger.delete(base, id).catch(() => undefined);
      }
      throw thrown;
    }
    await alone.delete(stale);
    await ledger.put({ ...entry, rows: ids.length, hash: hashOf(rows) }, ids);
  }

  /**
   * Rows with an id of their own now say what the newest document says, so they are no longer another one's. Rows
   * without one have the same id only where they say the same, so they are of both. Resolves with the
   * number of rows taken.
   */
  async function takeOver(id: string, added: ReadonlySet<string>, { target, signal }: Errand): Promise<number> {
    const isTaken = (one: string) => added.has(one) && !isRowId(one);
    if (![...added].some(isTaken)) return 0;
    let taken = 0;
    const ledger = ledgerUntil(signal);
    const base = baseOf(target);
    await inserting.alone(target, signal, async () => {
      taken = 0;
      for (const [other, ids] of await ledger.rowIdsByDocument(base)) {
        const left = other === id ? ids : ids.filter((one) => !isTaken(one));
        if (left.length === ids.length) continue;
        taken += ids.length - left.length;
        const known = await ledger.get(base, other);
        if (known === undefined || left.length === 0) await ledger.delete(base, other);
        else await ledger.put({ ...known, rows: left.length }, left);
      }
    });
    return taken;
  }

  return {
    replaceAlone,

    /** A document of a few rows. `after`: when they are in, while no other insert into that base runs. */
    replace: async (
      facts: DocumentFacts,
      read: ReadRows,
      errand: Errand,
      after?: () => Promise<void>,
    ): Promise<void> => {
      await inserting.alone(errand.target, errand.signal, async (alone) => {
        await replaceAlone(facts, await read(), alone, errand);
        await after?.();
      });
    },

    /**
     * A document of any number of rows, which are read twice. Rows of an earlier version stay: a table of the same name
     * may be another part of the same data. `isWhole`: they don't, and no other document has rows with such ids.
     */
    addRows: async (
      facts: DocumentFacts,
      read: () => AsyncIterable<Row>,
      errand: Errand,
      { isWhole = false }: { readonly isWhole?: boolean } = {},
    ): Promise<AddedRows> => {
      const { target, signal } = errand;
      const ledger = ledgerUntil(signal);
      const base = baseOf(target);
      const id = documentId(facts.origin, facts.text);
      const added = new Set<string>();
      const hash = createHash("sha256");
      for await (const row of read()) {
        added.add(String(row["id"]));
        hash.update(JSON.stringify(row));
      }
      const note = (changes: Partial<LedgerDocument>) =>
        inserting.alone(target, signal, async () => {
          const entry = entryOf(facts, errand, await ledger.get(base, id));
          const ids = [...new Set([...(await ledger.rowIds(base, id)), ...added])];
          await ledger.put({ ...entry, rows: ids.length, ...changes }, ids);
        });
      await note({ problem: ledgerSentences.incomplete });
      const rows = await inserting.replaceRows(target, read(), signal);
      if (isWhole) {
        await inserting.alone(target, signal, async (alone) => {
          await alone.delete((await ledger.rowIds(base, id)).filter((one) => !added.has(one)));
          const entry = entryOf(facts, errand, await ledger.get(base, id));
          await ledger.put({ ...entry, rows: added.size, hash: facts.hash ?? hash.digest("hex") }, [...added]);
        });
        return { rows };
      }
      const replaced = await takeOver(id, added, errand);
      await note({ hash: facts.hash ?? hash.digest("hex") });
      return { rows, replaced: replaced === 0 ? undefined : replaced };
    },

    /** A document whose rows only the service knows. Those known from an earlier version are remembered. */
    note: async (facts: DocumentFacts, changes: Partial<LedgerDocument>, errand: Errand): Promise<void> => {
      const { target, signal } = errand;
      const ledger = ledgerUntil(signal);
      const base = baseOf(target);
      const id = documentId(facts.origin, facts.text);
      await inserting.alone(target, signal, async () => {
        const entry = entryOf(facts, errand, await ledger.get(base, id));
        await ledger.put({ ...entry, ...changes }, await ledger.rowIds(base, id));
      });
    },

    /** Changes only the entries that are still there. */
    amend: async (
      target: Destination,
      ids: readonly string[],
      signal: AbortSignal,
      change: (document: LedgerDocument) => LedgerDocument,
    ): Promise<void> => {
      const ledger = ledgerUntil(signal);
      const base = baseOf(target);
      await inserting.alone(target, signal, async () => {
        for (const id of ids) {
          const known = await ledger.get(base, id);
          if (known !== undefined) await ledger.put(change(known), await ledger.rowIds(base, id));
        }
      });
    },

    /**
     * Rows that another document has too stay. The rows first: if the process dies in between, the documents are still
     * listed and can be removed again.
     */
    remove: async (
      target: Destination,
      ids: readonly string[],
      signal: AbortSignal,
      before?: () => Promise<void>,
    ): Promise<void> => {
      const ledger = ledgerUntil(signal);
      const base = baseOf(target);
      await inserting.alone(target, signal, async (alone) => {
        await before?.();
        const all = await ledger.rowIdsByDocument(base);
        const others = new Set([...all].flatMap(([other, rows]) => (ids.includes(other) ? [] : rows)));
        const own = ids.flatMap((id) => all.get(id) ?? []).filter((one) => !others.has(one));
        await alone.delete([...new Set(own)]);
        for (const id of ids) await ledger.delete(base, id);
      });
    },
  };
}

function isBaseGone(thrown: unknown): boolean {
  return thrown instanceof ParleyError && thrown.code === "knowledge_base_not_found";
}

/** Of the content as it was read, whatever the page around it looked like. */
export function hashOf(rows: readonly Row[]): string {
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}
