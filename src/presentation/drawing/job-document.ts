/** Draws a Job: a headline with the count, and a line per item. Of hundreds, the failed ones are shown. */

import type { Action, Document, Inline, ListItem, Tone } from "../../core/document.ts";
import type { ParleyError } from "../../core/errors.ts";
import type { Job, JobItem, RefreshOutcome, SomeFiles, SyncedItem } from "../../core/model/job.ts";
import { errorText } from "../sentences/errors.ts";
import { jobSentences, ledgerSentences as says } from "../sentences/knowledge.ts";
import { countText, durationText, numberText } from "../sentences/quantities.ts";
import { labels } from "../sentences/questions.ts";
import { shorten } from "../sentences/steps.ts";
import { bold, code, dotted, inlineText, link, person, say } from "./inline.ts";
import { checkDocument } from "./learning/check-document.ts";
import { cleanText } from "./sanitise.ts";

/** Most lines shown; the rest is counted by state. */
const maxJobLines = 30;
const maxLabelChars = 70;
/** Discord allows 100 characters for a button's value and name together. */
const maxButtonNameChars = 60;
const maxReasonChars = 160;
const maxNamesChars = 300;
const longMs = 10_000;

/** What to say, and perhaps to press, while no agent looks in the knowledge base that something was added to. */
export type ReaderOffer = {
  readonly sentences: readonly Inline[];
  readonly action?: Action;
  /** Less important ones. */
  readonly actions?: readonly Action[];
};

/** `isServiceAway`: an item waits for the agent service to come back. `offer`: at its end. */
export function jobDocument(
  job: Job,
  nowMs: number,
  { isServiceAway = false, offer }: { readonly isServiceAway?: boolean; readonly offer?: ReaderOffer | undefined } = {},
): Document {
  const { check } = job.options;
  if (typeof check === "string") return checkDocument(job, check, nowMs, isServiceAway);
  const isOver = job.state === "done" || job.state === "failed" || job.state === "cancelled";
  const headline = headlineOf(job);
  const told = job.options["scheduled"] === "yes" ? job.items.filter(isNews) : job.items;
  const shown = chooseItems(told);
  const hidden = told.filter((item) => !shown.has(item));
  const items: ListItem[] = [...shown].flatMap((item) => [itemLine(item, nowMs), ...syncedLines(item)]);
  items.push(...hiddenLines(hidden));
  const quiet = dotted(
    say`${isRefresh(job) ? "refreshed by " : isSync(job) ? "synced by " : "added by "}${person(job.actor.name, job.actor.id)}`,
    durationText((job.endedAtMs ?? nowMs) - job.createdAtMs),
    job.items.some((item) => item.kind === "url")
      ? job.way === "service"
        ? "read by the agent service"
        : "read by Parley"
      : undefined,
    isOver && toneOf(job) !== "done" ? say`ref ${code(job.ref)}` : undefined,
  );
  return {
    tone: toneOf(job),
    blocks: [
      { kind: "headline", text: headline },
      ...(isServiceAway ? [{ kind: "text" as const, text: say`${jobSentences.serviceAway}` }] : []),
      ...(items.length === 0 ? [] : [{ kind: "list" as const, items }]),
      ...(offer?.sentences ?? []).map((sentence) => ({ kind: "text" as const, text: sentence })),
      { kind: "quiet", text: quiet },
    ],
    actions: isOver
      ? endActions(job, offer)
      : [{ id: "cancel-job", label: labels.cancel, value: job.id, style: "plain" }],
    summary: shorten(inlineText(isOver ? headline : titleOf(job)), 150),
  };
}

/** For another place, when the Job's own message could not be shown: why, and its content, without its buttons. */
export function unshownJobDocument(job: Job, nowMs: number, error: ParleyError): Document {
  const { blocks, ...rest } = jobDocument(job, nowMs);
  return {
    ...rest,
    blocks: [
      { kind: "text", text: say`This couldn't be shown where you asked for it. ${errorText(error).what}` },
      ...blocks,
    ],
    actions: [],
  };
}

/** Its knowledge base and how far it is; says nothing about the content. */
export function headlineOf(job: Job): Inline {
  const progress = progressOf(job);
  return say`${titleOf(job)}${progress === "" ? "" : ` · ${progress}`}`;
}

/** A schedule repeats what it finds, so what is as it was is only counted. */
const isNews = ({ outcome }: JobItem): boolean => outcome !== "unchanged";

const isRefresh = (job: Job): boolean => job.options["refresh"] === "yes";
const isSync = (job: Job): boolean => job.options["action"] === "kb sync";

/** What it does or did, and in which knowledge base. */
function titleOf(job: Job): Inline {
  return say`${bold(isRefresh(job) ? refreshTitle(job) : isSync(job) ? syncTitle(job) : addingTitle(job))}${code(job.knowledgeBase)}`;
}

function addingTitle({ state, items }: Job): string {
  switch (state) {
    case "queued":
    case "running":
      return "Adding to ";
    case "done":
    case "failed":
      return items.length > 0 && count(items, "done") === 0 ? "Nothing was added to " : "Added to ";
    case "cancelled":
      return "Cancelled adding to ";
    default:
      return state satisfies never;
  }
}

function refreshTitle({ state }: Job): string {
  if (state === "queued" || state === "running") return "Refreshing ";
  return state === "cancelled" ? "Cancelled refreshing " : "Refreshed ";
}

function syncTitle({ state }: Job): string {
  if (state === "queued" || state === "running") return "Syncing ";
  return state === "cancelled" ? "Cancelled syncing " : state === "failed" ? "Could not sync " : "Synced ";
}

const refreshOutcomes = ["updated", "unchanged", "moved", "removed", "gone", "login"] as const;

/** "1 of 3 done, 1 failed", or for a finished refresh "3 updated, 40 unchanged, 1 gone". */
function progressOf(job: Job): string {
  const { items, state } = job;
  const isRunning = state === "queued" || state === "running";
  if (isRunning || !(isRefresh(job) || isSync(job))) {
    return jobSentences.progress(count(items, "done"), items.length, count(items, "failed"));
  }
  const files = (count: (synced: SyncedItem) => number) =>
    items.reduce((sum, { synced }) => sum + (synced === undefined ? 0 : count(synced)), 0);
  const ofFiles: Partial<Record<RefreshOutcome, number>> = {
    updated: files(({ updated }) => updated.count),
    unchanged: files(({ unchanged }) => unchanged),
    removed: files(({ gone }) => gone.count),
  };
  const added = files((synced) => synced.added.count);
  const known = refreshOutcomes.flatMap((outcome) => {
    const pages = items.filter((item) => item.synced === undefined && item.outcome === outcome).length;
    const found = pages + (ofFiles[outcome] ?? 0);
    return found === 0 ? [] : [says.counted[outcome](found)];
  });
  const failedItems = items.filter((item) => item.state === "failed" && item.outcome === undefined).length;
  const failed = failedItems + files((synced) => synced.failed.count);
  return [
    ...(added === 0 ? [] : [says.addedFiles(added)]),
    ...known,
    ...(failed === 0 ? [] : [`${numberText(failed)} failed`]),
  ].join(", ");
}

function toneOf(job: Job): Tone {
  const failed = count(job.items, "failed");
  const done = count(job.items, "done");
  switch (job.state) {
    case "queued":
      return "waiting";
    case "running":
      return failed > 0 ? "partial" : "running";
    case "cancelled":
      return "stopped";
    case "failed":
      return done > 0 ? "partial" : "failed";
    case "done":
      if (failed === 0) return job.items.some(({ synced }) => (synced?.failed.count ?? 0) > 0) ? "partial" : "done";
      return done > 0 ? "partial" : "failed";
    default:
      return job.state satisfies never;
  }
}

/** Which items are shown, in the Job's own order: failed ones first, then running, the latest done, waiting. */
function chooseItems(items: readonly JobItem[]): ReadonlySet<JobItem> {
  if (items.length <= maxJobLines) return new Set(items);
  const byImportance = (["failed", "running", "done", "waiting", "cancelled"] as const).flatMap((state) => {
    const found = items.filter((item) => item.state === state);
    return state === "done" ? found.reverse() : found;
  });
  // Two lines are reserved for the counts.
  const chosen = new Set(byImportance.slice(0, maxJobLines - 2));
  return new Set(items.filter((item) => chosen.has(item)));
}

function hiddenLines(hidden: readonly JobItem[]): readonly ListItem[] {
  const failed = count(hidden, "failed");
  const done = count(hidden, "done");
  const waiting = count(hidden, "waiting") + count(hidden, "running");
  const cancelled = count(hidden, "cancelled");
  const lines: ListItem[] = [];
  if (failed > 0) lines.push({ mark: "failed", text: say`+${numberText(failed)} failed` });
  if (done > 0) lines.push({ mark: "done", text: say`+${numberText(done)} done` });
  if (waiting > 0) lines.push({ mark: "waiting", text: say`+${numberText(waiting)} waiting` });
  if (cancelled > 0) lines.push({ mark: "bullet", text: say`+${numberText(cancelled)} cancelled` });
  return lines;
}

function count(items: readonly JobItem[], state: JobItem["state"]): number {
  return items.filter((item) => item.state === state).length;
}

function itemLine(item: JobItem, nowMs: number): ListItem {
  const name = itemName(item);
  switch (item.state) {
    case "done":
      return { mark: "done", text: dotted(name, amount(item), ...notesOf(item)) };
    case "failed": {
      const reason = shorten(cleanText(item.reason ?? ""), maxReasonChars);
      return { mark: "failed", text: dotted(name, reason === "" ? "failed (no reason given)" : reason) };
    }
    case "running":
      return { mark: "running", text: dotted(name, amount(item), elapsed(item, nowMs)) };
    case "waiting":
      return { mark: "waiting", text: name };
    case "cancelled":
      return { mark: "bullet", text: dotted(name, "cancelled") };
    default:
      return item.state satisfies never;
  }
}

function notesOf({ notes = [] }: JobItem): readonly string[] {
  return notes.map((note) => shorten(cleanText(note), maxReasonChars));
}

/** Which files of a synced source are new, changed, gone and not read. */
function syncedLines({ state, synced }: JobItem): readonly ListItem[] {
  if (synced === undefined || state === "waiting" || state === "running") return [];
  const { added, updated, gone, failed } = synced;
  const named = (what: string, { count, names }: SomeFiles): readonly ListItem[] =>
    count === 0 ? [] : [{ mark: "bullet", text: say`${what}: ${namesText(count, names)}` }];
  const more = failed.count - failed.files.length;
  return [
    ...named("Added", added),
    ...named("Changed", updated),
    ...named("Gone", gone),
    ...failed.files.map(({ name, reason }): ListItem => {
      return { mark: "failed", text: dotted(cleanText(name), shorten(cleanText(reason), maxReasonChars)) };
    }),
    ...(more > 0 ? [{ mark: "failed", text: say`+${numberText(more)} failed` } as const] : []),
  ];
}

function namesText(count: number, names: readonly string[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const name of names) {
    chars += name.length;
    if (shown.length > 0 && chars > maxNamesChars) break;
    shown.push(cleanText(name));
  }
  const more = count - shown.length;
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${numberText(more)} more`}`;
}

/** The title as a link, with host and path beside it, so that everyone sees where it leads. */
function itemName(item: JobItem): Inline {
  const address = item.url === undefined ? undefined : shorten(shownAddress(item.url), maxLabelChars);
  const title = shorten(cleanText(item.title ?? ""), maxLabelChars);
  if (item.url === undefined || address === undefined) {
    return say`${title === "" ? shorten(cleanText(item.label), maxLabelChars) : title}`;
  }
  if (title === "" || title === address) {
    // A URL that failed is not offered as a link.
    return item.state === "failed" ? say`${address}` : say`${link(address, item.url)}`;
  }
  return item.state === "failed" ? say`${title} (${address})` : say`${link(title, item.url)} (${address})`;
}

/** "example.com/docs/start", without scheme, query and trailing slash. */
function shownAddress(url: string): string {
  if (!URL.canParse(url)) return cleanText(url);
  const parsed = new URL(url);
  return cleanText(`${parsed.host}${parsed.pathname.replace(/\/$/, "")}`);
}

function amount(item: JobItem): string | undefined {
  if (item.synced !== undefined) return syncedAmount(item.synced);
  if (item.outcome !== undefined) return says.outcome[item.outcome];
  const { pages, size, rows, replaced } = item;
  const read = [
    ...(pages === undefined ? [] : [countText(pages, "page")]),
    ...(size === undefined ? [] : [countText(size.count, size.unit)]),
    ...(rows === undefined || (size !== undefined && size.unit !== "sheet") ? [] : [countText(rows, "row")]),
  ];
  if (replaced !== undefined) read.push(`replacing ${countText(replaced, "row")} of other files with the same id`);
  return read.length === 0 ? undefined : read.join(", ");
}

/** "240 files", "240 files, 12 of other kinds left out". */
function syncedAmount({ added, updated, unchanged, failed, leftOut }: SyncedItem): string {
  const files = countText(added.count + updated.count + unchanged + failed.count, "file");
  return leftOut === 0 ? files : `${files}, ${numberText(leftOut)} of other kinds left out`;
}

/** Shown once it takes long: the service may be silent for minutes, and this shows that work continues. */
function elapsed({ startedAtMs }: JobItem, nowMs: number): string | undefined {
  const ms = nowMs - (startedAtMs ?? nowMs);
  return ms < longMs ? undefined : durationText(ms);
}

/** The Job's id and its knowledge base: the form opens before the Job can be read. */
function askAboutValue({ id, knowledgeBase }: Job): string {
  return `${id} ${shorten(cleanText(knowledgeBase), maxButtonNameChars)}`;
}

function endActions(job: Job, offer: ReaderOffer | undefined): readonly Action[] {
  const failed = job.items.some((item) => item.state === "failed" || item.state === "cancelled");
  const done = job.items.some((item) => item.state === "done");
  const gone = job.items.filter((item) => item.outcome === "gone").length;
  return [
    ...(failed ? [{ id: "retry-job", label: labels.retryFailed, value: job.id, style: "plain" } as const] : []),
    ...(gone > 0
      ? [
          {
            id: "remove-gone",
            label: gone === 1 ? "Remove the page" : `Remove ${numberText(gone)} pages`,
            value: job.id,
            style: "danger",
          } as const,
        ]
      : []),
    ...(offer?.action === undefined ? [] : [offer.action]),
    ...(offer?.actions ?? []),
    ...(done
      ? [
          {
            id: "ask-about",
            label: labels.askAbout,
            value: askAboutValue(job),
            style: offer?.action === undefined ? "primary" : "plain",
          } as const,
        ]
      : []),
  ];
}
