/** Discord's limits, each with its unit and source (docs.discord.com, read 2026-11-20, unless noted). */
import type { PlatformLimits } from "../../src/core/ports/chat-platform.ts";

/** Characters in all text displays of a message with the Components V2 flag. */
export const maxMessageChars = 4_000;
/** Components in a message, including nested ones. */
export const maxComponents = 40;
/** Of a picture in a media gallery, read by screen readers. */
export const maxDescriptionChars = 1_024;
export const maxButtonsPerRow = 5;
export const maxButtonLabelChars = 80;
export const maxCustomIdChars = 100;
/** What a menu shows before a choice. */
export const maxPlaceholderChars = 150;
/** How long Discord remembers a nonce is not documented ("a few minutes"). */
export const maxNonceChars = 25;
export const maxThreadNameChars = 100;

/** Characters. Code blocks scroll on a desktop but wrap on a phone, which shows about 40. */
export const maxTableColumns = 40;
/** About one phone screen. Only where a CSV file has the other rows. */
const maxTableRows = 10;

export const maxModalTitleChars = 45;
export const maxModalFields = 5;
export const maxFieldLabelChars = 45;
export const maxFieldDescriptionChars = 100;
export const maxInputChars = 4_000;
/** Of a file upload in a modal. */
export const maxFormFiles = 10;
export const maxOptions = 25;
export const maxOptionChars = 100;

export const maxCommandDescriptionChars = 100;
export const maxChoices = 25;
export const maxChoiceChars = 100;
/** Time to find the choices of an option. Discord waits 3 s, and choices can't be deferred. */
export const maxCompletionMs = 2_500;

/** An interaction's token expires after 15 minutes; half a minute is left for clock skew. */
export const interactionLifeMs = 14.5 * 60_000;

/** Messages per page of a channel's history, and the most pages to read. */
export const pageMessages = 100;
export const maxPages = 25;
/** Pages of newest messages searched for Parley's own posts. */
export const maxSearchPages = 3;

/** Minutes without a message until Discord archives a thread; a new message reopens it. */
export const autoArchiveMinutes = 1_440;

/** Older missed messages aren't answered: nobody is waiting for them any longer. Same as for Slack. */
export const maxMissedMs = 60 * 60_000;

/** Accepted IDENTIFYs per bot in 24 hours. Beyond that, Discord ends all sessions and resets the token. */
export const sessionStartsPerDay = 1_000;
/** How many of them Parley leaves unused: enough to find out what uses them up. */
export const reservedSessionStarts = 50;
/** Discord accepts `max_concurrency` IDENTIFYs in this time. */
export const identifyIntervalMs = 5_000;

/** Discord allows 50 per bot; one is left. Calls with an interaction's token don't count. */
export const maxRequestsPerSecond = 49;

/** Of one channel, in any period of that length. */
export const maxNewThreads = 50;
export const newThreadsWindowMs = 300_000;
/** A wait for a new thread that is longer than this isn't worth it. */
export const maxThreadWaitMs = 2_000;

/** The REST client's timeout for a response; it retries once. */
export const requestTimeoutMs = 8_000;
export const requestRetries = 1;

export const platformLimits: PlatformLimits = {
  answers: { maxMessages: 10, charsPerMessage: maxMessageChars, maxTableRows, fileRight: "Attach Files" },
  writes: {
    /**
     * Discord allows 5 edits in 5 s per channel and, separately, 5 posts (from its headers). Progress uses at most
     * four, so that the fifth is left for the end, which never waits. The window is a little longer than 5 s because
     * requests take different times to arrive. If Discord limits an edit anyway, progress is dropped, not queued.
     */
    perChannel: { limit: 5, windowMs: 5_200, counts: "edits" },
    /**
     * A bot can make 50 requests a second in total. This leaves some for opening threads and reading. When the budget
     * is short, finals go first and progress is dropped: a hundred answers can end at once.
     */
    perWorkspace: { capacity: 12, refillPerMinute: 2_100 },
    keptForFinals: 1,
    /**
     * An action and its tool's result, mostly 30 to 75 ms later (recorded from the 25.x service), are shown in one
     * edit: an answer of 20 steps in 40 s takes 20 edits; its channel does not allow 40.
     */
    debounceMs: 75,
  },
  maxAttachmentTextBytes: 100_000,
};
