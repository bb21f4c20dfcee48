/** What a made-up month leaves besides questions: jobs, documents, added answers, schedules, bindings and the audit log. Pure. */

import type { AuditEntry } from "../../src/core/audit.ts";
import type { LedgerDocument } from "../../src/core/content/ledger.ts";
import type { AddedAnswer } from "../../src/core/model/insight.ts";
import type { Job, JobItem, JobState } from "../../src/core/model/job.ts";
import { type Actor, idAway, type Place, personKey } from "../../src/core/model/place.ts";
import { refOf } from "../../src/core/tools/ids.ts";
import type { NewSchedule } from "../../src/insight/schedules/schedules.ts";
import { bases, type Channel, type Company, onPage, project, visitor } from "./company.ts";
import type { Random } from "./random.ts";
import { topics } from "./topics.ts";
import { idAt } from "./turn.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const site = "https://docs.larkmere.example";

function nth<T>(from: readonly T[], at: number): T {
  const found = from[at % from.length];
  if (found === undefined) throw new Error("There is nothing to choose from.");
  return found;
}

const channelAt = ({ channels }: Company, at: number): Channel => nth(channels, at);

/** Who works there: colleagues, or on Discord whoever manages Parley on its page. */
function workerIn(company: Company, place: Place, at: number): Actor {
  if (place.platform !== "discord") return nth(company.peopleIn(place), at).actor;
  return { ...visitor.actor, id: idAway(visitor.actor), workspace: place.workspace };
}

function itemOf(path: string, atMs: number, state: JobItem["state"], reason?: string): JobItem {
  const label = `${site}/${path}`;
  const item = { label, kind: "url", state, url: label, startedAtMs: atMs, endedAtMs: atMs + 2_400 } as const;
  if (state === "waiting") return { label, kind: "url", state, url: label };
  return reason === undefined ? { ...item, title: path, rows: 7, pages: 1 } : { ...item, reason };
}

/**
 * Newest last: one is still running, one failed, one failed in part. On the page none is running: Parley would go on with
 * it at its start, and find none of its pages.
 */
export function jobsOf(company: Company, untilMs: number, random: Random): readonly Job[] {
  const job = (ageMs: number, by: number, base: string, state: JobState, items: readonly JobItem[]): Job => {
    const createdAtMs = untilMs - ageMs;
    const id = idAt(createdAtMs, random);
    const { place } = channelAt(company, by);
    return {
      ...{
        version: 1,
        id,
        ref: refOf(id),
        eventKey: `${place.platform}/${place.workspace}/demo-job/${id}`,
        askedIn: place,
      },
      ...{
        actor: workerIn(company, place, by),
        project,
        knowledgeBase: base,
        way: "parley",
        options: {},
        items,
        state,
      },
      ...{ reply: { place, parts: [{ index: 0, messageId: id, state: "final" }] }, createdAtMs, fence: 0 },
      ...(state === "running" ? {} : { endedAtMs: createdAtMs + items.length * 2_500 }),
    };
  };
  const paths = pages.map(({ path }) => path);
  const whole = (from: number, count: number, atMs: number) =>
    Array.from({ length: count }, (_, at) => itemOf(nth(paths, from + at), atMs + at * 2_500, "done"));
  const gone = "The page was not found (404).";
  const ended = [
    job(26 * dayMs, 2, bases.handbook.name, "done", whole(0, 9, untilMs - 26 * dayMs)),
    job(19 * dayMs, 1, bases.helpCentre.name, "done", whole(4, 12, untilMs - 19 * dayMs)),
    job(12 * dayMs, 2, bases.releases.name, "done", whole(9, 4, untilMs - 12 * dayMs)),
    job(5 * dayMs, 1, bases.helpCentre.name, "cancelled", [itemOf("archive", untilMs - 5 * dayMs, "cancelled")]),
    job(2 * dayMs, 0, bases.releases.name, "failed", [
      itemOf("releases/4-3", untilMs - 2 * dayMs, "failed", gone),
      itemOf("releases/4-4", untilMs - 2 * dayMs, "failed", "The page is for people who log in."),
    ]),
    job(3 * hourMs, 1, bases.helpCentre.name, "done", [
      ...whole(2, 16, untilMs - 3 * hourMs),
      itemOf("old-rates", untilMs - 3 * hourMs, "failed", gone),
      itemOf("old-groups", untilMs - 3 * hourMs, "failed", gone),
    ]),
  ];
  if (company === onPage) return ended;
  const waiting = Array.from({ length: 28 }, (_, at) => itemOf(`policies/${at + 1}`, 0, "waiting"));
  return [...ended, job(90_000, 0, bases.handbook.name, "running", [...whole(0, 12, untilMs - 90_000), ...waiting])];
}

/** Several questions may rest on one. */
const pages = [...new Map(topics.flatMap(({ from }) => (from === undefined ? [] : [[from.path, from]]))).values()];
const documentId = (path: string) => `demo-${path.replaceAll("/", "-")}`;

/** What the knowledge bases hold. */
export function documentsOf(company: Company, untilMs: number): readonly LedgerDocument[] {
  return pages.map(({ base, title, path }, at) => {
    const { place } = channelAt(company, at);
    const by = workerIn(company, place, at % 3);
    const url = `${site}/${path}`;
    const readAtMs = untilMs - ((at * 3) % 26) * dayMs - hourMs;
    return {
      ...{ version: 1, id: documentId(path), project, knowledgeBase: base, origin: { kind: "url", url } },
      ...{ title, url, way: "parley", rows: 1, pages: 1, by: { key: personKey(place, by), name: by.name } },
      ...{ addedAtMs: readAtMs - 30 * dayMs, readAtMs },
      ...(at % 11 === 7 ? { problem: "The page was not found (404)." } : {}),
    };
  });
}

/** The text of each document of a knowledge base, for the service. */
export function rowsOf(base: string): readonly Row[] {
  return pages.flatMap(({ base: own, title, path, passage }) =>
    own === base ? [{ id: rowIdOf(documentId(path)), title, url: `${site}/${path}`, content: passage }] : [],
  );
}

export const rowIdOf = (document: string) => `${document}-1`;

export type Row = { readonly id: string; readonly title: string; readonly url: string; readonly content: string };

export function answersOf(company: Company, untilMs: number, turnIds: readonly string[]): readonly AddedAnswer[] {
  const { place } = channelAt(company, 0);
  const added = [
    ["Who may approve an upgrade to a suite?", "The shift lead may, up to 80 € a night; more needs Ana."],
    ["Which number do guests call after 22:00?", "The on-call line: +49 30 555 0107."],
    ["Do we offer parking?", "Four places in the yard, 9 € a night; they can't be reserved."],
  ] as const;
  return added.map(([question, answer], at) => {
    const by = workerIn(company, place, at);
    return {
      ...{ version: 1, id: `demoanswer${at}`, project, knowledgeBase: bases.handbook.name, question, answer, urls: [] },
      by: { key: personKey(place, by), name: by.name },
      origin: { kind: "turn", turnId: nth(turnIds, at * 7) },
      row: { title: question },
      atMs: untilMs - (at * 6 + 2) * dayMs,
    };
  });
}

export function schedulesOf(company: Company): readonly (NewSchedule & { readonly isPaused: boolean })[] {
  const schedule = (at: number, cron: string, text: string, what: NewSchedule["what"], isPaused = false) => {
    const { place } = channelAt(company, at % 2);
    const owner = workerIn(company, place, at % 3);
    const time = { cron, timeZone: "Europe/Berlin", text };
    return { id: `demoschedule${at}`, owner, place, what, isPaused, time };
  };
  const question = (words: string) => ({ kind: "question", question: words }) as const;
  return [
    schedule(0, "0 8 * * 1", "every Monday at 8:00", question("Which arrivals need special attention this week?")),
    schedule(1, "0 9 * * 1-5", "every weekday at 9:00", question("How many bookings came in yesterday?")),
    schedule(2, "0 9 * * 1", "every Monday at 9:00", { kind: "digest" }),
    schedule(3, "30 16 * * 5", "every Friday at 16:30", question("Which trials end next week?"), true),
  ];
}

export type Audited = Pick<AuditEntry, "actor" | "place" | "role" | "action" | "about" | "outcome" | "code" | "atMs">;

/** Oldest first. */
export function auditOf(company: Company, untilMs: number, random: Random): readonly Audited[] {
  const changes: readonly (readonly [string, AuditEntry["role"], Readonly<Record<string, string>>])[] = [
    ["agent use", "manage", { agent: "support", scope: "channel" }],
    ["parley mode", "manage", { mode: "channel" }],
    ["kb ingest", "ingest", { knowledgeBase: bases.handbook.name, addresses: `${site}/policies` }],
    ["kb answer add", "ingest", { knowledgeBase: bases.handbook.name, question: "Do we offer parking?" }],
    ["agent edit", "manage", { agent: "sales", changed: "instructions" }],
    ["kb refresh", "manage", { knowledgeBase: bases.helpCentre.name }],
    ["kb retry", "ingest", { knowledgeBase: bases.helpCentre.name, failed: "2" }],
    ["schedule create", "ask", { time: "every Monday at 8:00" }],
    ["agent check", "manage", { agent: "support", questions: "12" }],
    ["kb use", "manage", { knowledgeBase: bases.handbook.name }],
    ["agent delete", "manage", { agent: "onboarding_old" }],
  ];
  const entries = Array.from({ length: 64 }, (_, at): Audited => {
    const [action, role, about] = nth(changes, at);
    const { place } = channelAt(company, at);
    const { id, name } = workerIn(company, place, role === "manage" ? at % 2 : at % 4);
    const atMs = untilMs - Math.round(((63 - at) / 64) * 30 * dayMs) - random.between(60_000, 6 * hourMs);
    const entry = { actor: { id, name }, place, role, action, about, atMs };
    if (at % 21 === 9) return { ...entry, outcome: "failed", code: "service_unreachable" };
    if (at % 16 !== 5) return { ...entry, outcome: "done" };
    const first = channelAt(company, 0).place;
    return { ...entry, place: first, actor: workerIn(company, first, 6), outcome: "refused" };
  });
  return entries.sort((one, other) => one.atMs - other.atMs);
}
