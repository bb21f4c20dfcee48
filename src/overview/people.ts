/** Exports and erases people for those who run Parley, and audits that they did. */

import type { App } from "../app.ts";
import type { Person, Privacy } from "../core/content/privacy.ts";
import { toParleyError } from "../core/errors.ts";
import { type Actor, type Place, personKey } from "../core/model/place.ts";
import type { PeopleActions } from "../core/overview/people.ts";
import { createPrivateWords } from "./private-words.ts";

/** Where the admin pages are: the page's own workspace. */
export const adminPlaceOf = ({ workspace }: Actor): Place => ({ platform: "console", workspace, channel: "admin" });

export function createPeopleActions(app: App, privacy: Privacy): PeopleActions {
  const { audit } = app;
  const { logPrivate: isLogPrivate } = app.settings;

  const note = (action: string, about: Readonly<Record<string, string>>, actor: Actor, code?: string) =>
    audit.record(
      { actor, place: adminPlaceOf(actor) },
      { role: "manage", action, about, outcome: code === undefined ? "done" : "failed", code },
    );

  /** An entry with the person would keep what was erased. */
  const noteErase = ({ platform, workspace }: Person, actor: Actor, code?: string) =>
    note("person erase", { platform, workspace }, actor, code);

  const isOneself = (person: Person, by: Actor) => personKey(person, person) === personKey(adminPlaceOf(by), by);

  return {
    export: async function* (person, by) {
      const { platform, workspace, id } = person;
      await note("person export", { person: `${platform}:${workspace}/${id}` }, by);
      if (isLogPrivate || isOneself(person, by)) yield* privacy.export(person);
      else {
        const withoutPrivate = createPrivateWords(app);
        for await (const record of privacy.export(person)) yield await withoutPrivate(record);
      }
    },
    erase: async (person, by) => {
      try {
        const erasure = await privacy.erase(person);
        await noteErase(person, by);
        return erasure;
      } catch (failure) {
        await noteErase(person, by, toParleyError(failure).code);
        throw failure;
      }
    },
  };
}
