/**
 * Decides who can read the questions of a gap, and in whose words. Every list, button, form, digest and proof asks this
 * one pure function; gap-sight.ts gathers the facts.
 */
import type { Asker, Gap } from "../../core/model/insight.ts";
import { type Actor, channelKey, type Place, type Visibility, workspaceKey } from "../../core/model/place.ts";

/** Who reads it, and where they are: one person alone, or everyone in a channel. */
export type GapViewer =
  | { readonly kind: "person"; readonly actor: Pick<Actor, "id" | "memberOf">; readonly place: Place }
  | { readonly kind: "channel"; readonly place: Place };

/** What is not known counts as a no. */
export type GapFacts = {
  /** Has the ingest role. Not read for a channel. */
  readonly mayIngest: boolean;
  /** The gap's agent is in reach of that person there, or of everyone in that channel. */
  readonly reachesAgent: boolean;
  /** Who can read that place now. */
  readonly visibilityNow: (place: Place) => Visibility | undefined;
  /** Manages on the admin pages, where LOG_PRIVATE shows what was asked in private. Not read for a channel. */
  readonly readsPrivate: boolean;
  /** Whether that person is in that channel now. Not read for a channel. */
  readonly isMember: (place: Place) => boolean;
};

/** One asker's question as a viewer may read it. */
export type SeenAsker = Pick<Asker, "question" | "signals" | "atMs"> & {
  /** Absent for a shared question of a direct message: only its wording is shared. */
  readonly from?: Pick<Asker, "turnId" | "actor" | "place">;
};

export type SeenGap =
  /** Newest first; the question is the newest one. */
  | { readonly kind: "listed"; readonly question: string; readonly askers: readonly SeenAsker[] }
  /** Nothing but that it exists. */
  | { readonly kind: "counted" }
  /** Not even that. */
  | { readonly kind: "nothing" };

export function gapFor(viewer: GapViewer, gap: Gap, facts: GapFacts): SeenGap {
  if (workspaceKey(viewer.place) !== workspaceKey(gap)) return { kind: "nothing" };
  if (!facts.reachesAgent && !readsAll(viewer, facts)) return { kind: "nothing" };
  const askers = gap.askers.flatMap((asker) => seen(viewer, asker, facts)).sort((one, other) => other.atMs - one.atMs);
  const [newest] = askers;
  if (newest !== undefined) return { kind: "listed", question: newest.question, askers };
  return viewer.kind === "channel" || facts.mayIngest ? { kind: "counted" } : { kind: "nothing" };
}

function seen(viewer: GapViewer, asker: Asker, facts: GapFacts): readonly SeenAsker[] {
  const { question, signals, atMs, turnId, actor, place } = asker;
  const wording = { question, signals, atMs };
  const whole = [{ ...wording, from: { turnId, actor, place } }];
  const mayRead = viewer.kind === "channel" || facts.mayIngest;
  const isHere = channelKey(viewer.place) === channelKey(place);
  if (readsAll(viewer, facts)) return whole;
  switch (audienceOf(asker, facts.visibilityNow(place))) {
    case "public":
      return mayRead && isInWorkspace(viewer) ? whole : [];
    case "private":
      return mayRead && isHere && (viewer.kind === "channel" || facts.isMember(place)) ? whole : [];
    case "direct":
      if (viewer.kind === "person" && viewer.actor.id === actor.id) return whole;
      return asker.isShared && mayRead && isInWorkspace(viewer) ? [wording] : [];
    case "nobody":
      return [];
  }
}

/** As in the list of questions, wherever it was asked: the agent may be out of reach by now, or the platform off. */
const readsAll = ({ kind }: GapViewer, { readsPrivate }: GapFacts) => kind === "person" && readsPrivate;

/** The stricter of then and now; one that is unknown counts as private, and nobody reads what was and is unknown. */
function audienceOf({ visibility: then }: Asker, now: Visibility | undefined): Visibility | "nobody" {
  if (then === undefined && now === undefined) return "nobody";
  const known = [then ?? "private", now ?? "private"] as const;
  return strictness.findLast((one) => known.includes(one)) ?? "nobody";
}

const strictness: readonly Visibility[] = ["public", "private", "direct"];

/** In direct messages outside any workspace, people of several workspaces share one list. */
function isInWorkspace(viewer: GapViewer): boolean {
  return viewer.kind === "channel" || viewer.actor.memberOf === undefined;
}
