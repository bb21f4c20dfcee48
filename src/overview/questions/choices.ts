/**
 * What the filters of the list of questions offer. That is where Parley is now and which agents exist, and what else
 * occurs in what was asked lately, such as a channel that is gone.
 */

import type { Named } from "../../core/access.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { Asked } from "../../core/ports/overview.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { channelsOf, countsIn } from "../../insight/counts/question-counts.ts";
import { readWhere } from "../../insight/counts/share.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { overseen, projectsFor } from "../oversight.ts";
import { agentsIn, unwritten } from "../projects.ts";

/** A select can't be searched well beyond that. */
const maxChannels = 300;
const maxNameChars = 80;
const withinMs = 200;
/** Several people look at the list. */
const keptMs = 60_000;

/** `isOff`: Parley is no longer connected to the platform. `isGone`: it no longer exists, but questions were asked there. */
type Offered = { readonly name: string; readonly isOff?: true; readonly isGone?: true };

/** What is known now. What is gone can still be asked for. */
export type QuestionChoices = {
  readonly platforms: readonly Offered[];
  /** `key`: `channelKey`. Without direct messages. */
  readonly channels: readonly (Offered & { readonly key: string; readonly platform: string })[];
  readonly agents: readonly (Offered & { readonly key: string })[];
};

/** Rejects with state_unavailable. */
export async function questionChoices(app: OverviewApp, { viewer }: Pick<Asked, "viewer">): Promise<QuestionChoices> {
  const { places, clock } = app;
  const { projects } = app.settings;
  const seen = projectsFor(app, viewer);
  const [joined, known, asked] = await Promise.all([
    places.all(),
    withTimeout(agentsIn(seen, app), withinMs, clock),
    app.remember("places and agents of questions", keptMs, () => occurring(app)),
  ]);
  const isOff = (place: Place) => (places.kindOf(place) === "unknown" ? (true as const) : undefined);
  const all = [...asked.places, ...joined].filter((place) => app.reach.oversees(viewer, place));
  // Elsewhere, an agent of an unseen project may be another workspace's.
  const isSeen = (agent: Named) => overseen(viewer) === undefined || seen.includes(agent.project);
  const shared = new Map(
    all
      .filter((place) => place.channel !== "" && places.kindOf(place) !== "direct")
      .map((place) => [channelKey(place), place]),
  );
  const channels = await Promise.all(
    Array.from(shared)
      .slice(0, maxChannels)
      .map(async ([key, place]) => {
        const { name = place.channel, isGone } = await places.nameOf(place);
        return { key, platform: place.platform, name, isGone, isOff: isOff(place) };
      }),
  );
  const platforms = new Map(all.map((place) => [place.platform, isOff(place)]));
  const shownName = (text: string) => shorten(cleanText(text), maxNameChars);
  const existing = known === undefined ? undefined : new Set(known.map(keyOf));
  // Agents of other projects aren't listed.
  const isDeleted = (agent: Named) =>
    projects.includes(agent.project) && existing?.has(keyOf(agent)) === false ? (true as const) : undefined;
  const named = new Map([...(known ?? []), ...asked.agents.filter(isSeen)].map((agent) => [keyOf(agent), agent]));
  return {
    platforms: Array.from(platforms, ([name, off]) => ({ name, isOff: off })).sort(byName),
    channels: channels.sort(byName),
    agents: Array.from(named, ([key, agent]) => ({
      key,
      name: shownName(nameIn(agent, unwritten(app))),
      isGone: isDeleted(agent),
    })).sort(byName),
  };
}

const keyOf = ({ project, name }: Named) => `${project}.${name}`;

/** Where questions were asked lately, and which agents answered: also what no longer exists. Read from the counts. */
async function occurring({ state }: OverviewApp) {
  /** Those of direct messages have an empty channel. */
  const places = new Map<string, Place>();
  const agents = new Map<string, Named>();
  const seen = new Set<string>();
  for await (const { record } of countsIn(state).all({ order: "sinceMs" })) {
    for (const [where, [questions]] of channelsOf(record)) {
      // Where only a digest counts, one person asked in private.
      if (questions === 0 || seen.has(where)) continue;
      seen.add(where);
      const found = readWhere(where);
      if (found === undefined) continue;
      places.set(channelKey(found.place), found.place);
      if (found.agent !== undefined) agents.set(keyOf(found.agent), found.agent);
    }
  }
  return { places: [...places.values()], agents: [...agents.values()] };
}

/** What no longer is comes last. */
function byName(one: Offered, other: Offered): number {
  const [a, b] = [one, other].map(({ isGone, isOff }) => (isGone === true || isOff === true ? 1 : 0));
  if (a !== b) return (a ?? 0) - (b ?? 0);
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
