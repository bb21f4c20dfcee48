/**
 * The files of a message: what is sent with it, and what an edit keeps. `attachments` names both, files that come by
 * their number and files that stay by their id; once it is there, a file that it doesn't name is gone.
 */

import { type Json, type Message, v2Flag } from "../world.ts";
import { mediaOf } from "./components.ts";

export type SentFile = {
  /** Of its field, `files[0]`. */
  readonly index: number;
  readonly name: string;
  readonly type: string;
  readonly data: Buffer;
};

export type Attached = {
  readonly problems: readonly string[];
  /** What Discord takes, and would leave standing. */
  readonly regrets: readonly string[];
  readonly attachments: readonly Json[];
};

const maxFiles = 10;
const maxBytes = 10 * 1024 * 1024;
const maxDescription = 1_024;

/** `before`: the message that is edited. */
export function attach(
  body: Json,
  files: readonly SentFile[],
  before: Message | undefined,
  snowflake: () => string,
): Attached {
  const problems: string[] = [];
  const listed = body["attachments"];
  const isListed = listed !== undefined && listed !== null;
  const entries = (Array.isArray(listed) ? listed : []) as readonly Json[];
  if (isListed && !Array.isArray(listed)) problems.push("attachments is a list");
  if (files.length > maxFiles || entries.length > maxFiles) problems.push("more than 10 files");
  if (files.reduce((sum, { data }) => sum + data.length, 0) > maxBytes) problems.push("files over 10 MiB");
  const standing = before?.attachments ?? [];
  const kept = isListed ? standing.filter(({ id }) => entries.some((entry) => String(entry["id"]) === id)) : standing;
  for (const { id, description } of entries) {
    const isKnown = standing.some((one) => one["id"] === String(id)) || files.some(({ index }) => index === Number(id));
    if (!isKnown) problems.push(`ATTACHMENT_NOT_FOUND: ${String(id)}`);
    if (String(description ?? "").length > maxDescription) problems.push("a description is longer than 1024");
  }
  const added = files.map((file): Json => {
    const entry = entries.find(({ id }) => Number(id) === file.index);
    if (isListed && entry === undefined) problems.push(`attachments doesn't list ${file.name}`);
    const { filename = file.name, description } = entry ?? {};
    return {
      ...{ id: snowflake(), filename, size: file.data.length, content_type: file.type, url: "" },
      ...(description === undefined ? {} : { description }),
      text: file.data.toString(),
    };
  });
  const attachments = [...kept, ...added];
  return {
    problems: [...problems, ...missing(body, attachments)],
    regrets: unshown(body, before, attachments),
    attachments,
  };
}

/** What is wrong with a new message of components that has these files. */
export function fileProblems(body: Json, attachments: readonly Json[]): readonly string[] {
  return [...missing(body, attachments), ...unshown(body, undefined, attachments)];
}

/** A component shows only what the message has. */
function missing(body: Json, attachments: readonly Json[]): readonly string[] {
  const there = attachments.map(({ filename }) => `attachment://${String(filename)}`);
  return mediaOf(body["components"])
    .filter((url) => url.startsWith("attachment://") && !there.includes(url))
    .map((url) => `UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND: ${url}`);
}

/** A message of components shows exactly the files that its components name: others pile up unseen. */
function unshown(body: Json, before: Message | undefined, attachments: readonly Json[]): readonly string[] {
  if ((Number(body["flags"] ?? before?.flags ?? 0) & v2Flag) === 0) return [];
  const shown = mediaOf(body["components"] ?? before?.components);
  return attachments
    .map(({ filename }) => `attachment://${String(filename)}`)
    .filter((url) => !shown.includes(url))
    .map((url) => `a file that no component shows: ${url}`);
}
