/** Counts for the metrics in which way each end of a Turn was shown, and the placeholders that it made unnecessary. */

import type { DeliveryMetrics } from "../core/metrics.ts";
import type { ReplyWork } from "./perform.ts";
import type { Delivery } from "./types.ts";

type Opened = Pick<Parameters<Delivery["open"]>[0], "mayPostAnew"> & { readonly metrics?: DeliveryMetrics | undefined };

export type EndCount = {
  /** `stood`: its first message was there. `hadProgress`: progress was waiting to be shown. */
  readonly begins: (stood: boolean, hadProgress: boolean) => void;
  readonly shown: () => void;
};

export function createEndCount(
  { stored }: Pick<ReplyWork, "stored">,
  { mayPostAnew, metrics }: Opened,
): EndCount | undefined {
  // Only Turns say whether they may.
  if (mayPostAnew === undefined || metrics === undefined) return undefined;
  const supersededBefore = stored.superseded().length;
  let begun: { readonly stood: boolean; readonly hadProgress: boolean } | undefined;
  return {
    begins: (stood, hadProgress) => {
      begun ??= { stood, hadProgress };
    },
    shown: () => {
      if (begun === undefined) return;
      const { stood, hadProgress } = begun;
      begun = undefined;
      const isAnew = stored.superseded().length > supersededBefore;
      metrics.onEnd(isAnew ? "anew" : stood ? "edit" : "post");
      if (!stood && hadProgress) metrics.onPlaceholderSkipped();
    },
  };
}
