/** Logs what a service sends that nobody understands: a few lines, however much of it comes. */

import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Log } from "../../core/ports/log.ts";

/** Each unknown kind is logged once, up to this many kinds, in case a service keeps inventing them. */
const maxKindsLogged = 100;

export function createRunLog({ log, onMalformed }: { readonly log: Log; readonly onMalformed?: () => void }) {
  const kindsLogged = new Set<string>();

  function logUnknown(kind: string): void {
    if (kindsLogged.has(kind) || kindsLogged.size >= maxKindsLogged) return;
    kindsLogged.add(kind);
    log.info({ kind }, "The agent service sent an event of an unknown kind");
  }

  return {
    /** What one run skips because it isn't JSON: counted, since a line for each would log more than was malformed. */
    skipped: () => {
      let count = 0;
      const note = () => {
        count += 1;
        onMalformed?.();
      };
      return { note, count: () => count };
    },
    /** The events of one request. `skipped`: how many of its run were skipped so far. */
    watch: async function* (
      events: AsyncIterable<AgentEvent>,
      skipped: () => number,
      fields: { readonly agent?: string } = {},
    ): AsyncGenerator<AgentEvent, void, undefined> {
      const before = skipped();
      try {
        for await (const event of events) {
          if (event.type === "unknown") logUnknown(event.kind);
          yield event;
        }
      } finally {
        const now = skipped() - before;
        if (now > 0) log.warn({ ...fields, skipped: now }, "Skipped events of the agent service that aren't JSON");
      }
    },
  };
}
