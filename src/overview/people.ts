/** Exports and erases people for those who run Parley, and audits that they did. */
import type { Audit } from "../ports/audit.ts";
import type { Person, Privacy } from "../ports/content/privacy.ts";
import { toParleyError } from "../ports/errors.ts";
import type { Actor, Place } from "../ports/model/place.ts";
import type { PeopleActions } from "../ports/overview/people.ts";
import { present } from "../ports/tools/present.ts";

export type PeopleDeps = {
  readonly privacy: Privacy;
  readonly audit: Pick<Audit, "record">;
  /** Where the admin pages are: the page's own workspace. */
  readonly pageOf: (actor: Actor) => Place;
};

export function createPeopleActions({ privacy, audit, pageOf }: PeopleDeps): PeopleActions {
  /** An entry with the person's name would keep what was erased. */
  const note = (action: string, { platform, workspace }: Person, actor: Actor, code?: string) =>
    audit.record(
      { actor, place: pageOf(actor) },
      {
        role: "manage",
        action,
        about: { platform, workspace },
        outcome: code === undefined ? "done" : "failed",
        ...present({ code }),
      },
    );

  return {
    export: async function* (person, by) {
      await note("person export", person, by);
      yield* privacy.export(person);
    },
    erase: async (person, by) => {
      try {
        const erasure = await privacy.erase(person);
        await note("person erase", person, by);
        return erasure;
      } catch (failure) {
        await note("person erase", person, by, toParleyError(failure).code);
        throw failure;
      }
    },
  };
}
