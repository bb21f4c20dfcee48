/** The port to gaps as the overview shows them: of all workspaces that a viewer may see, heaviest first. */
import type { FeedbackReason, GapState, Signal } from "../model/insight.ts";
import type { Actor, Place } from "../model/place.ts";
import type { PlaceName } from "./places.ts";

export type GapLine = {
  readonly id: string;
  /** Its address among the gaps of all workspaces. */
  readonly key: string;
  readonly platform: string;
  readonly workspace: string;
  readonly agent: string;
  readonly state: GapState;
  /** Absent: it was asked where the viewer may not read. */
  readonly question?: string;
  readonly people: number;
  readonly createdAtMs: number;
  readonly lastAtMs: number;
  readonly thumbsDown: number;
  readonly signals: readonly Signal[];
  /** Where buttons about it are pressed. Absent: the viewer can't. */
  readonly place?: Place;
  /** Gaps that were merged into it. */
  readonly merged: readonly { readonly id: string; readonly questions: number }[];
};

export type AskedLine = {
  readonly question: string;
  readonly atMs: number;
  readonly signals: readonly Signal[];
  /** Absent for a shared question of a direct message. */
  readonly by?: string;
  readonly place?: PlaceName & { readonly platform: string };
  /** Of the question, for its own page. */
  readonly ref?: string;
  readonly votes: readonly { readonly reason?: FeedbackReason; readonly comment?: string; readonly by: string }[];
};

export type GapPageDetails = GapLine & {
  readonly asked: readonly AskedLine[];
  /** Questions that the viewer may not read. */
  readonly hidden: number;
  /** The newest answer, as Markdown. */
  readonly answer?: string;
  readonly added?: {
    readonly id: string;
    readonly answer: string;
    readonly by: string;
    readonly atMs: number;
    readonly knowledgeBase: string;
  };
  readonly dismissedBy?: { readonly name: string; readonly atMs: number };
};

export type GapFilter = {
  readonly state: GapState;
  readonly agent?: string | undefined;
  /** "slack/T1". */
  readonly workspace?: string | undefined;
  readonly signal?: Signal | undefined;
  readonly cursor?: string | undefined;
};

export type GapsPage = {
  readonly gaps: readonly GapLine[];
  readonly next?: string;
  /** What the viewer sees without filters. Absent: too many to count. */
  readonly total?: number;
};

/** What the filters offer: what occurs among the gaps in that state that the viewer sees. */
export type GapChoices = {
  /** As `GapLine` names them. */
  readonly agents: readonly string[];
  readonly workspaces: readonly Pick<Place, "platform" | "workspace">[];
};

export type GapsReader = {
  readonly page: (viewer: Actor, filter: GapFilter) => Promise<GapsPage>;
  readonly choices: (viewer: Actor, state: GapState) => Promise<GapChoices>;
  readonly open: (viewer: Actor, key: string) => Promise<GapPageDetails | undefined>;
  /** One as the list shows it. */
  readonly line: (viewer: Actor, key: string) => Promise<GapLine | undefined>;
  /** Open ones that the viewer sees. Undefined: too many to count, or not known soon. */
  readonly count: (viewer: Actor) => Promise<number | undefined>;
};
