/** What can be done about a person's data: exporting it, and erasing it. A part of the page System. */

import { z } from "zod";
import type { Erasure, KeptRecord, Person } from "../../core/content/privacy.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import { type Actor, personKey } from "../../core/model/place.ts";
import type { AdminFile, Asked } from "../../core/ports/overview.ts";
import { adminSentences } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { adminPlaceOf, type Page } from "../page.ts";
import { createPrivateWords } from "../private-words.ts";

const request = z.object({ person: z.string().max(300) });

export const peoplePage: Page = {
  name: "people",
  least: "manage",
  isHidden: true,
  files: { "/export": exportPerson },
  post: { "/erase": erasePerson },
};

/** "slack:T1/U123". Throws for a person of a workspace that the viewer doesn't manage. */
function personIn({ reach }: OverviewApp, { viewer, input }: Asked): Person {
  const { data } = request.safeParse(input);
  const [, platform, workspace, id] = /^\s*([a-z]+):([^/\s]+)\/(\S+)\s*$/.exec(data?.person ?? "") ?? [];
  if (platform === undefined || workspace === undefined || id === undefined) {
    throw new ParleyError("command_invalid", adminSentences.noPerson);
  }
  if (!reach.oversees(viewer, { platform, workspace })) throw new ParleyError("not_allowed", adminSentences.noRight);
  return { platform, workspace, id };
}

function exportPerson(app: OverviewApp, asked: Asked): AdminFile {
  const text = recordsOf(app, personIn(app, asked), asked.viewer);
  return { name: "person.json", type: "application/json; charset=utf-8", text };
}

async function* recordsOf(app: OverviewApp, person: Person, by: Actor): AsyncGenerator<string, void> {
  const { platform, workspace, id } = person;
  yield `{"version":1,"person":${JSON.stringify(`${platform}:${workspace}/${id}`)},"records":[`;
  let separator = "\n";
  for await (const record of kept(app, person, by)) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}

/**
 * Everything kept about that person; of private places without the words, unless LOG_PRIVATE is on or it is oneself. The
 * audit log names the person until they are erased.
 */
async function* kept(app: OverviewApp, person: Person, by: Actor): AsyncGenerator<KeptRecord, void> {
  const { platform, workspace, id } = person;
  await note(app, by, "person export", { person: `${platform}:${workspace}/${id}` });
  const isOneself = personKey(person, person) === personKey(adminPlaceOf(by), by);
  if (app.settings.logPrivate || isOneself) yield* app.privacy.export(person);
  else {
    const withoutPrivate = createPrivateWords(app);
    for await (const record of app.privacy.export(person)) yield await withoutPrivate(record);
  }
}

/** Idempotent. */
async function erasePerson(app: OverviewApp, asked: Asked): Promise<Erasure> {
  const person = personIn(app, asked);
  // An entry with the person would keep what was erased.
  const about = { platform: person.platform, workspace: person.workspace };
  try {
    const erasure = await app.privacy.erase(person);
    await note(app, asked.viewer, "person erase", about);
    return erasure;
  } catch (failure) {
    await note(app, asked.viewer, "person erase", about, toParleyError(failure).code);
    throw failure;
  }
}

const note = (
  { audit }: OverviewApp,
  actor: Actor,
  action: string,
  about: Readonly<Record<string, string>>,
  code?: string,
) =>
  audit.record(
    { actor, place: adminPlaceOf(actor) },
    { role: "manage", action, about, outcome: code === undefined ? "done" : "failed", code },
  );
