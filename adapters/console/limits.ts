/**
 * Every limit of the console, each with its unit and where it comes from. The platform is our own page,
 * so most are choices, made on 2026-11-21, that keep a browser and a small server comfortable.
 */
import type { PlatformLimits } from "../../src/ports/chat-platform.ts";

/** No budget: a page takes edits as fast as they come, and the Reply writer has one write in flight per message. */
export const platformLimits: PlatformLimits = {
  /** The page has no limit on a message, but a browser has to draw it. */
  answers: { maxMessages: 10, charsPerMessage: 20_000 },
  writes: { keptForFinals: 0 },
  maxAttachmentTextBytes: 1_000_000,
};

/**
 * Bytes of a request body. 120,000 characters are at most 480,000 bytes of UTF-8, and JSON may escape each to six;
 * what is longer than the question limit but fits here gets the bridge's own sentence.
 */
export const maxBodyBytes = 2_000_000;

/** Ms until a request is answered 503 when nothing acknowledged it. The bridge gives up on its store after 1,500 ms. */
export const ackTimeoutMs = 5_000;

/** Characters of a conversation's title in the list. */
export const maxTitleChars = 80;

/** Conversations in one answer of the list, newest first; "Show earlier" asks for more. */
export const conversationsPerPage = 100;

/** Private notes kept for a tab whose connection is away for a moment, and tabs that are remembered for it. */
export const maxWaitingNotes = 20;
export const maxWaitingTabs = 200;

/** Characters of events that a page has not taken yet; one that lags further behind reads everything anew. */
export const maxUnsentChars = 4_000_000;

/** Ms between comments on an idle event stream, so that proxies (nginx: 60 s) and the page see that it lives. */
export const heartbeatMs = 15_000;

/** Ms that the order counter runs ahead of what is stored, so that a message does not cost a second write. */
export const orderReserveMs = 60_000;

/** Wrong tokens in a minute, from all visitors together, before the form asks to wait. */
export const maxFailedLoginsPerMinute = 10;

/** Bytes of a login: a token, with room for its encoding. Whoever sends one is not known yet. */
export const maxLoginBytes = 4096;

/** Seconds that a login lasts: 30 days. */
export const loginMaxAgeSeconds = 30 * 24 * 60 * 60;
