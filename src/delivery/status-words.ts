/**
 * Decides when the running step is said in a platform's status line: once edits are short, with every new step until
 * the end.
 */

import type { Document } from "../core/document.ts";
import type { Place } from "../core/model/place.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import { isBeginning } from "./reply.ts";
import type { Growing, News } from "./types.ts";

/** A step that could not begin its edit within this time, or a first message its post: edits are short. */
const shortAfterMs = 150;
/** Another write in flight is no shortage, unless it takes long: someone waits for something new. */
const slowWriteMs = 600;

export function createStatusWords(options: {
  readonly platform: Pick<ChatPlatform, "status">;
  readonly place: Place;
  readonly clock: Pick<Clock, "now" | "after">;
  /** Another process may have left words there. */
  readonly mayHaveStatus?: boolean;
  /** Since when something new waits for a write; undefined while nothing does. */
  readonly waitingSinceMs: () => number | undefined;
  readonly isWriting: () => boolean;
  readonly mayShow?: () => boolean;
}) {
  const { platform, place, clock } = options;
  let stands = options.mayHaveStatus === true;
  let isShort = false;
  /** Of the newest step: a result says nothing about what runs. */
  let words: string | undefined;
  let said: string | undefined;
  let cancel: (() => void) | undefined;

  function speak(): void {
    if (words === undefined || words === said || options.mayShow?.() === false) return;
    said = words;
    stands = true;
    platform.status?.(place, words);
  }

  function look(): void {
    if (isShort || cancel !== undefined || words === undefined || platform.status === undefined) return;
    const sinceMs = options.waitingSinceMs();
    if (sinceMs === undefined) return;
    const waitMs = sinceMs + (options.isWriting() ? slowWriteMs : shortAfterMs) - clock.now();
    if (waitMs <= 0) {
      isShort = true;
      speak();
      return;
    }
    cancel = clock.after(waitMs, () => {
      cancel = undefined;
      look();
    });
  }

  return {
    /** The newest document, shown or not. */
    next: (document: Document | Growing, news: News): void => {
      if (words === undefined || isBeginning(news))
        words = typeof document === "function" ? document(0).now : document.now;
      if (isShort) speak();
      else look();
    },
    /** Something may wait for a write. Cheap. */
    look,
    /** The end is shown, or this Reply is written elsewhere. */
    clear: (): void => {
      cancel?.();
      cancel = undefined;
      isShort = false;
      words = undefined;
      said = undefined;
      if (stands) platform.status?.(place, undefined);
      stands = false;
    },
  };
}
