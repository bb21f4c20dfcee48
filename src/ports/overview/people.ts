/** What those who run Parley can do about a person's data. */
import type { Erasure, KeptRecord, Person } from "../content/privacy.ts";
import type { Actor } from "../model/place.ts";

export type PeopleActions = {
  /** Everything kept about that person. The audit log names neither them nor what was exported. */
  readonly export: (person: Person, by: Actor) => AsyncIterable<KeptRecord>;
  /** Idempotent. */
  readonly erase: (person: Person, by: Actor) => Promise<Erasure>;
};
