/**
 * Redraws a Job's message: at most every three seconds, and every ten when nothing changes. The elapsed time keeps
 * moving while the service is silent for minutes.
 */

import type { Document } from "../../core/document.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ReplyWriter } from "../../delivery/types.ts";

const minIntervalMs = 3_000;
const heartbeatMs = 10_000;

export function createJobPicture(
  writer: ReplyWriter,
  draw: () => Document,
  options: {
    /** Called before each draw; never rejects. After a long pause another instance may have shown more. */
    readonly mayShow: () => Promise<boolean>;
    readonly clock: Clock;
  },
) {
  const { mayShow, clock } = options;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let isStopped = false;

  function show(): void {
    if (isStopped) return;
    shownAtMs = clock.now();
    void mayShow().then((may) => {
      if (may && !isStopped) writer.show(draw());
    });
    plan(heartbeatMs);
  }

  function plan(ms: number): void {
    cancel?.();
    dueMs = clock.now() + ms;
    cancel = clock.after(ms, show);
  }

  return {
    /** Call after a change. */
    touch: () => {
      if (isStopped) return;
      const waitMs = shownAtMs + minIntervalMs - clock.now();
      if (waitMs <= 0) show();
      else if (clock.now() + waitMs < dueMs) plan(waitMs);
    },
    stop: () => {
      isStopped = true;
      cancel?.();
    },
  };
}
