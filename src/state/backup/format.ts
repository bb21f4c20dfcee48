/**
 * The file of a backup: JSON, one in a line, compressed with gzip. The first line says what it is, then comes one stored
 * thing a line, and the last line has how many there are of each kind and the SHA-256 of everything before it. The same
 * for both stores.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { StoredItem } from "../../core/ports/storage/contents.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import type { FilePiece } from "./files.ts";

const formatName = "parley-backup";
/** Increases when an older Parley could not restore the file. */
const formatVersion = 1;
/** Characters handed to gzip at once. */
const chunkSize = 64 * 1024;
/** Of one line. The largest records are some megabytes: an answer with its tables, or a part of an uploaded file. */
const maxLineBytes = 256 * 1024 * 1024;

const count = z.number().int().nonnegative();
const text = z.string();
const time = z.number();

const headerSchema = z.object({
  format: z.literal(formatName),
  version: count,
  /** Of Parley. */
  writtenBy: text,
  from: z.enum(["SQLite", "Redis"]),
  createdAtMs: time,
});
const trailerSchema = z.object({ counts: z.record(text, count), sha256: text });

/** Checked whole when it is read from the store later. */
const isRecord = (value: unknown) =>
  isObject(value) && [value["id"], value["eventKey"], value["state"]].every((each) => typeof each === "string");
const itemSchema = z.discriminatedUnion("in", [
  z.strictObject({ in: z.literal("turns"), record: z.custom<Turn>(isRecord) }),
  z.strictObject({ in: z.literal("jobs"), record: z.custom<Job>(isRecord) }),
  z.strictObject({ in: z.literal("collections"), name: text, id: text, fence: count, record: z.unknown() }),
  z.strictObject({
    in: z.literal("values"),
    namespace: text,
    key: text,
    value: z.unknown(),
    expiresAtMs: time.optional(),
  }),
  z.strictObject({ in: z.literal("claims"), key: text, expiresAtMs: time }),
  z.strictObject({
    in: z.literal("works"),
    kind: text,
    key: text,
    payload: z.unknown(),
    state: z.enum(["waiting", "failed"]),
    dueAtMs: time,
    sinceAtMs: time,
    firstAtMs: time.optional(),
    attempts: count,
    begun: count,
    error: text.optional(),
  }),
  z.strictObject({ in: z.literal("fences"), highest: count }),
  z.strictObject({ in: z.literal("files"), name: z.string().regex(/^[a-z-]+\.db$/), at: count, base64: text }),
]);

/** One line. */
export type BackupItem = StoredItem | FilePiece;

export type BackupHeader = Omit<z.infer<typeof headerSchema>, "format" | "version">;

/** By kind. */
export type Counts = Readonly<Record<string, number>>;

/** What expires is counted apart: there can be less of it later. */
export const expiring: readonly string[] = ["expiring", "claims"];

export function createTally() {
  const counts: Record<string, number> = {};
  return {
    add: (item: BackupItem): void => {
      const kind = item.in === "values" && item.expiresAtMs !== undefined ? "expiring" : item.in;
      counts[kind] = (counts[kind] ?? 0) + 1;
    },
    counts: (): Counts => ({ ...counts }),
  };
}

const wrong = (what: string, hint = "Nothing was changed.", cause?: unknown) =>
  new ParleyError("internal", { what, hint, cause });

/** Replaces the file, which nobody else can read. It is on the disk when this resolves. */
export async function writeBackup(
  path: string,
  header: BackupHeader,
  items: AsyncIterable<BackupItem>,
): Promise<Counts> {
  const tally = createTally();
  const hash = createHash("sha256");

  async function* chunks(): AsyncGenerator<string> {
    const first = { format: formatName, version: formatVersion, ...header };
    let chunk = `${JSON.stringify(first)}\n`;
    for await (const item of items) {
      tally.add(item);
      chunk += `${JSON.stringify(item)}\n`;
      if (chunk.length < chunkSize) continue;
      hash.update(chunk);
      yield chunk;
      chunk = "";
    }
    hash.update(chunk);
    yield `${chunk}${JSON.stringify({ counts: tally.counts(), sha256: hash.digest("hex") })}\n`;
  }

  // What was cut short by a full disk or a lost store is an error of the pipeline.
  const target = createWriteStream(path, { mode: 0o600, flush: true });
  await pipeline(Readable.from(chunks()), createGzip(), target);
  return tally.counts();
}

export type BackupLine = { readonly item: BackupItem; readonly bytes: number };
export type BackupEnd = { readonly header: BackupHeader; readonly counts: Counts; readonly sha256: string };

/** Every stored thing. Throws when the file ends too early, isn't a backup, or has changed since it was written. */
export async function* readBackup(path: string): AsyncGenerator<BackupLine, BackupEnd> {
  const hash = createHash("sha256");
  const tally = createTally();
  let header: BackupHeader | undefined;
  let end: z.infer<typeof trailerSchema> | undefined;
  for await (const line of linesOf(path)) {
    if (end !== undefined) throw wrong(`${path} has something after its end, so it isn't whole.`);
    const parsed = parseJson(line.toString());
    if (header === undefined) header = headerIn(path, parsed);
    else if (isObject(parsed) && "in" in parsed) {
      const item = itemSchema.safeParse(parsed);
      if (item.data === undefined) throw damaged(path);
      tally.add(item.data);
      yield { item: item.data, bytes: line.length };
    } else {
      end = trailerSchema.safeParse(parsed).data;
      if (end === undefined) throw damaged(path);
      continue;
    }
    hash.update(line).update("\n");
  }
  if (header === undefined) throw notABackup(path);
  if (end === undefined) throw wrong(`${path} ends in the middle, so it isn't whole.`);
  const isSame = JSON.stringify(end.counts) === JSON.stringify(tally.counts());
  if (!isSame || end.sha256 !== hash.digest("hex")) throw damaged(path);
  return { header, counts: end.counts, sha256: end.sha256 };
}

const notABackup = (path: string) => wrong(`${path} isn't a backup of Parley.`);
const damaged = (path: string, cause?: unknown) =>
  wrong(`${path} has changed since it was written, so it isn't restored.`, undefined, cause);

function headerIn(path: string, line: unknown): BackupHeader {
  const named = isObject(line) && line["format"] === formatName ? line : undefined;
  if (named === undefined) throw notABackup(path);
  const { version } = named;
  if (typeof version === "number" && version > formatVersion) {
    const what = `${path} was written by a newer version of Parley (format ${version}; this one reads ${formatVersion}).`;
    throw wrong(what, "Restore it with that version. Nothing was changed.");
  }
  const header = headerSchema.safeParse(named).data;
  if (header === undefined) throw damaged(path);
  return header;
}

/** Its own splitting: Node's readline also ends a line at U+2028, which JSON may contain. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of unzipped(path)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts);
      [parts, size, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxLineBytes) throw notABackup(path);
  }
  if (size > 0) throw wrong(`${path} ends in the middle, so it isn't whole.`);
}

async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(path), gunzip);
  // It is awaited below, and may have failed before.
  reading.catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await reading;
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    // The header of gzip comes first: without it, nothing else has been read.
    const isOther = thrown instanceof Error && thrown.message === "incorrect header check";
    if (isOther) throw notABackup(path);
    if (code === "Z_BUF_ERROR") throw wrong(`${path} ends in the middle, so it isn't whole.`, undefined, thrown);
    if (typeof code === "string" && code.startsWith("Z_")) throw damaged(path, thrown);
    throw thrown;
  }
}
