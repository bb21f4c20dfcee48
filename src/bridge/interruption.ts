/** Why a living Turn is interrupted; the reason of its abort signal. */
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
