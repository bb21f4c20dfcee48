/** Lists the knowledge bases that a form offers: the place's own first, then what the person reaches there. */
import type { Asker } from "../../core/commands.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { CommandApp } from "../app.ts";
import { type Destination, findDestination } from "./destination.ts";

/** Discord's limit for choices in a form. */
const maxChoices = 25;
/** A form must open within 3 s of the press, so it opens without what isn't known by then. */
const targetMs = 900;

/** As it would be typed after "into". */
async function targetName(app: CommandApp, who: Asker): Promise<string | undefined> {
  const found = await findDestination(app, who, undefined);
  return "destination" in found ? shownName(app, found.destination) : undefined;
}

function shownName(app: CommandApp, { project, knowledgeBase }: Destination): string {
  return project === app.settings.project ? knowledgeBase : `${project}.${knowledgeBase}`;
}

/** Undefined when it takes too long or fails. */
export function inTime<T>(app: CommandApp, work: Promise<T>): Promise<T | undefined> {
  const logged = work.catch((err: unknown) => {
    app.log.warn({ err }, "Could not find out the knowledge base of a channel");
    return undefined;
  });
  return withTimeout(logged, targetMs, app.clock);
}

/** `given`: named by the person, so it comes first. Undefined: it isn't known in time. */
export async function basesToOffer(
  app: CommandApp,
  who: Asker,
  given?: string,
): Promise<readonly string[] | undefined> {
  const [first, within] = await Promise.all([
    given ?? inTime(app, targetName(app, who)),
    inTime(app, app.reach.bases(who.actor, who.place, "ingest")),
  ]);
  if (first === undefined && within === undefined) return undefined;
  const known = (within ?? []).map(({ name }) => name);
  return [...new Set([...(first === undefined ? [] : [first]), ...known])].slice(0, maxChoices);
}
