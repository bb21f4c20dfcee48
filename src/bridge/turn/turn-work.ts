/** How the process controls a living Turn, why it is interrupted, and what its stages share. */

import type { ReplyWriter, Site } from "../../delivery/types.ts";
import type { Picture } from "../shown/turn-picture.ts";
import type { TurnRecord } from "./turn-record.ts";

/** The reason of a living Turn's abort signal. */
export type Interruption =
  | { readonly kind: "stop" }
  /** The question was edited, or asked again. */
  | { readonly kind: "restart" }
  /** The process is shutting down. */
  | { readonly kind: "drain" }
  /** Another instance has continued the Turn. */
  | { readonly kind: "taken" };

/** Only for a signal that a Turn's control aborted. */
export function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason as Interruption;
}

/** How the process controls a living Turn. `signal` is a new one after each restart. */
export type TurnControl = {
  readonly signal: () => AbortSignal;
  /** `isForEnd`: showing an end can use the grace period of a shutdown. */
  readonly renew: (isForEnd?: boolean) => void;
  /** Called when the Turn holds its lane, for counting and for draining. */
  readonly onRunning: () => void;
  /** Called when it waits for people: a shutdown doesn't wait for them. */
  readonly onWaiting: () => void;
  /** Aborts `signal` from within. */
  readonly interrupt: (by: Interruption) => void;
};

/** What the stages of a Turn share once its Reply is open. */
export type TurnWork = {
  readonly record: TurnRecord;
  readonly control: TurnControl;
  readonly picture: Picture;
  readonly writer: ReplyWriter;
  readonly site: Site;
};

/** A fresh signal for showing the end. Aborts with an Interruption. */
export function endingSignal({ control, record }: TurnWork): AbortSignal {
  control.renew(true);
  record.onTaken(() => control.interrupt({ kind: "taken" }));
  return control.signal();
}
