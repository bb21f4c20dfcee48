/** Finds, removes and renames a person in the small records, as the table of kinds says. */

import type { AuditEntry } from "../../core/audit.ts";
import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { KeptRecord, Person } from "../../core/content/privacy.ts";
import type { ChangingKeyValueFactory } from "../../core/ports/state.ts";
import { type AuditIndex, indexedEntry } from "../../core/ports/storage/audit-index.ts";
import type { Works } from "../../core/ports/storage/works.ts";
import { type KeptKind, keptKinds } from "./kinds.ts";
import { isAbout, keyWithout, type Names, namesIn, withoutPerson } from "./mentions.ts";
import { formerMember } from "./person.ts";

type EntryStores = {
  readonly keyValue: ChangingKeyValueFactory;
  readonly works: Pick<Works, "entries" | "cancel">;
};

export type RecordStores = EntryStores & {
  readonly auditIndex: Pick<AuditIndex, "put" | "delete" | "forget">;
};

export type Counted = { readonly kind: string; readonly removed: number; readonly renamed: number };

/**
 * Those that can hold a bare name come first, while other records still say what the person was called: after a crash
 * the next run finds them too.
 */
const personal = [true, false].flatMap((mayBeBare) =>
  keptKinds.filter(({ erase, isBare = false }) => erase !== "nothing" && isBare === mayBeBare),
);

function entriesOf({ namespace, isWork }: KeptKind, { keyValue, works }: EntryStores) {
  return isWork ? works.entries(namespace) : keyValue(namespace).entries("");
}

export async function* recordsAbout(person: Person, stores: EntryStores): AsyncGenerator<KeptRecord> {
  for (const kept of personal) {
    for await (const [key, record] of entriesOf(kept, stores)) {
      if (isAbout(person, key, record)) yield { kind: kept.kind, record: { key, ...asObject(record) } };
    }
  }
}

/** What the small records call them. */
export async function namesInRecords(person: Person, stores: EntryStores): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { record } of recordsAbout(person, stores)) {
    for (const name of namesIn(record, person)) if (name.trim() !== "" && name !== formerMember.name) found.add(name);
  }
  return [...found];
}

/** Documents that they added to knowledge bases, or that are titled after them. */
export async function documentsOf(
  person: Person,
  called: Names,
  keyValue: ChangingKeyValueFactory,
): Promise<readonly LedgerDocument[]> {
  const found: LedgerDocument[] = [];
  for await (const [key, document] of keyValue<LedgerDocument>("ledger").entries("")) {
    if (isAbout(person, key, document, called)) found.push(document);
  }
  return found;
}

export async function eraseRecords(person: Person, called: Names, stores: RecordStores): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const kept of personal) {
    const whenRenamed = kept.namespace === "audit" ? createReindex(stores.auditIndex) : undefined;
    counted.push(await eraseKind(person, called, kept, stores, whenRenamed));
  }
  return counted;
}

type Renamed = { readonly from: string; readonly to: string; readonly before: unknown; readonly after: unknown };
type WhenRenamed = (renamed: Renamed) => Promise<void>;

/** First what is new: a crash leaves an entry that is found twice, and the next run finds it again. */
function createReindex(index: Pick<AuditIndex, "put" | "delete" | "forget">): WhenRenamed {
  return async ({ from, to, before, after }) => {
    const [old, renamed] = [indexedEntry(from, before as AuditEntry), indexedEntry(to, after as AuditEntry)];
    // What someone else changed stays theirs.
    if (renamed.person === old.person) return;
    await index.put([renamed]);
    await index.delete([old]);
    await index.forget(old.person);
  };
}

async function eraseKind(
  person: Person,
  called: Names,
  kept: KeptKind,
  stores: EntryStores,
  whenRenamed: WhenRenamed = async () => undefined,
): Promise<Counted> {
  const { namespace, kind, erase, isWork } = kept;
  const store = stores.keyValue(namespace);
  let [removed, renamed] = [0, 0];
  for await (const [key, before] of entriesOf(kept, stores)) {
    if (!isAbout(person, key, before, called)) continue;
    if (isWork) {
      await stores.works.cancel(namespace, key);
      removed += 1;
    } else if (erase === "rename") {
      const to = keyWithout(person, key);
      await whenRenamed({ from: key, to, before, after: withoutPerson(before, person, called) });
      await store.change(key, (newest) => withoutPerson(newest, person, called), to);
      renamed += 1;
    } else {
      await store.delete(key);
      removed += 1;
    }
  }
  return { kind, removed, renamed };
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : { value });
