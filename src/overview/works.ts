/** Reads background work by kind and state for those who run Parley, and retries what has failed. */

import type { App } from "../app.ts";
import type { WorkLine, WorksReader } from "../core/overview/works.ts";
import { createRedact } from "../operations/redact.ts";
import { cleanText } from "../presentation/drawing.ts";
import { adminPlaceOf } from "./people.ts";

const maxListed = 100;

export function createWorksReader({ settings, state, audit }: App): WorksReader {
  const { works } = state;
  const redact = createRedact(settings.secrets);

  return {
    counts: works.counts,

    list: async (wanted, only) => {
      const kinds = (await works.counts())
        .map(({ kind }) => kind)
        .filter((kind) => only === undefined || kind === only);
      const lines: WorkLine[] = [];
      for (const kind of kinds) {
        for (const work of await works.list(kind, wanted, maxListed - lines.length)) {
          const { error } = work;
          lines.push({ ...work, kind, ...(error === undefined ? {} : { error: cleanText(String(redact(error))) }) });
        }
      }
      return lines;
    },

    // The key may name a person, and entries outlive what is erased.
    retry: async (kind, key, by) => {
      const isThere = await works.retry(kind, key);
      const entry = { role: "manage", action: "work retry", about: { kind }, outcome: "done" } as const;
      if (isThere) await audit.record({ actor: by, place: adminPlaceOf(by) }, entry);
      return isThere;
    },
  };
}
