/**
 * The messages of one Reply, and what has to be written next so that they show given payloads. Pure: effects and errors
 * are the writer's. The order matters: a part is posted only when the ones before it stand, what is too much goes last.
 */
import type { Place, Reply, ReplyPart } from "../bridge/words.ts";

export type Part = {
  readonly messageId?: string;
  /** Of what stands there, as far as is certain. */
  readonly hash?: string;
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
    reply.parts.map((part): [number, Part] => [
      part.index,
      {
        ...(part.messageId === undefined ? {} : { messageId: part.messageId }),
        ...(part.hash === undefined || part.state !== "final" ? {} : { hash: part.hash }),
        isUncertain: part.messageId === undefined,
        isFinal: part.state === "final",
      },
    ]),
  );
}

/** As it is stored. A hash is stored with final parts only: what is in motion proves nothing after a crash. */
export function replyOf(place: Place, parts: Parts): Reply {
  const stored = [...parts]
    .sort(([one], [other]) => one - other)
    .map(([index, part]): ReplyPart => {
      if (part.messageId === undefined) return { index, state: "intended" };
      if (part.isFinal && part.hash !== undefined) {
        return { index, messageId: part.messageId, state: "final", hash: part.hash };
      }
      return { index, messageId: part.messageId, state: "posted" };
    });
  return { place, parts: stored };
}

/**
 * The next write that brings the messages to `hashes` (one per payload), or undefined when they show them.
 * `removesSurplus` only at the end: while an answer runs, the rest of an earlier one may stay.
 */
export function nextOperation(parts: Parts, hashes: readonly string[], removesSurplus: boolean): Operation | undefined {
  for (const [index, hash] of hashes.entries()) {
    const part = parts.get(index);
    if (part?.messageId === undefined) return beforePost(parts, index) ?? { kind: "post", index };
    if (part.hash !== hash) return { kind: "edit", index, messageId: part.messageId };
  }
  if (!removesSurplus) return undefined;
  const surplus = [...parts].filter(([index]) => index >= hashes.length).sort(([one], [other]) => other - one);
  for (const [index, part] of surplus) {
    if (part.messageId !== undefined) return { kind: "remove", index, messageId: part.messageId };
    if (part.isUncertain) return { kind: "find" };
  }
  return undefined;
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

export function withPart(parts: Parts, index: number, part: Part | undefined): Parts {
  const changed = new Map(parts);
  if (part === undefined) changed.delete(index);
  else changed.set(index, part);
  return changed;
}

/** What findOwn saw, taken in; a part that was looked for and is not there may be posted. Twins are what is too much. */
export function adopt(
  parts: Parts,
  found: readonly { readonly part: number; readonly messageId: string }[],
  abandoned: ReadonlySet<string>,
): { readonly parts: Parts; readonly twins: readonly string[] } {
  const changed = new Map(parts);
  const twins: string[] = [];
  for (const [index, part] of parts) {
    const own = found.filter((one) => one.part === index && !abandoned.has(one.messageId)).map((one) => one.messageId);
    if (part.messageId !== undefined) twins.push(...own.filter((messageId) => messageId !== part.messageId));
    if (part.messageId !== undefined || !part.isUncertain) continue;
    const newest = own.at(-1);
    twins.push(...own.slice(0, -1));
    if (newest === undefined) changed.set(index, { isUncertain: false, isFinal: false });
    else changed.set(index, { messageId: newest, isUncertain: false, isFinal: false });
  }
  return { parts: changed, twins };
}
