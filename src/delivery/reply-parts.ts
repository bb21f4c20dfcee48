/**
 * The messages of one Reply, and what has to be written next so that they show given payloads. Pure: effects and errors
 * are the writer's. The order matters: a part is posted only when the ones before it stand, what is too much goes last.
 */
import type { FoundPart } from "../ports/chat-platform.ts";
import type { Place } from "../ports/model/place.ts";
import { filePart, type Reply, type ReplyPart } from "../ports/model/reply.ts";

export type Part = {
  readonly messageId?: string;
  /** Of what stands there, as far as is certain; of a file that is being posted, what is to stand there. */
  readonly hash?: string;
  /** How many messages of this part are gone. */
  readonly generation: number;
  /** A post whose outcome is not known: it must be looked for before it is posted (again). */
  readonly isUncertain: boolean;
  readonly isFinal: boolean;
};

export type Parts = ReadonlyMap<number, Part>;

export type Operation =
  /** Look for what was posted before anything else is. */
  | { readonly kind: "find" }
  | { readonly kind: "post"; readonly index: number }
  | { readonly kind: "edit"; readonly index: number; readonly messageId: string }
  | { readonly kind: "remove"; readonly index: number; readonly messageId: string };

export function partsOf(reply: Reply): Parts {
  return new Map(
    reply.parts.map(({ index, ...part }): [number, Part] => [
      index,
      {
        ...(part.messageId === undefined ? {} : { messageId: part.messageId }),
        ...(part.hash === undefined || (part.state !== "final" && index !== filePart) ? {} : { hash: part.hash }),
        generation: part.generation ?? 0,
        isUncertain: part.messageId === undefined && part.state !== "gone",
        isFinal: part.state === "final",
      },
    ]),
  );
}

/** As it is stored. A hash is stored with final parts only: what is in motion proves nothing after a crash. */
export function replyOf(place: Place, parts: Parts): Reply {
  const stored = [...parts]
    .sort(([one], [other]) => one - other)
    .map(([index, { messageId, isFinal, isUncertain, hash, ...part }]): ReplyPart => {
      const generation = part.generation === 0 ? {} : { generation: part.generation };
      if (messageId === undefined) {
        const isIntended = isUncertain || part.generation === 0;
        const intended = index === filePart && isIntended && hash !== undefined ? { hash } : {};
        return { index, state: isIntended ? "intended" : "gone", ...intended, ...generation };
      }
      if (isFinal && hash !== undefined) return { index, messageId, state: "final", hash, ...generation };
      return { index, messageId, state: "posted", ...generation };
    });
  return { place, parts: stored };
}

/**
 * The next write that brings the messages to `hashes` (one per payload), or undefined when they show them.
 * `isEnd`: what is too much goes, and the file is attached; while an answer runs, the rest of an earlier one may stay.
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
 * How many of these payloads stand, from the first one on. Without a hash (a process died meanwhile) a message counts by
 * its place, but for the first one, which may still show progress.
 */
export function standing(parts: Parts, hashes: readonly string[]): number {
  const isOneOfMany = [...parts.values()].filter((part) => part.messageId !== undefined).length > 1;
  const shows = (part: Part | undefined, hash: string) =>
    part?.messageId !== undefined && (part.hash === undefined ? isOneOfMany : part.hash === hash);
  const missing = hashes.findIndex((hash, index) => !shows(parts.get(index), hash));
  return missing < 0 ? hashes.length : missing;
}

/**
 * Nothing is posted while anything may stand unseen, nor above something that stands: what follows a lost part would
 * else be read before it.
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

/** That message is gone, or shows nothing of the Reply any more: what is posted in its place is another generation. */
export function withoutMessage(parts: Parts, index: number): Parts {
  if (!parts.has(index)) return parts;
  return withPart(parts, index, { generation: generationOf(parts, index) + 1, isUncertain: false, isFinal: false });
}

export function generationOf(parts: Parts, index: number): number {
  return parts.get(index)?.generation ?? 0;
}

/** The highest generation that anything was posted in. */
export function newestGeneration(parts: Parts): number {
  return Math.max(0, ...[...parts.values()].map(({ generation }) => generation));
}

/**
 * What findOwn saw, taken in; a part that was looked for and is not there may be posted, in the next generation: it may
 * have been posted and deleted. Twins are what is too much: also what stands of an earlier generation, whose place was
 * taken. `isLost`: something that is on its way may still appear, so it is to be looked for once more at the end.
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
      const hash = index === filePart && part.hash !== undefined ? { hash: part.hash } : {};
      changed.set(index, { messageId, ...hash, generation, isUncertain: false, isFinal: index === filePart });
    }
  }
  return { parts: changed, twins, isLost };
}
