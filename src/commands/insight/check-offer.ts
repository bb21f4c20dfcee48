/** "12 checks: run them?", where something has changed that answers rest on. For people who manage. */

import type { Named } from "../../core/access.ts";
import type { CommandContext } from "../../core/commands.ts";
import type { Action } from "../../core/document.ts";
import type { GapScope } from "../../core/model/insight.ts";
import type { Job } from "../../core/model/job.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { ReaderOffer } from "../../presentation/drawing.ts";
import { countText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { writtenName } from "../names/find-by-name.ts";
import { manages } from "../names/in-reach.ts";
import { refOfName } from "../names/name-ref.ts";
import { readersHere, readersOf } from "../names/readers.ts";

const says = {
  offer: (count: number): string => `${countText(count, "check")}: run ${count === 1 ? "it" : "them"}?`,
};

const checkLabels = {
  run: "Run checks",
  runOf: (agent: string): string => `Check ${agent}`,
} as const;

type Who = Pick<CommandContext, "actor" | "place">;

type Counted = { readonly agent: Named; readonly count: number };

/** Buttons of one offer: agents with most checks first. */
const maxOffered = 3;
/** Of agents that look in a knowledge base. */
const maxCounted = 20;
/** An offer is left out when it takes longer to find out. */
const offerMs = 1_500;
const maxLabelChars = 40;

type CheckOffer = Required<Pick<ReaderOffer, "sentences" | "actions">>;

/** Undefined when there is nothing to check, that person doesn't manage, or it can't be found out in time. */
export async function checkOffer(app: CommandApp, agents: readonly Named[], who: Who): Promise<CheckOffer | undefined> {
  if (agents.length === 0 || !manages(app, who)) return undefined;
  const found = await withTimeout(countAll(app, agents, who), offerMs, app.clock).catch((err: unknown) => {
    app.log.debug({ err }, "Could not find out how many checks an agent has");
    return undefined;
  });
  return found === undefined ? undefined : offerOf(found, app.settings.project);
}

/** Of all agents that look in that knowledge base. */
export async function checkOfferOfBase(app: CommandApp, base: Named, who: Who): Promise<CheckOffer | undefined> {
  if (!manages(app, who)) return undefined;
  const agents = await withTimeout(app.names.current.agents(), offerMs, app.clock).catch(() => undefined);
  return checkOffer(app, readersOf(agents ?? [], base), who);
}

/** Under a refresh that has changed something, for everyone there: of agents that people can ask there. */
export async function checkOfferOfRefresh(app: CommandApp, job: Job): Promise<CheckOffer | undefined> {
  const { project, knowledgeBase: name, actor, askedIn: place, items } = job;
  const isChanged = items.some(({ outcome }) => outcome !== undefined && outcome !== "unchanged");
  if (!isChanged || !manages(app, { actor, place })) return undefined;
  const readers = await withTimeout(readersHere(app, { project, name }, { actor, place }), offerMs, app.clock).catch(
    () => undefined,
  );
  return checkOffer(app, readers?.agents ?? [], { actor, place });
}

async function countAll(
  { checks }: CommandApp,
  agents: readonly Named[],
  { place: { platform, workspace } }: Who,
): Promise<readonly Counted[]> {
  const counted = agents.slice(0, maxCounted).map(async ({ project, name }): Promise<Counted> => {
    const agent = { project, name };
    const scope: GapScope = { platform, workspace, agent };
    return { agent, count: await checks.count(scope) };
  });
  return (await Promise.all(counted)).filter(({ count }) => count > 0);
}

function offerOf(found: readonly Counted[], project: string): CheckOffer | undefined {
  const [first, ...others] = [...found].sort((one, other) => other.count - one.count).slice(0, maxOffered);
  if (first === undefined) return undefined;
  const isOne = others.length === 0;
  const actions = [first, ...others].map(({ agent }): Action => {
    const written = writtenName(agent, project);
    const label = isOne || written.length > maxLabelChars ? checkLabels.run : checkLabels.runOf(written);
    return { id: "run-checks", label, value: refOfName(written), style: "plain" };
  });
  const sentence = says.offer([first, ...others].reduce((all, { count }) => all + count, 0));
  return { sentences: [[{ text: sentence }]], actions };
}
