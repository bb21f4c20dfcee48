/** How a gap's record changes when a question joins or leaves it. Pure, and repeatable after a crash. */
import type { Audience } from "../../core/content/gaps.ts";
import type { Asker, Gap } from "../../core/model/insight.ts";
import { questionForm } from "../grouping/form.ts";
import type { QuestionForm } from "../grouping/terms.ts";

const maxAskers = 100;
/** More wordings of one meaning would hardly find more. */
const maxWordings = 8;
/** Of gaps that people merged: their meanings differ for Parley. */
const maxMergedWordings = 24;
/** Two weeks without a question weigh as much as half the people. */
const halfLifeMs = 14 * 86_400_000;
/** A dismissed gap comes back when so many people have asked since. */
const peopleUntilItReturns = 3;

/** `forms`: its wordings, each once, by which questions that mean the same find it. */
export type StoredGap = Gap & {
  readonly forms: readonly { readonly turnId: string; readonly form: QuestionForm }[];
};

type NewGap = Pick<Gap, "id" | "platform" | "workspace" | "agent"> & { readonly nowMs: number };

export function newGap({ nowMs, ...of }: NewGap): StoredGap {
  return {
    version: 1,
    ...of,
    askers: [],
    askerCount: 0,
    state: "open",
    createdAtMs: nowMs,
    lastAtMs: 0,
    forms: [],
  };
}

/**
 * With that question, or with what is now known of it. The same question twice is one. One that is older than all of a
 * full gap was perhaps counted before newer ones came, and changes nothing.
 */
export function withAsker(gap: StoredGap, asker: Asker): StoredGap {
  const oldest = gap.askers.at(-1);
  if (gap.askers.length >= maxAskers && oldest !== undefined && asker.atMs < oldest.atMs) return gap;
  const earlier = gap.askers.find(({ turnId }) => turnId === asker.turnId);
  const others = gap.askers.filter(({ turnId }) => turnId !== asker.turnId);
  const isNewPerson = !gap.askers.some(({ actor }) => actor.id === asker.actor.id);
  const toldAtMs = asker.toldAtMs ?? earlier?.toldAtMs;
  const told = toldAtMs === undefined ? asker : { ...asker, toldAtMs };
  const askers = [told, ...others].sort((a, b) => b.atMs - a.atMs).slice(0, maxAskers);
  const joined: StoredGap = {
    ...gap,
    askers,
    askerCount: gap.askerCount + (isNewPerson ? 1 : 0),
    lastAtMs: Math.max(gap.lastAtMs, asker.atMs),
  };
  return withForms(reopened(joined, asker), asker.turnId);
}

/** Without those questions. A gap without any is to be deleted. */
export function withoutAskers(gap: StoredGap, turnIds: ReadonlySet<string>): StoredGap {
  const askers = gap.askers.filter(({ turnId }) => !turnIds.has(turnId));
  const people = new Set(askers.map(({ actor }) => actor.id));
  const gone = new Set(gap.askers.map(({ actor }) => actor.id).filter((id) => !people.has(id)));
  const askerCount = askers.length === 0 ? 0 : Math.max(people.size, gap.askerCount - gone.size);
  return withForms({ ...gap, askers, askerCount });
}

/**
 * Without what is older than that. Of an answered gap a public question stays, without a name: it is asked again to see
 * that the answer holds.
 */
export function withoutOld(gap: StoredGap, beforeMs: number): StoredGap {
  const old = gap.askers.filter(({ atMs }) => atMs < beforeMs);
  const kept = gap.state === "answered" ? old.find(({ visibility }) => visibility === "public") : undefined;
  const gone = new Set(old.filter((asker) => asker !== kept).map(({ turnId }) => turnId));
  const left = withoutAskers(gap, gone);
  const nobody = { id: "", name: "" };
  return { ...left, askers: left.askers.map((asker) => (asker === kept ? { ...asker, actor: nobody } : asker)) };
}

/**
 * With all questions of the other one, which people say means the same. Repeatable: a question that is there already
 * counts once.
 */
export function mergedWith(gap: StoredGap, other: StoredGap): StoredGap {
  const earlier = gap.merged?.find(({ id }) => id === other.id);
  const known = new Set(gap.askers.map(({ actor }) => actor.id));
  const joining = new Set(other.askers.map(({ actor }) => actor.id));
  const unnamed = Math.max(0, other.askerCount - joining.size);
  const added = [...joining].filter((id) => !known.has(id)).length + unnamed;
  const merged = {
    id: other.id,
    turnIds: [...new Set([...(earlier?.turnIds ?? []), ...other.askers.map(({ turnId }) => turnId)])],
    askerCount: earlier?.askerCount ?? added,
  };
  const turnIds = new Set(other.askers.map(({ turnId }) => turnId));
  const askers = [...other.askers, ...gap.askers.filter(({ turnId }) => !turnIds.has(turnId))];
  return withForms(
    {
      ...gap,
      askers: askers.sort((a, b) => b.atMs - a.atMs).slice(0, maxAskers),
      askerCount: gap.askerCount + (earlier === undefined ? added : 0),
      lastAtMs: Math.max(gap.lastAtMs, other.lastAtMs),
      createdAtMs: Math.min(gap.createdAtMs, other.createdAtMs),
      merged: [...(gap.merged ?? []).filter(({ id }) => id !== other.id), ...(other.merged ?? []), merged],
    },
    ...other.askers.map(({ turnId }) => turnId),
  );
}

/** Undoes that: what stays, and what is a gap again. Undefined if none of its questions is left. */
export function splitFrom(
  gap: StoredGap,
  mergedId: string,
): { readonly rest: StoredGap; readonly again: StoredGap } | undefined {
  const merged = gap.merged?.find(({ id }) => id === mergedId);
  const turnIds = new Set(merged?.turnIds);
  const askers = gap.askers.filter(({ turnId }) => turnIds.has(turnId));
  if (merged === undefined || askers.length === 0) return undefined;
  const { platform, workspace, agent } = gap;
  const nowMs = Math.min(...askers.map(({ atMs }) => atMs));
  const people = new Set(askers.map(({ actor }) => actor.id)).size;
  const others = (gap.merged ?? []).filter(({ id }) => id !== mergedId);
  const left = withoutAskers(gap, turnIds);
  const again = {
    ...newGap({ id: mergedId, platform, workspace, agent, nowMs }),
    askers,
    askerCount: Math.max(people, merged.askerCount),
    lastAtMs: Math.max(...askers.map(({ atMs }) => atMs)),
  };
  return {
    rest: {
      ...left,
      merged: others,
      askerCount: left.askers.length === 0 ? 0 : Math.max(1, gap.askerCount - merged.askerCount),
    },
    again: withForms(again, ...askers.map(({ turnId }) => turnId)),
  };
}

/** When something in it is next too old to be kept. Undefined: nothing will be. */
export function oldestMs({ askers }: Gap): number | undefined {
  const times = askers.filter(({ actor }) => actor.id !== "").map(({ atMs }) => atMs);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** More people and newer questions weigh more. It doesn't change as time passes. */
export function weightOf({ askerCount, lastAtMs }: Gap): number {
  return Math.log2(Math.max(1, askerCount)) + lastAtMs / halfLifeMs;
}

/** Who can read something in it, besides those who manage. */
export const audiencesOf = ({ askers }: Gap): readonly Audience[] => askers.map(audienceOf);

function audienceOf({ visibility, isShared, place, actor }: Asker): Audience {
  if (visibility === "public" || isShared === true) return { kind: "public" };
  return visibility === "direct" ? { kind: "person", person: actor.id } : { kind: "channel", channel: place.channel };
}

/** An answer that was asked for again after it was added isn't one. */
function reopened(gap: StoredGap, asker: Asker): StoredGap {
  const { answeredBy, dismissedBy, ...rest } = gap;
  switch (gap.state) {
    case "open":
      return gap;
    case "answered":
      return asker.atMs > (answeredBy?.atMs ?? 0) ? { ...gap, state: "open" } : gap;
    case "dismissed": {
      const returns = gap.askerCount >= (dismissedBy?.askerCount ?? 0) + peopleUntilItReturns;
      return returns ? { ...rest, answeredBy, state: "open" } : gap;
    }
    default:
      return gap.state satisfies never;
  }
}

/** `changed`: the questions that may be new or worded anew. */
function withForms(gap: StoredGap, ...changed: readonly string[]): StoredGap {
  const most = (gap.merged ?? []).length > 0 ? maxMergedWordings : maxWordings;
  const present = new Set(gap.askers.map(({ turnId }) => turnId));
  const left = gap.forms.filter(({ turnId }) => present.has(turnId));
  // Others may have a wording that was left out because the one that left had it too.
  const isFreed = left.length < gap.forms.length;
  const candidates = isFreed ? gap.askers : gap.askers.filter(({ turnId }) => changed.includes(turnId));
  const forms = left.filter(({ turnId }) => !changed.includes(turnId));
  for (const { turnId, question } of candidates) {
    if (forms.length >= most) break;
    if (forms.some((known) => known.turnId === turnId)) continue;
    const form = questionForm(question);
    if (!forms.some((known) => isEqual(known.form, form))) forms.push({ turnId, form });
  }
  return { ...gap, forms };
}

function isEqual(one: QuestionForm, other: QuestionForm): boolean {
  return one.anchors === other.anchors && one.terms.join("\n") === other.terms.join("\n");
}
