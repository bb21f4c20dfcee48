/**
 * What the filters of the list of questions offer. That is where Parley is now and which agents exist, and what else
 * occurs in what was asked lately, such as a channel that is gone.
 */

import type { App } from "../../app.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { QuestionChoices } from "../../core/overview/questions.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { QuestionPlaces } from "./listed.ts";
import type { Occurring } from "./occurring.ts";

/** A select can't be searched well beyond that. */
const maxChannels = 300;
const maxNameChars = 80;
const withinMs = 200;

type Named = { readonly name: string; readonly isOff?: true; readonly isGone?: true };

export async function choicesOf(
  { reach, settings: { project }, clock }: App,
  { places, occurring }: { readonly places: QuestionPlaces; readonly occurring: () => Promise<Occurring> },
): Promise<QuestionChoices> {
  const [joined, known, asked] = await Promise.all([
    places.all(),
    withTimeout(reach.lists.agents(), withinMs, clock),
    occurring(),
  ]);
  const isOff = (place: Place) => (places.kindOf(place) === "unknown" ? (true as const) : undefined);
  const all = [...asked.places, ...joined];
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
  const keyOf = (agent: { readonly project: string; readonly name: string }) => `${agent.project}.${agent.name}`;
  const existing = known === undefined ? undefined : new Set(known.map(keyOf));
  // Agents of other projects aren't listed.
  const isDeleted = (agent: Occurring["agents"][number]) =>
    agent.project === project && existing?.has(keyOf(agent)) === false ? (true as const) : undefined;
  const named = new Map([...(known ?? []), ...asked.agents].map((agent) => [keyOf(agent), agent]));
  return {
    platforms: Array.from(platforms, ([name, off]) => ({ name, isOff: off })).sort(byName),
    channels: channels.sort(byName),
    agents: Array.from(named, ([key, agent]) => ({
      key,
      name: shownName(agent.project === project ? agent.name : key),
      isGone: isDeleted(agent),
    })).sort(byName),
  };
}

/** What no longer is comes last. */
function byName(one: Named, other: Named): number {
  const [a, b] = [one, other].map(({ isGone, isOff }) => (isGone === true || isOff === true ? 1 : 0));
  if (a !== b) return (a ?? 0) - (b ?? 0);
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
