/** Finds, removes and renames a person in the small records, as the table of kinds says. */

import type { LedgerDocument } from "../../core/content/ledger.ts";
import type { KeptRecord, Person } from "../../core/content/privacy.ts";
import type { AnyCollection, Strip } from "../../core/ports/collection.ts";
import type { ChangingKeyValueFactory } from "../../core/ports/state.ts";
import type { Works } from "../../core/ports/storage/works.ts";
import { type KeptKind, keptKinds } from "./kinds.ts";
import { isAbout, keyWithout, type Names, namesIn, withoutPerson } from "./mentions.ts";
import { formerMember } from "./person.ts";

export type RecordStores = {
  readonly keyValue: ChangingKeyValueFactory;
  readonly works: Pick<Works, "entries" | "add" | "cancel">;
  /** Those that were opened. */
  readonly collections: () => readonly AnyCollection[];
};

export type Counted = { readonly kind: string; readonly removed: number; readonly renamed: number };

/** Where records about people are, and what erasing does to one of them. */
type PersonalStore = {
  readonly kind: string;
  readonly isBare?: boolean;
  readonly entries: () => AsyncIterable<readonly [key: string, record: unknown]>;
  readonly erase: (key: string, to: string, strip: Strip, record: unknown) => Promise<"removed" | "renamed">;
};

function ofNamespace({ namespace, kind, erase, isBare }: KeptKind, stores: RecordStores): PersonalStore {
  const store = stores.keyValue(namespace);
  return {
    kind,
    isBare,
    entries: () => store.entries(""),
    erase: async (key, to, strip) => {
      if (erase === "rename") await store.change(key, strip, to);
      else await store.delete(key);
      return erase === "rename" ? "renamed" : "removed";
    },
  };
}

function ofWorks({ namespace, kind, erase, isBare }: KeptKind, { works }: RecordStores): PersonalStore {
  return {
    kind,
    isBare,
    entries: () => works.entries(namespace),
    erase: async (key, to, strip, record) => {
      const isNew = erase === "rename" && (await works.add(namespace, to, strip(record)));
      // One that ended meanwhile isn't done again.
      if (erase !== "rename" || key !== to || isNew) await works.cancel(namespace, key);
      return erase === "rename" ? "renamed" : "removed";
    },
  };
}

function ofCollection({ definition, ...collection }: AnyCollection): readonly PersonalStore[] {
  const { person, isDerived } = definition;
  // What is derived goes and changes with the records that it is derived from.
  if (person === "nobody" || isDerived === true) return [];
  const { kind, erase, isBare } = person;
  return [
    {
      kind,
      isBare,
      entries: async function* () {
        for await (const { id, record } of collection.entries()) yield [id, record];
      },
      erase: async (key, to, strip) => {
        if (erase !== "delete" && key === to) {
          await collection.update(key, ({ record }) => erase(record, strip));
          return "renamed";
        }
        const before = erase === "delete" ? undefined : await collection.get(key);
        // First what is new: a crash leaves a record that is found twice, and the next run finds it again.
        if (erase !== "delete" && before !== undefined) await collection.put(to, erase(before.record, strip));
        await collection.delete(key);
        return before === undefined ? "removed" : "renamed";
      },
    },
  ];
}

/**
 * Those that can hold a bare name come first, while other records still say what the person was called: after a crash
 * the next run finds them too.
 */
function personalStores(stores: RecordStores): readonly PersonalStore[] {
  const small = keptKinds
    .filter(({ erase }) => erase !== "nothing")
    .map((kind) => (kind.isWork ? ofWorks(kind, stores) : ofNamespace(kind, stores)));
  const all = [...small, ...stores.collections().flatMap(ofCollection)];
  return [...all.filter(({ isBare }) => isBare === true), ...all.filter(({ isBare }) => isBare !== true)];
}

export async function* recordsAbout(person: Person, stores: RecordStores): AsyncGenerator<KeptRecord> {
  for (const { kind, entries } of personalStores(stores)) {
    for await (const [key, record] of entries()) {
      if (isAbout(person, key, record)) yield { kind, record: { key, ...asObject(record) } };
    }
  }
}

/** What the small records call them. */
export async function namesInRecords(person: Person, stores: RecordStores): Promise<readonly string[]> {
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
  for (const { kind, entries, erase } of personalStores(stores)) {
    const sums = { removed: 0, renamed: 0 };
    for await (const [key, record] of entries()) {
      if (!isAbout(person, key, record, called)) continue;
      const strip: Strip = (value) => withoutPerson(value, person, called);
      sums[await erase(key, keyWithout(person, key), strip, record)] += 1;
    }
    counted.push({ kind, ...sums });
  }
  return counted;
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : { value });
