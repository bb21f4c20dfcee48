/**
 * The one message of a Job: drawn anew at most every three seconds however much happens, and now and then when nothing
 * does, so that the elapsed time moves while the service says nothing for minutes.
 */
import type { Clock } from "../../ports/clock.ts";
import type { ReplyWriter } from "../../ports/delivery.ts";
import type { Document } from "../../ports/document.ts";

const minIntervalMs = 3_000;
const heartbeatMs = 10_000;

export type JobPicture = {
  /** Something has changed. */
  readonly touch: () => void;
  readonly stop: () => void;
};

export function createJobPicture(
  writer: ReplyWriter,
  draw: () => Document,
  options: {
    /** Asked before each, and never rejects: after a long pause somebody else may have shown more. */
    readonly mayShow: () => Promise<boolean>;
    readonly clock: Clock;
  },
): JobPicture {
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
