/**
 * Defines the content of a Job's items, stored with the Job as JSON. Any instance can then continue after this one has
 * died. Parsed when it is read from the store.
 */
import { z } from "zod";
import type { Named } from "../../core/access.ts";
import type { Job } from "../../core/model/job.ts";
import { parseJson } from "../../core/tools/parse-json.ts";

const place = z.object({
  platform: z.string(),
  workspace: z.string(),
  channel: z.string(),
  thread: z.string().optional(),
});

const attachment = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number(),
  reference: z.string(),
});

const payload = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("url") }),
  z.object({
    kind: z.literal("rows"),
    text: z.string(),
    format: z.enum(["json", "jsonl", "csv", "text"]),
    title: z.string(),
  }),
  z.object({ kind: z.literal("file"), attachment }),
  z.object({ kind: z.literal("query"), sql: z.string() }),
  z.object({ kind: z.literal("sync"), source: z.string() }),
  z.object({
    kind: z.literal("thread"),
    /** The channel, or the thread if all of it is saved. */
    place,
    messageId: z.string(),
    scope: z.enum(["message", "thread"]),
    rowId: z.string(),
    title: z.string(),
    /** A single message, as it was when it was saved. */
    said: z.object({ authorName: z.string(), text: z.string(), atMs: z.number().optional() }).optional(),
  }),
  z.object({
    kind: z.literal("answer"),
    answer: z.object({
      version: z.literal(1),
      id: z.string(),
      question: z.string(),
      answer: z.string(),
      urls: z.array(z.string()),
      by: z.object({ key: z.string(), name: z.string() }),
      origin: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("gap"), gapId: z.string() }),
        z.object({ kind: z.literal("message"), place, messageId: z.string() }),
        z.object({ kind: z.literal("turn"), turnId: z.string() }),
      ]),
      atMs: z.number(),
    }),
    /** Where its row links to. */
    url: z.string().optional(),
    /** Those who asked. */
    tell: z.boolean(),
  }),
  /** An answered question that is asked again. */
  z.object({ kind: z.literal("check"), gapId: z.string() }),
]);

export type Payload = z.infer<typeof payload>;
export type PayloadOf<K extends Payload["kind"]> = Extract<Payload, { kind: K }>;

/** The limits of an ingest, from the command or the settings. */
export type CrawlLimits = { readonly limit: number; readonly depth: number; readonly domains: readonly string[] };

export function jobOptions({
  action,
  payloads,
  limits,
  isSilent,
  isRefresh,
  isScheduled,
  checked,
}: {
  readonly action: string;
  readonly payloads: readonly Payload[];
  readonly limits?: CrawlLimits;
  /** It posts no message of its own. */
  readonly isSilent?: boolean;
  readonly isRefresh?: boolean;
  readonly isScheduled?: boolean;
  /** The agent whose checks it runs. */
  readonly checked?: string;
}): Job["options"] {
  const areUrls = payloads.every(({ kind }) => kind === "url");
  return {
    action,
    payloads: areUrls ? undefined : payloads.map((one) => JSON.stringify(one)),
    limit: limits?.limit,
    depth: limits?.depth,
    domains: limits?.domains,
    silent: isSilent === true ? "yes" : undefined,
    refresh: isRefresh === true ? "yes" : undefined,
    scheduled: isScheduled === true ? "yes" : undefined,
    check: checked,
  };
}

/** The audited action of a Job that adds an answer. */
export const answerAction = "kb answer";

/** Undefined when nothing usable is stored for that item. */
export function payloadOf(job: Job, index: number): Payload | undefined {
  if (job.items[index]?.kind === "url") return { kind: "url" };
  const { payloads } = job.options;
  const text = Array.isArray(payloads) ? payloads[index] : undefined;
  if (text === undefined) return undefined;
  return payload.safeParse(parseJson(text)).data;
}

export function limitsOf(job: Job): CrawlLimits {
  const { limit, depth, domains } = job.options;
  return {
    limit: typeof limit === "number" ? limit : 1,
    depth: typeof depth === "number" ? depth : 0,
    domains: Array.isArray(domains) ? domains : [],
  };
}

export function actionOf(job: Job): string {
  const { action } = job.options;
  return typeof action === "string" ? action : "kb ingest";
}

/** It puts a person's answer in, and says so to nobody else. */
export function addsAnswer(job: Job): boolean {
  return actionOf(job) === answerAction;
}

export function isSilent(job: Job): boolean {
  return job.options["silent"] === "yes";
}

/** It reads documents of the ledger again. */
export function isRefresh(job: Pick<Job, "options">): boolean {
  return job.options["refresh"] === "yes";
}

/** A schedule began it. */
export function isScheduled(job: Pick<Job, "options">): boolean {
  return job.options["scheduled"] === "yes";
}

/** The agent whose checks it runs; undefined for a Job that adds content. */
export function checkedAgent({ project, options }: Pick<Job, "project" | "options">): Named | undefined {
  const { check } = options;
  return typeof check === "string" ? { project, name: check } : undefined;
}
