/** Finds, removes and renames a person in the small records, as the table of kinds says. */

import type { AuditEntry } from "../ports/audit.ts";
import type { KeptRecord, Person } from "../ports/content/privacy.ts";
import type { ChangingKeyValueFactory } from "../ports/state.ts";
import { type AuditIndex, indexedEntry } from "../ports/storage/audit-index.ts";
import { type KeptKind, keptKinds } from "./kinds.ts";
import { isAbout, keyWithout, withoutPerson } from "./mentions.ts";

export type Counted = { readonly kind: string; readonly removed: number; readonly renamed: number };

const personal = keptKinds.filter(({ erase }) => erase !== "nothing");

export async function* recordsAbout(person: Person, keyValue: ChangingKeyValueFactory): AsyncGenerator<KeptRecord> {
  for (const { namespace, kind } of personal) {
    for await (const [key, record] of keyValue(namespace).entries("")) {
      if (isAbout(person, key, record)) yield { kind, record: { key, ...asObject(record) } };
    }
  }
}

export async function eraseRecords(
  person: Person,
  keyValue: ChangingKeyValueFactory,
  auditIndex: Pick<AuditIndex, "put" | "delete" | "forget">,
): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const kept of personal) {
    const whenRenamed = kept.namespace === "audit" ? createReindex(auditIndex) : undefined;
    counted.push(await eraseKind(person, kept, keyValue, whenRenamed));
  }
  return counted;
}

type Renamed = { readonly from: string; readonly to: string; readonly before: unknown; readonly after: unknown };
type WhenRenamed = (renamed: Renamed) => Promise<void>;

/** First what is new: a crash leaves an entry that is found twice, and the next run finds it again. */
function createReindex(index: Pick<AuditIndex, "put" | "delete" | "forget">): WhenRenamed {
  return async ({ from, to, before, after }) => {
    const [old, renamed] = [indexedEntry(from, before as AuditEntry), indexedEntry(to, after as AuditEntry)];
    await index.put([renamed]);
    await index.delete([old]);
    if (renamed.person !== old.person) await index.forget(old.person);
  };
}

async function eraseKind(
  person: Person,
  { namespace, kind, erase }: KeptKind,
  keyValue: ChangingKeyValueFactory,
  whenRenamed: WhenRenamed = async () => undefined,
): Promise<Counted> {
  const store = keyValue(namespace);
  let [removed, renamed] = [0, 0];
  for await (const [key, before] of store.entries("")) {
    if (!isAbout(person, key, before)) continue;
    if (erase === "rename") {
      const to = keyWithout(person, key);
      await whenRenamed({ from: key, to, before, after: withoutPerson(before, person) });
      await store.change(key, (newest) => withoutPerson(newest, person), to);
      renamed += 1;
    } else {
      await store.delete(key);
      removed += 1;
    }
  }
  return { kind, removed, renamed };
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : { value });
