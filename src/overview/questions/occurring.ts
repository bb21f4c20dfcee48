/** Where questions were asked lately, and which agents answered: also what no longer exists. Read from the counts. */

import type { App } from "../../app.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import { channelsOf, countsIn } from "../../insight/counts/question-counts.ts";
import { readWhere } from "../../insight/counts/share.ts";

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
  let kept: { readonly found: Promise<Occurring>; readonly untilMs: number } | undefined;

  async function read(): Promise<Occurring> {
    const places = new Map<string, Place>();
    const agents = new Map<string, AgentName>();
    const seen = new Set<string>();
    for await (const { record } of countsIn(app.state).all({ order: "sinceMs" })) {
      for (const [where, [questions]] of channelsOf(record)) {
        // Where only a digest counts, one person asked in private.
        if (questions === 0 || seen.has(where)) continue;
        seen.add(where);
        const found = readWhere(where);
        if (found === undefined) continue;
        places.set(channelKey(found.place), found.place);
        if (found.agent !== undefined) agents.set(`${found.agent.project}.${found.agent.name}`, found.agent);
      }
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
