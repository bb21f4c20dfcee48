/** Validates the required fields of stored Turns and Jobs. Unknown ones pass: other versions wrote them. */
import { z } from "zod";
import type { DamagedRecords } from "./damaged-records.ts";

const text = z.string();
/** Elements aren't checked: a table can have thousands of rows. */
const list = z.custom<unknown>((value) => Array.isArray(value));
const place = z.looseObject({ platform: text, workspace: text, channel: text, thread: text.optional() });
const actor = z.looseObject({
  id: text,
  workspace: text,
  name: text,
  isAdmin: z.boolean(),
  isGuest: z.boolean(),
  isExternal: z.boolean(),
  isBot: z.boolean(),
  roles: z.array(text),
});
const part = z.looseObject({
  index: z.number(),
  state: z.enum(["intended", "posted", "final", "gone"]),
  generation: z.number().optional(),
});
const reply = z.looseObject({ place, parts: z.array(part) });
const common = {
  version: z.literal(1),
  id: text,
  ref: text,
  eventKey: text,
  createdAtMs: z.number(),
  fence: z.number(),
};

const turnState = z.enum(["queued", "running", "waiting", "answered", "failed", "stopped", "interrupted"]);
const outcome = z.looseObject({
  turnId: text,
  ref: text,
  state: turnState,
  agent: text,
  question: text,
  isPartial: z.boolean(),
  isResumed: z.boolean(),
  steps: z.array(z.looseObject({ tool: text, input: text, state: text })),
  tables: z.array(z.looseObject({ columns: list, rows: list })),
  sources: z.array(z.looseObject({ title: text })),
});

const decision = z.looseObject({ isApproved: z.boolean(), how: z.enum(["person", "expired", "nobody"]) });
const approval = z.looseObject({
  attempt: z.number(),
  round: z.number(),
  askedAtMs: z.number(),
  expiresAtMs: z.number(),
  sentAtMs: z.number().optional(),
  requests: z.array(z.looseObject({ id: text, tool: text, input: text, key: text, decision: decision.optional() })),
});

const turn = z.looseObject({
  ...common,
  askedIn: place,
  conversation: place,
  actor,
  reply,
  order: text,
  question: text,
  attempt: z.number(),
  state: turnState,
  via: z.enum(["message", "command", "shortcut"]),
  attachments: z.array(
    z.looseObject({ id: text, name: text, mediaType: text, sizeBytes: z.number(), reference: text }),
  ),
  agent: z.looseObject({ project: text, name: text }).optional(),
  context: text.optional(),
  outcome: outcome.optional(),
  run: z.looseObject({ handle: z.record(text, text), attempt: z.number() }).optional(),
  serviceThread: z.record(text, text).optional(),
  approval: approval.optional(),
  soFar: outcome.optional(),
});

const job = z.looseObject({
  ...common,
  askedIn: place,
  actor,
  reply,
  project: text,
  knowledgeBase: text,
  way: z.enum(["service", "parley"]),
  state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
  options: z.record(text, z.unknown()),
  items: z.array(
    z.looseObject({
      label: text,
      kind: z.enum(["url", "file", "rows", "query", "thread", "sync", "check"]),
      state: z.enum(["waiting", "running", "done", "failed", "cancelled"]),
    }),
  ),
});

export type RecordName = "turns" | "jobs";

const schemas = { turns: turn, jobs: job };

/** What is wrong with the record, without quoting it; undefined if it is valid. */
function findFault(name: RecordName, id: string, record: unknown): string | undefined {
  const result = schemas[name].safeParse(record);
  if (result.success) return result.data.id === id ? undefined : "its id is another record's";
  const paths = result.error.issues.map(({ path }) => path.join(".")).filter((path) => path !== "");
  return paths.length === 0 ? "it is not an object" : `missing or wrong: ${[...new Set(paths)].slice(0, 5).join(", ")}`;
}

/** Returns a function that reads the record of an id. A damaged one is registered and counts as absent. */
export function createRecordReader<R>(name: RecordName, damaged: DamagedRecords) {
  return (id: string, parse: () => unknown): R | undefined => {
    const key = `${name}/${id}`;
    let record: unknown;
    let fault: string | undefined;
    try {
      record = parse();
      fault = findFault(name, id, record);
    } catch {
      // The parser's message quotes the record, so it isn't used.
      fault = "it is not JSON";
    }
    if (fault === undefined) {
      damaged.remove(key);
      return record as R;
    }
    damaged.add(key, fault);
    return undefined;
  };
}
