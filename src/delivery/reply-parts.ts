/**
 * Computes the next write that makes a Reply's messages show the given payloads. Pure: effects and errors belong to the
 * writer. Order matters: a part is posted only after the ones before it, and surplus parts go last.
 */

import type { Place } from "../core/model/place.ts";
import { filePart, type Reply, type ReplyPart } from "../core/model/reply.ts";
import type { FoundPart } from "../core/ports/chat-platform.ts";

export type Part = Omit<ReplyPart, "index" | "generation" | "hash"> & {
  /** Of the current content, as far as is certain; of a file being posted, the intended content. */
  readonly hash?: string;
  /** Number of messages of this part that are gone. */
  readonly generation: number;
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

/** Only final parts and files have a hash: progress proves nothing after a crash. */
export function partsOf(reply: Reply): Parts {
  return new Map(
    reply.parts.map(({ index, ...part }): [number, Part] => {
      const hash = part.state === "final" || index === filePart ? part.hash : undefined;
      // A message that is known is there, whatever was about to happen to it.
      const state = part.state === "intended" && part.messageId !== undefined ? "posted" : part.state;
      return [index, { ...part, state, hash, generation: part.generation ?? 0 }];
    }),
  );
}

/** The parts as stored. */
export function replyOf(place: Place, parts: Parts, superseded: readonly string[] = []): Reply {
  const stored = [...parts]
    .sort(([one], [other]) => one - other)
    .map(([index, part]): ReplyPart => {
      const { messageId, state, lacks } = part;
      const hash = state === "final" || (state === "intended" && index === filePart) ? part.hash : undefined;
      const generation = part.generation === 0 ? undefined : part.generation;
      return { index, messageId, state, hash, generation, lacks: state === "final" ? lacks : undefined };
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
    if (part.state === "intended") return { kind: "find" };
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
  if ([...parts.values()].some(({ state }) => state === "intended")) return { kind: "find" };
  const later = [...parts].filter(([at]) => at > index).sort(([one], [other]) => other - one);
  for (const [at, part] of later) {
    if (part.messageId !== undefined) return { kind: "remove", index: at, messageId: part.messageId };
  }
  return undefined;
}

/** That message is gone or no longer part of the Reply: its replacement gets the next generation. */
export function withoutMessage(parts: Parts, index: number): Parts {
  if (!parts.has(index)) return parts;
  return new Map(parts).set(index, { state: "gone", generation: generationOf(parts, index) + 1 });
}

/** Whether nothing but progress is shown there, so that an end may be posted beside it. */
export function isOnlyProgress(parts: Parts): boolean {
  return [...parts.values()].every(
    ({ state, showsEnd }) => state === "gone" || (state === "posted" && showsEnd !== true),
  );
}

/** What stands is no longer part of the Reply; its first message comes next. */
export function supersede(parts: Parts): { readonly parts: Parts; readonly superseded: readonly string[] } {
  const standing = [...parts].filter(([, { messageId }]) => messageId !== undefined);
  return {
    parts: standing.reduce((left, [index]) => withoutMessage(left, index), parts),
    superseded: standing.flatMap(([, { messageId }]) => messageId ?? []),
  };
}

/** The new message was not posted: what stood before is part of the Reply again. `parts`: after `supersede`. */
export function restored(parts: Parts, before: Parts): Parts {
  const generation = (index: number) => generationOf(parts, index);
  return new Map([
    ...parts,
    ...[...before].map(([index, part]) => [index, { ...part, generation: generation(index) }] as const),
  ]);
}

/** All parts are shown; those that were never posted are forgotten. */
export function asFinal(parts: Parts): Parts {
  const kept = [...parts].filter(([, { messageId, generation }]) => messageId !== undefined || generation > 0);
  return new Map(
    kept.map(([index, part]) => [index, { ...part, state: part.messageId === undefined ? "gone" : "final" }]),
  );
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
  // A process may have died after it had posted what it could not store.
  const unknown = found.filter(({ part, messageId }) => !parts.has(part) && !abandoned.has(messageId));
  const twins = unknown.map(({ messageId }) => messageId);
  for (const [index, part] of parts) {
    const own = found.filter((one) => one.part === index && !abandoned.has(one.messageId));
    const isLooked = part.state === "intended";
    const newest = isLooked ? own.findLast(({ generation }) => generation >= part.generation) : undefined;
    const kept = part.messageId ?? newest?.messageId;
    twins.push(...own.map(({ messageId }) => messageId).filter((messageId) => messageId !== kept));
    if (!isLooked) continue;
    if (newest === undefined) {
      isLost = true;
      changed.set(index, { state: "gone", generation: part.generation + 1 });
    } else {
      const isFile = index === filePart;
      const { messageId, generation } = newest;
      const { hash, showsEnd } = part;
      changed.set(index, {
        state: isFile ? "final" : "posted",
        messageId,
        hash: isFile ? hash : undefined,
        generation,
        showsEnd,
      });
    }
  }
  return { parts: changed, twins, isLost };
}
