/** Background work by kind and state, without secrets, and retrying what has failed. */

import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { Asked } from "../../core/ports/overview.ts";
import type { ListedWork, WorkState } from "../../core/ports/storage/works.ts";
import { createRedact } from "../../operations/redact.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { adminSentences } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { adminPlaceOf, type Page, parsed } from "../page.ts";

const maxListed = 100;

const kind = z.string().max(100);
const listQuery = z.object({ state: z.enum(["waiting", "active", "delayed", "failed"]), kind: kind.optional() });
const retryRequest = z.object({ kind, key: z.string().max(2_000) });

export const worksPage: Page = {
  name: "works",
  least: "manage",
  isOfAll: true,
  count: async ({ state }) => (await state.works.counts()).reduce((sum, { failed }) => sum + failed, 0),
  get: {
    "": async ({ state }) => ({ kinds: await state.works.counts() }),
    "/list": async (app, asked) => {
      const { state, kind } = parsed(listQuery, asked, adminSentences.noFilter);
      return { works: await listWorks(app, state, kind) };
    },
  },
  post: { "/retry": retry },
};

/** Its key holds ids only; its error is without secrets. */
export type WorkLine = ListedWork & { readonly kind: string };

/** Of that kind, or of all of them. */
export async function listWorks({ settings, state: { works } }: OverviewApp, wanted: WorkState, only?: string) {
  const redact = createRedact(settings.secrets);
  const kinds = only === undefined ? (await works.counts()).filter((counts) => counts[wanted] > 0) : [{ kind: only }];
  const lines: WorkLine[] = [];
  for (const { kind } of kinds) {
    for (const work of await works.list(kind, wanted, maxListed - lines.length)) {
      const { error } = work;
      lines.push({ ...work, kind, ...(error === undefined ? {} : { error: cleanText(String(redact(error))) }) });
    }
  }
  return lines;
}

/** Begins one that failed anew. */
async function retry({ state, audit }: OverviewApp, { viewer, input }: Asked) {
  const { data } = retryRequest.safeParse(input);
  const isThere = data !== undefined && (await state.works.retry(data.kind, data.key));
  if (!isThere) throw new ParleyError("place_gone", adminSentences.noWork);
  // The key may name a person, and entries outlive what is erased.
  const entry = { role: "manage", action: "work retry", about: { kind: data.kind }, outcome: "done" } as const;
  await audit.record({ actor: viewer, place: adminPlaceOf(viewer) }, entry);
  return { isBegun: true };
}
