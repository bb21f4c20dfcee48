/** Finds, removes and renames a person in the small records, as the table of kinds says. */
import type { KeptRecord, Person } from "../ports/content/privacy.ts";
import type { ChangingKeyValueFactory } from "../ports/state.ts";
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

export async function eraseRecords(person: Person, keyValue: ChangingKeyValueFactory): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (const kept of personal) counted.push(await eraseKind(person, kept, keyValue));
  return counted;
}

async function eraseKind(person: Person, { namespace, kind, erase }: KeptKind, keyValue: ChangingKeyValueFactory) {
  const store = keyValue(namespace);
  let [removed, renamed] = [0, 0];
  for await (const [key, record] of store.entries("")) {
    if (!isAbout(person, key, record)) continue;
    if (erase === "rename") {
      await store.change(key, (newest) => withoutPerson(newest, person), keyWithout(person, key));
      renamed += 1;
    } else {
      await store.delete(key);
      removed += 1;
    }
  }
  return { kind, removed, renamed };
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : { value });
