/** What those who run Parley can do about a person's data. */
import type { Erasure, KeptRecord, Person } from "../content/privacy.ts";
import type { Actor } from "../model/place.ts";

export type PeopleActions = {
  /**
   * Everything kept about that person; of private places without the words, unless LOG_PRIVATE is on or it is oneself.
   * The audit log names the person until they are erased.
   */
  readonly export: (person: Person, by: Actor) => AsyncIterable<KeptRecord>;
  /** Idempotent. */
  readonly erase: (person: Person, by: Actor) => Promise<Erasure>;
};
