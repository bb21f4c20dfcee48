/** The data of Background work: what waits, runs or has failed, and trying again what has failed. */
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { OldPage } from "./admin-page.ts";

const kind = z.string().max(100);
const listQuery = z.object({ state: z.enum(["waiting", "active", "delayed", "failed"]), kind: kind.optional() });
const retryRequest = z.object({ kind, key: z.string().max(2_000) });

export const worksPage: OldPage = {
  name: "works",
  least: "manage",
  count: async ({ overview }) =>
    (await overview.works.counts()).map(({ failed }) => failed).reduce((sum, failed) => sum + failed, 0),
  mount: (app, { overview: { works } }) => {
    app.get("/api/admin/works", async (context) => context.json({ kinds: await works.counts() }));

    app.get("/api/admin/works/list", async (context) => {
      const { data } = listQuery.safeParse(context.req.query());
      if (data === undefined) throw new ParleyError("command_invalid", adminSentences.noFilter);
      return context.json({ works: await works.list(data.state, data.kind) });
    });

    app.post("/api/admin/works/retry", async (context) => {
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const { data } = retryRequest.safeParse(await context.req.json().catch(() => undefined));
      const by = actorOf(visitorOf(context));
      if (data === undefined || !(await works.retry(data.kind, data.key, by))) {
        throw new ParleyError("place_gone", adminSentences.noWork);
      }
      return context.json({ isBegun: true });
    });
  },
};
