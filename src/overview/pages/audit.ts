/** The audit log: who changed what, and who was refused, over all workspaces. As a list, and as CSV of the filtered list. */
import { z } from "zod";
import { type AuditEntries, type AuditEntry, type AuditField, auditEntriesIn } from "../../core/audit.ts";
import { type Actor, type Place, personKey, workspaceKey } from "../../core/model/place.ts";
import type { Query } from "../../core/ports/collection.ts";
import type { Asked } from "../../core/ports/overview.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { codeText } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { overseen, workspaceFor } from "../oversight.ts";
import { type CsvRow, csvFile, type Page, parsed } from "../page.ts";

const perPage = 50;
const maxChoices = 200;
const maxReadForChoices = 1_000;

const time = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const text = z.string().max(500).optional();
const query = z.object({
  from: time,
  /** Exclusive. */
  until: time,
  /** `personKey` of the place and the actor. */
  person: text,
  action: text,
  outcome: z.enum(["done", "failed", "refused"]).optional(),
  platform: text,
  /** `workspaceKey` of the place. */
  workspace: text,
  /** `next` of the page before; one that makes no sense begins at the newest. */
  cursor: text,
});
const says = { hint: "Reload the page and choose the filters again." };

type AuditQuery = z.infer<typeof query>;

export const auditPage: Page = {
  name: "audit",
  least: "manage",
  get: {
    "": (app, asked) => listAudit(app, queryFor(asked)),
    "/choices": (app, { viewer }) => auditChoices(app, viewer),
  },
  files: {
    ".csv": (app, asked) => csvFile("parley-audit.csv", columns, csvRows(app, queryFor(asked))),
  },
};

/** Who manages some workspaces looks at one of them at a time. */
function queryFor(asked: Asked): AuditQuery {
  const wanted = parsed(query, asked, says);
  const [platform, workspace] = wanted.workspace?.split("/").map(decodeURIComponent) ?? [wanted.platform];
  const own = workspaceFor(asked.viewer, { platform, workspace });
  return own === undefined ? wanted : { ...wanted, workspace: workspaceKey(own) };
}

/** A line of the log. */
export type AuditRow = Awaited<ReturnType<typeof rowOf>>;

/** Newest first. */
export async function listAudit(app: OverviewApp, { cursor, ...filter }: AuditQuery) {
  const { entries, next } = await auditEntriesIn(app.state).query(queryOf(filter), perPage, cursor);
  return { rows: await Promise.all(entries.map(({ record }) => rowOf(app, record))), next };
}

async function rowOf({ places }: OverviewApp, entry: AuditEntry) {
  const { atMs, actor, place, role, action, outcome, code, count, lastAtMs } = entry;
  return {
    atMs,
    place: await placeOf(places, place),
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
async function placeOf(places: OverviewApp["places"], place: Place) {
  const { platform, workspace } = place;
  if (place.channel !== "" && places.kindOf(place) === "direct") return { platform, workspace, isDirect: true };
  return { ...place, ...(await places.nameOf(place)) };
}

const spoken = (entry: AuditEntry) => Object.entries(entry.about).map(([name, value]) => [name, cleanText(value)]);

/** What there is to filter by; each list has what was used last first. */
export type AuditChoices = {
  readonly people: readonly { readonly key: string; readonly name: string }[];
  readonly actions: readonly string[];
  /** Workspace keys. */
  readonly workspaces: readonly string[];
};

export async function auditChoices({ state }: OverviewApp, viewer: Actor): Promise<AuditChoices> {
  const entries = auditEntriesIn(state);
  const own = overseen(viewer)?.map(workspaceKey);
  if (own !== undefined) return choicesAmong(entries, own);
  /** The entries that were the last of a person, an action or a workspace, the newest first. */
  const lastOfEach = async (field: AuditField) => {
    const groups = await entries.groups({ by: [field], order: "atMs" });
    return groups.slice(0, maxChoices).map(({ values, newest }) => ({ value: String(values[field]), id: newest.id }));
  };
  // One after the other: SQLite would count all three in the same turn of the event loop.
  const people = await lastOfEach("person");
  const actions = await lastOfEach("action");
  const workspaces = await lastOfEach("workspace");
  const named = people.map(async ({ value, id }) => ({
    key: value,
    name: cleanText((await entries.get(id))?.record.actor.name ?? ""),
  }));
  return {
    people: await Promise.all(named),
    actions: actions.map(({ value }) => cleanText(value)),
    workspaces: workspaces.map(({ value }) => value),
  };
}

/** What occurs in the newest entries of these workspaces. */
async function choicesAmong(entries: AuditEntries, workspaces: readonly string[]): Promise<AuditChoices> {
  const people = new Map<string, string>();
  const actions = new Set<string>();
  for (const workspace of workspaces) {
    const newest = await entries.query({ order: "atMs", where: { workspace } }, maxReadForChoices);
    for (const { record } of newest.entries) {
      const key = personKey(record.place, record.actor);
      if (!people.has(key)) people.set(key, cleanText(record.actor.name));
      actions.add(cleanText(record.action));
    }
  }
  return { people: Array.from(people, ([key, name]) => ({ key, name })), actions: [...actions], workspaces };
}

const columns = [
  ...["time", "person", "person id", "platform", "workspace", "channel", "thread", "role", "action", "about"],
  ...["outcome", "error", "times", "last time"],
] as const;

async function* csvRows(app: OverviewApp, { cursor: _, ...filter }: AuditQuery): AsyncGenerator<CsvRow, void> {
  for await (const { record } of auditEntriesIn(app.state).all(queryOf(filter))) {
    const { atMs, actor, place, role, action, outcome, code = "", count = 1, lastAtMs } = record;
    const about = spoken(record).map(([name, value]) => `${name}: ${value}`);
    const iso = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());
    yield [
      ...[iso(atMs), actor.name, actor.id, place.platform, place.workspace, place.channel, place.thread ?? "", role],
      ...[action, about.join("; "), outcome, code, count, iso(lastAtMs)],
    ];
  }
}

function queryOf({ from, until, ...where }: Omit<AuditQuery, "cursor">): Query<AuditField> {
  return { order: "atMs", from, until, where };
}
