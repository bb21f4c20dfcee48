/** Where questions were asked lately, and which agents answered: also what no longer exists. Read from the counters. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../../app.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import { tallyDays } from "../../core/ports/storage/tallies.ts";
import { dayOf, lists, readWhere } from "../figures/slots.ts";

type AgentName = { readonly project: string; readonly name: string };

/** Several people look at the list. */
const keptMs = 60_000;

export type Occurring = {
  /** Those of direct messages have an empty channel. */
  readonly places: readonly Place[];
  readonly agents: readonly AgentName[];
};

export function createOccurring(app: App): () => Promise<Occurring> {
  const { clock } = app;
  const { tallies } = app.state;

  let kept: { readonly found: Promise<Occurring>; readonly untilMs: number } | undefined;

  async function read(): Promise<Occurring> {
    const places = new Map<string, Place>();
    const agents = new Map<string, AgentName>();
    const today = dayOf(clock.now());
    for (let day = today; day > today - tallyDays; day -= 1) {
      for (const counter of (await tallies.read(day, lists.channels)).keys()) {
        const found = readWhere(counter.slice(0, counter.lastIndexOf(" ")));
        if (found === undefined) continue;
        places.set(channelKey(found.place), found.place);
        if (found.agent !== undefined) agents.set(`${found.agent.project}.${found.agent.name}`, found.agent);
      }
      await nextTurn();
    }
    return { places: [...places.values()], agents: [...agents.values()] };
  }

  return () => {
    if (kept !== undefined && kept.untilMs > clock.now()) return kept.found;
    const found = read();
    kept = { found, untilMs: clock.now() + keptMs };
    found.catch(() => {
      kept = undefined;
    });
    return found;
  };
}
