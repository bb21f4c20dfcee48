/** Remembers the knowledge base that a person has just created, so that the form of an agent can select it. */
import type { Named } from "../../ports/access.ts";
import type { CommandContext } from "../../ports/commands.ts";
import { channelKey } from "../../ports/model/place.ts";
import type { CommandPorts } from "../ports.ts";

export type RecentBase = Named;

type Ports = Pick<CommandPorts, "recentBases" | "log">;
type Who = Pick<CommandContext, "actor" | "place">;

const recentMs = 60 * 60_000;

/** Never rejects: creating it has succeeded. */
export async function noteRecentBase({ recentBases, log }: Ports, who: Who, base: Named): Promise<void> {
  await recentBases
    .set(keyOf(who), base, recentMs)
    .catch((err: unknown) => log.warn({ err }, "Could not remember a knowledge base that was just created"));
}

/** Created by that person in that channel within the last hour. Never rejects. */
export async function recentBase({ recentBases, log }: Ports, who: Who): Promise<Named | undefined> {
  return recentBases.get(keyOf(who)).catch((err: unknown) => {
    log.warn({ err }, "Could not read which knowledge base was just created");
    return undefined;
  });
}

function keyOf({ actor, place }: Who): string {
  return `${channelKey(place)}/${actor.id}`;
}
