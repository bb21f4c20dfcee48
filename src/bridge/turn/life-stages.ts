/** The stages of a Turn's life in this process, and what it holds there. */

import type { Turn } from "../../core/model/turn.ts";
import type { Lease } from "../../core/ports/state.ts";
import type { Site } from "../../delivery/types.ts";
import type { HeldLane } from "../lane.ts";
import type { ReachedEnd } from "./turn-end.ts";
import type { TurnRecord } from "./turn-record.ts";
import type { TurnControl, TurnWork } from "./turn-work.ts";

/** What is done next. */
export type Stage =
  /** It was found in the store and may live on another instance: nothing is shown before its lane is free. */
  | { readonly kind: "found"; readonly turn: Turn }
  /** Its Reply needs a place. A Turn that was found holds its lane already. */
  | { readonly kind: "placing"; readonly record: TurnRecord }
  /** It waits for its lane, and shows its position. */
  | { readonly kind: "in-line"; readonly work: TurnWork }
  /** It holds its lane. `isRead`: its record is the newest version. */
  | { readonly kind: "deciding"; readonly work: TurnWork; readonly isRead: boolean }
  | { readonly kind: "asking"; readonly work: TurnWork }
  /** People are to decide about tool calls. */
  | { readonly kind: "waiting"; readonly work: TurnWork }
  | { readonly kind: "offering"; readonly work: TurnWork; readonly agents: readonly string[] }
  | { readonly kind: "ending"; readonly work: TurnWork; readonly end: ReachedEnd }
  /** The question was edited, or asked again. */
  | { readonly kind: "restarting"; readonly work: TurnWork }
  | { readonly kind: "over" };

export const over: Stage = { kind: "over" };

/** A Turn in this process, and what it holds there until it is over. */
export type Life = {
  readonly id: string;
  readonly ref: string;
  readonly site: Site;
  readonly control: TurnControl;
  readonly isRecovered: boolean;
  /** As stored before this process took it over. */
  readonly resumptions: number | undefined;
  stage: Stage;
  /** Its Reply has no place yet, because nobody is to see anything of it. */
  isUnplaced?: boolean;
  record?: TurnRecord;
  /** The lane it holds or waits for. */
  lane: string;
  held?: HeldLane;
  lastAttempt?: Lease | undefined;
  writer?: TurnWork["writer"];
};
