/**
 * Decides what becomes of a line that was said to nobody: whether it names a person, and whether a question is worth a
 * run. Nobody waits for it, so whatever can't be found out in time is left to the run's verdict.
 */

import type { Place } from "../../core/model/place.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { BridgeApp } from "../app.ts";
import { likelyNames, type SpokenTo, spokenTo, wordsOfName } from "./spoken-to.ts";

type Message = Extract<Inbound, { kind: "message" }>;

/** Parts of the 3 s in which a message must be acknowledged. */
const namesWithinMs = 800;
const coverWithinMs = 1_000;

export function createOverhearing(app: BridgeApp) {
  const { people, sites, clock } = app;
  /** What the people of a platform's list are called by. */
  const calledBy = new WeakMap<readonly string[], ReadonlySet<string>>();

  function namesOf(list: readonly string[]): ReadonlySet<string> {
    const known = calledBy.get(list) ?? new Set(list.flatMap(wordsOfName));
    calledBy.set(list, known);
    return known;
  }

  async function listed(place: Place, text: string): Promise<ReadonlySet<string>> {
    const platform = sites.get(place.platform)?.platform;
    const asked = platform?.namesOfPeople?.(place, likelyNames(text));
    return namesOf((asked === undefined ? undefined : await withTimeout(asked, namesWithinMs, clock)) ?? []);
  }

  async function isCovered({ actor, place, text }: Message, lastSources: readonly string[]): Promise<boolean> {
    const { service } = app;
    if (service.covers === undefined) return true;
    const resolved = await app.reach.resolve(actor, place);
    if (resolved.kind !== "bound") return true;
    const { project, agent } = resolved.binding;
    return service.covers(project, agent, { question: text, lastSources });
  }

  return {
    /** Whether knowledge that Parley can search itself has something on it. True where that isn't known in time. */
    isWorthARun: async (message: Message, lastSources: readonly string[] = []): Promise<boolean> => {
      return (await withTimeout(isCovered(message, lastSources), coverWithinMs, clock)) ?? true;
    },
    /** The person that a line is for, or about, by the names that are known there. */
    spokenTo: async ({ place, text }: Pick<Message, "place" | "text">): Promise<SpokenTo | undefined> => {
      const seen = people.calledBy(place);
      const found = spokenTo(text, (word) => seen.has(word));
      if (found === "addressed") return found;
      const others = await listed(place, text);
      return spokenTo(text, (word) => seen.has(word) || others.has(word));
    },
  };
}

export type Overhearing = ReturnType<typeof createOverhearing>;
