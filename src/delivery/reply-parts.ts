/**
 * Computes the next write that makes a Reply's messages show the given payloads. Pure: effects and errors belong to the
 * writer. Order matters: a part is posted only after the ones before it, and surplus parts go last.
 */

import type { Place } from "../core/model/place.ts";
import { filePart, type Reply, type ReplyPart } from "../core/model/reply.ts";
import type { FoundPart } from "../core/ports/chat-platform.ts";

export type Part = {
  readonly messageId?: string;
  /** Of the current content, as far as is certain; of a file being posted, the intended content. */
  readonly hash?: string;
  /** That content is shown without something that was not ready. */
  readonly lacks?: true;
  /** Number of messages of this part that are gone. */
  readonly generation: number;
  /** A post with unknown outcome: search for it before posting (again). */
  readonly isUncertain: boolean;
  readonly isFinal: boolean;
  /** An end was written into it, perhaps not as the last thing. Only known to the process that did it. */
  readonly showsEnd?: boolean;
};

export type Parts = ReadonlyMap<number, Part>;

export type Operation =
  /** Search for earlier posts before anything else. */
  | { readonly kind: "find" }
  | { readonly kind: "post"; readonly index: number }
  | { readonly kind: "edit"; readonly index: number; readonly messageId: string }
  /** The end as a new message; the progress that stands is removed later. */
  | { readonly kind: "anew" }
  | { readonly kind: "remove"; readonly index: number; readonly messageId: string };

export function partsOf(reply: Reply): Parts {
  return new Map(
    reply.parts.map(({ index, ...part }): [number, Part] => [
      index,
      {
        messageId: part.messageId,
        hash: part.state === "final" || index === filePart ? part.hash : undefined,
        lacks: part.lacks,
        generation: part.generation ?? 0,
        isUncertain: part.messageId === undefined && part.state !== "gone",
        isFinal: part.state === "final",
      },
    ]),
  );
}

/** The parts as stored. Only final parts have a hash: progress proves nothing after a crash. */
export function replyOf(place: Place, parts: Parts, superseded: readonly string[] = []): Reply {
  const stored = [...parts]
    .sort(([one], [other]) => one - other)
    .map(([index, { messageId, isFinal, isUncertain, hash, ...part }]): ReplyPart => {
      const generation = part.generation === 0 ? {} : { generation: part.generation };
      if (messageId === undefined) {
        const isIntended = isUncertain || part.generation === 0;
        const intended = index === filePart && isIntended && hash !== undefined ? { hash } : {};
        return { index, state: isIntended ? "intended" : "gone", ...intended, ...generation };
      }
      if (isFinal && hash !== undefined) {
        const lacks = part.lacks === true ? { lacks: part.lacks } : {};
        return { index, messageId, state: "final", hash, ...generation, ...lacks };
      }
      return { index, messageId, state: "posted", ...generation };
    });
  if (superseded.length === 0) return { place, parts: stored };
  return { place, parts: stored, superseded: superseded.map((messageId) => ({ messageId })) };
}

/**
 * The next write that brings the messages to `hashes` (one per payload), or undefined when they show them. `isEnd`:
 * removes surplus messages and attaches the file. While an answer runs, the rest of an earlier one can stay.
 */
export function nextOperation(
  parts: Parts,
  hashes: readonly string[],
  isEnd: boolean,
  fileHash?: string,
): Operation | undefined {
  for (const [index, hash] of hashes.entries()) {
    const part = parts.get(index);
    if (part?.messageId === undefined) return beforePost(parts, index) ?? { kind: "post", index };
    if (part.hash !== hash) return { kind: "edit", index, messageId: part.messageId };
  }
  if (!isEnd) return undefined;
  const file = parts.get(filePart);
  const surplus = [...parts]
    .filter(([index]) => index >= hashes.length && (index !== filePart || file?.hash !== fileHash))
    .sort(([one], [other]) => other - one);
  for (const [index, part] of surplus) {
    if (part.messageId !== undefined) return { kind: "remove", index, messageId: part.messageId };
    if (part.isUncertain) return { kind: "find" };
  }
  if (fileHash === undefined || file?.messageId !== undefined) return undefined;
  return beforePost(parts, filePart) ?? { kind: "post", index: filePart };
}

/**
 * How many of these payloads are posted, from the first one on. Without a hash (after a crash) a message counts by its
 * position, except the first, which may still show progress.
 */
export function standing(parts: Parts, hashes: readonly string[]): number {
  const isOneOfMany = [...parts.values()].filter((part) => part.messageId !== undefined).length > 1;
  const shows = (part: Part | undefined, hash: string) =>
    part?.messageId !== undefined && (part.hash === undefined ? isOneOfMany : part.hash === hash);
  const missing = hashes.findIndex((hash, index) => !shows(parts.get(index), hash));
  return missing < 0 ? hashes.length : missing;
}

/**
 * Nothing is posted while an unknown post may exist, nor above an existing message: the successor of a lost part would
 * be read before it.
 */
function beforePost(parts: Parts, index: number): Operation | undefined {
  if ([...parts.values()].some((part) => part.messageId === undefined && part.isUncertain)) return { kind: "find" };
  const later = [...parts].filter(([at]) => at > index).sort(([one], [other]) => other - one);
  for (const [at, part] of later) {
    if (part.messageId !== undefined) return { kind: "remove", index: at, messageId: part.messageId };
  }
  return undefined;
}

export function withPart(parts: Parts, index: number, part: Part): Parts {
  return new Map(parts).set(index, part);
}

/** That message is gone or no longer part of the Reply: its replacement gets the next generation. */
export function withoutMessage(parts: Parts, index: number): Parts {
  if (!parts.has(index)) return parts;
  return withPart(parts, index, { generation: generationOf(parts, index) + 1, isUncertain: false, isFinal: false });
}

/** Whether nothing but progress is shown there, so that an end may be posted beside it. */
export function isOnlyProgress(parts: Parts): boolean {
  return [...parts.values()].every(({ messageId, isUncertain, isFinal, showsEnd }) =>
    messageId === undefined ? !isUncertain : !isFinal && showsEnd !== true,
  );
}

/** What stands is no longer part of the Reply; its first message comes next. */
export function supersede(parts: Parts): { readonly parts: Parts; readonly superseded: readonly string[] } {
  const standing = [...parts].flatMap(([index, { messageId }]) =>
    messageId === undefined ? [] : { index, messageId },
  );
  return {
    parts: standing.reduce((left, { index }) => withoutMessage(left, index), parts),
    superseded: standing.map(({ messageId }) => messageId),
  };
}

/** The new message was not posted: what stood before is part of the Reply again. `parts`: after `supersede`. */
export function restored(parts: Parts, before: Parts): Parts {
  const kept = [...before].map(
    ([index, part]) => [index, { ...part, generation: generationOf(parts, index) }] as const,
  );
  return new Map([...parts, ...kept]);
}

/** All parts are shown; those that were never posted are forgotten. */
export function asFinal(parts: Parts): Parts {
  const kept = [...parts].filter(([, { messageId, generation }]) => messageId !== undefined || generation > 0);
  return new Map(kept.map(([index, part]) => [index, { ...part, isFinal: part.messageId !== undefined }]));
}

export function generationOf(parts: Parts, index: number): number {
  return parts.get(index)?.generation ?? 0;
}

/** The highest generation used in any post. */
export function newestGeneration(parts: Parts): number {
  return Math.max(0, ...[...parts.values()].map(({ generation }) => generation));
}

/**
 * Merges what findOwn found. A part that was searched for and not found can be posted in the next generation, since it
 * may have been posted and deleted. Twins are surplus messages, including those of an earlier generation that was
 * replaced. `isLost`: a post may still be on its way and appear later, so search once more at the end.
 */
export function adopt(
  parts: Parts,
  found: readonly FoundPart[],
  abandoned: ReadonlySet<string>,
): { readonly parts: Parts; readonly twins: readonly string[]; readonly isLost: boolean } {
  const changed = new Map(parts);
  let isLost = false;
  const twins: string[] = [];
  for (const [index, part] of parts) {
    const own = found.filter((one) => one.part === index && !abandoned.has(one.messageId));
    const isLooked = part.messageId === undefined && part.isUncertain;
    const newest = isLooked ? own.findLast(({ generation }) => generation >= part.generation) : undefined;
    const kept = part.messageId ?? newest?.messageId;
    twins.push(...own.map(({ messageId }) => messageId).filter((messageId) => messageId !== kept));
    if (!isLooked) continue;
    if (newest === undefined) {
      isLost = true;
      changed.set(index, { generation: part.generation + 1, isUncertain: false, isFinal: false });
    } else {
      const { messageId, generation } = newest;
      const hash = index === filePart ? part.hash : undefined;
      changed.set(index, {
        messageId,
        hash,
        generation,
        isUncertain: false,
        isFinal: index === filePart,
        showsEnd: part.showsEnd,
      });
    }
  }
  return { parts: changed, twins, isLost };
}
