/** Exports and erases what Parley keeps about a person, over every store. */

import type { App } from "../../app.ts";
import type { KeptRecord, Person, Privacy } from "../../core/content/privacy.ts";
import type { Gap } from "../../core/model/insight.ts";
import type { Turn } from "../../core/model/turn.ts";
import { createErasing, type OfOthers } from "./erasing.ts";
import { isPerson, keyOfPerson } from "./person.ts";
import { recordsAbout } from "./records.ts";
import { everyRecord, isAsker } from "./turns.ts";
import { createForgetWorkspace } from "./workspace.ts";

export { type KeptKind, keptKinds } from "./kinds.ts";
export { parsePerson } from "./person.ts";
export { answerRequest, type PrivacyRequest } from "./requests.ts";

export function createPrivacy(app: App, parts: OfOthers): Privacy {
  const { turns, jobs, coordinator } = app.state;
  const erase = createErasing(app, parts);

  async function* all(person: Person): AsyncGenerator<KeptRecord> {
    for await (const turn of everyRecord(turns)) {
      if (isAsker(person, turn)) yield { kind: "questions", record: ownPart(turn) };
    }
    for await (const job of everyRecord(jobs)) if (isAsker(person, job)) yield { kind: "jobs", record: job };
    for await (const { kind, record } of recordsAbout(person, app.state)) {
      yield { kind, record: kind === "gaps" ? ownGap(record as Gap, person) : record };
    }
  }

  return {
    forgetWorkspace: createForgetWorkspace(app, parts),
    export: all,
    erase: async (person) => {
      const lease = await coordinator.lease(`erase/${keyOfPerson(person)}`);
      try {
        const erasure = await erase(person);
        try {
          await app.state.scrub();
          return erasure;
        } catch (err) {
          app.log.warn({ err }, "Erased words are still in the files of the storage");
          return {
            ...erasure,
            stays: [
              ...erasure.stays,
              "Copies can still be in the files of the storage, which were in use. They are overwritten within an hour.",
            ],
          };
        }
      } finally {
        await lease.release();
      }
    },
  };
}

/** What others wrote before the question is theirs. */
function ownPart({ context: _others, ...own }: Turn): object {
  return own;
}

function ownGap(gap: Gap, person: Person): object {
  const { askers, platform, workspace, agent, id, state } = gap;
  const own = askers.filter(({ actor, place }) => isPerson(person, actor, place));
  return { id, platform, workspace, agent, state, askers: own };
}
