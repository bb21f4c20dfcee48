/**
 * What the asker reads under a thread while the app works: the last words, until they are cleared, a message of the app
 * comes or two minutes pass.
 */
export type ShownStatus = {
  readonly channel: string;
  readonly thread: string;
  /** Empty: it was cleared. */
  readonly status: string;
  readonly loadingMessages: readonly string[];
  readonly atMs: number;
  /** A post took its place, or the app said so. */
  readonly by: "app" | "post";
};

const forgottenAfterMs = 120_000;

export function createStatusLine(nowMs: () => number) {
  const log: ShownStatus[] = [];
  const standing = (channel: string, thread: string): ShownStatus | undefined => {
    const last = log.findLast((one) => one.channel === channel && one.thread === thread);
    return last === undefined || last.status === "" || nowMs() - last.atMs >= forgottenAfterMs ? undefined : last;
  };
  return {
    /** Every change, with its time. */
    log: log as readonly ShownStatus[],
    show: (channel: string, thread: string, status: string, loadingMessages: readonly string[] = []): void => {
      log.push({ channel, thread, status, loadingMessages, atMs: nowMs(), by: "app" });
    },
    clear: (channel: string, thread: string): void => {
      if (standing(channel, thread) === undefined) return;
      log.push({ channel, thread, status: "", loadingMessages: [], atMs: nowMs(), by: "post" });
    },
    /** What the asker reads there now. */
    textOf: (channel: string, thread: string): string | undefined => standing(channel, thread)?.status,
  };
}
