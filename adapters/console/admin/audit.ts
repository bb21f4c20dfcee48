/** The Audit page's data: who changed what, and who was refused. As a list, and as CSV of the filtered list. */
import { z } from "zod";
import type { AuditEntry } from "../../../src/core/audit.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { type Place, personKey, workspaceKey } from "../../../src/core/model/place.ts";
import type { AuditFilter } from "../../../src/core/overview/audit-log.ts";
import type { Places } from "../../../src/core/overview/places.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { codeText } from "../../../src/presentation/sentences.ts";
import type { AdminPage } from "./admin-page.ts";
import { csvResponse } from "./csv.ts";

const perPage = 50;

const time = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const text = z.string().max(500).optional();
const query = z.object({
  from: time,
  until: time,
  person: text,
  action: text,
  outcome: z.enum(["done", "failed", "refused"]).optional(),
  platform: text,
  workspace: text,
  cursor: text,
});

function filterOf(given: Readonly<Record<string, string>>): AuditFilter & { readonly cursor?: string } {
  const parsed = query.safeParse(given);
  if (!parsed.success)
    throw new ParleyError("command_invalid", { hint: "Reload the page and choose the filters again." });
  const { from, until, person, action, outcome, platform, workspace, cursor } = parsed.data;
  return { fromMs: from, untilMs: until, person, action, outcome, platform, workspace, cursor };
}

const spoken = (entry: AuditEntry) => Object.entries(entry.about).map(([name, value]) => [name, cleanText(value)]);

/** A line of the log, as the page gets it. */
export type AuditRow = Awaited<ReturnType<typeof shown>>;

async function shown(entry: AuditEntry, places: Places) {
  const { atMs, actor, place, role, action, outcome, code, count, lastAtMs } = entry;
  return {
    atMs,
    place: await placeOf(place, places),
    role,
    outcome,
    action: cleanText(action),
    about: spoken(entry),
    actor: { key: personKey(place, actor), name: cleanText(actor.name) },
    workspace: workspaceKey(place),
    code,
    what: code === undefined ? undefined : codeText(code)?.what,
    count,
    lastAtMs,
  };
}

/** The id of a direct message's channel says nothing to people. */
async function placeOf(place: Place, places: Pick<Places, "kindOf" | "nameOf">) {
  const { platform, workspace } = place;
  if (place.channel !== "" && places.kindOf(place) === "direct") return { platform, workspace, isDirect: true };
  return { ...place, ...(await places.nameOf(place)) };
}

const columns = [
  ...["time", "person", "person id", "platform", "workspace", "channel", "thread", "role", "action", "about"],
  ...["outcome", "error", "times", "last time"],
] as const;

function* rowsOf(entry: AuditEntry): Generator<readonly (string | number)[]> {
  const { atMs, actor, place, role, action, outcome, code = "", count = 1, lastAtMs } = entry;
  const about = spoken(entry).map(([name, value]) => `${name}: ${value}`);
  const iso = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());
  yield [
    ...[iso(atMs), actor.name, actor.id, place.platform, place.workspace, place.channel, place.thread ?? "", role],
    ...[action, about.join("; "), outcome, code, count, iso(lastAtMs)],
  ];
}

export const auditPage: AdminPage = {
  name: "audit",
  least: "manage",
  mount: (app, { overview: { audit, places } }) => {
    app.get("/api/admin/audit", async (context) => {
      const { cursor, ...filter } = filterOf(context.req.query());
      const { entries, next } = await audit.page(filter, cursor, perPage);
      return context.json({
        rows: await Promise.all(entries.map((entry) => shown(entry, places))),
        next,
      });
    });

    app.get("/api/admin/audit/choices", async (context) => {
      const { people, actions, workspaces } = await audit.choices();
      const named = people.map(({ key, name }) => ({ key, name: cleanText(name) }));
      return context.json({ people: named, actions: actions.map(cleanText), workspaces });
    });

    app.get("/api/admin/audit.csv", (context) => {
      const { cursor: _, ...filter } = filterOf(context.req.query());
      return csvResponse("parley-audit.csv", columns, rows(audit.all(filter)));
    });
  },
};

async function* rows(entries: AsyncIterable<AuditEntry>) {
  for await (const entry of entries) yield* rowsOf(entry);
}
