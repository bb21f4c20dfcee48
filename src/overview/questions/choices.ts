/** What the filters of the list of questions offer: channels that Parley is in, and agents that exist. */
import { channelKey } from "../../ports/model/place.ts";
import type { QuestionChoices } from "../../ports/overview/questions.ts";
import { soon } from "../../ports/tools/soon.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { ListedDeps } from "./listed.ts";

/** A select can't be searched well beyond that. */
const maxChannels = 300;
const maxNameChars = 80;
const withinMs = 200;

export async function choicesOf({
  places,
  agents,
  project,
  clock,
}: Pick<ListedDeps, "places" | "agents" | "project" | "clock">): Promise<QuestionChoices> {
  const [all, known = []] = await Promise.all([places.all(), soon(agents(), withinMs, clock)]);
  const shared = all.filter((place) => places.kindOf(place) !== "direct");
  const channels = await Promise.all(
    shared.slice(0, maxChannels).map(async (place) => {
      const { name = place.channel } = await places.nameOf(place);
      return { key: channelKey(place), platform: place.platform, name };
    }),
  );
  const shownName = (text: string) => shorten(cleanText(text), maxNameChars);
  return {
    platforms: [...new Set(all.map(({ platform }) => platform))].sort(),
    channels: channels.sort((one, other) => (one.name < other.name ? -1 : 1)),
    agents: known
      .map((agent) => ({
        key: `${agent.project}.${agent.name}`,
        name: shownName(agent.project === project ? agent.name : `${agent.project}.${agent.name}`),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
}
