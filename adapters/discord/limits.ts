/**
 * What Discord allows, each with its unit and source. Read from docs.discord.com on 2026-11-20 unless it says otherwise.
 */
import type { PlatformLimits } from "../../src/ports/chat-platform.ts";

/** Characters of all text displays of one message with the Components V2 flag. */
export const maxMessageChars = 4_000;
/** Components of one message, nested ones included. */
export const maxComponents = 40;
export const maxButtonsPerRow = 5;
export const maxButtonLabelChars = 80;
export const maxCustomIdChars = 100;
export const maxNonceChars = 25;
export const maxThreadNameChars = 100;

/** Code blocks scroll on a desktop and wrap on a phone, so a table turns into records before it is this wide. */
export const maxTableColumns = 60;

export const maxModalTitleChars = 45;
export const maxModalFields = 5;
export const maxFieldLabelChars = 45;
export const maxFieldDescriptionChars = 100;
export const maxInputChars = 4_000;
export const maxOptions = 25;
export const maxOptionChars = 100;

export const maxCommandDescriptionChars = 100;
export const maxChoices = 25;
export const maxChoiceChars = 100;
/** Discord waits 3 s for the choices of an option, and they cannot be deferred. */
export const maxCompletionMs = 2_500;

/** A token of an interaction lives 15 minutes; a margin is left for clocks that differ. */
export const interactionLifeMs = 14.5 * 60_000;

/** How long Discord knows a nonce of ours again is not documented ("a few minutes"). */
export const pageMessages = 100;
export const maxPages = 25;
/** Own posts are looked for among so many newest messages. */
export const maxSearchPages = 3;

/** Minutes without a word after which Discord archives a thread; it opens again by itself when somebody writes. */
export const autoArchiveMinutes = 1_440;

/** As long as Slack goes on sending what was not taken. Nobody waits for an answer to what was said earlier. */
export const maxMissedMs = 60 * 60_000;

/** Accepted IDENTIFYs of a bot in 24 hours; beyond them Discord ends all sessions and resets the token. */
export const sessionStartsPerDay = 1_000;
/** So many of them are left alone: enough to find out what uses them up. */
export const keptSessionStarts = 50;
/** `max_concurrency` IDENTIFYs are accepted in so much time. */
export const identifyIntervalMs = 5_000;

/** 50 requests in any second, less one. Calls that bear an interaction's token do not count. */
export const maxRequestsPerSecond = 49;

/** Threads of a channel are limited too (50 in 5 minutes): nobody waits longer than this for one. */
export const maxThreadWaitMs = 2_000;

/** The REST client gives up on an answer after this long, and tries once more. */
export const requestTimeoutMs = 8_000;
export const requestRetries = 1;

export const platformLimits: PlatformLimits = {
  answers: { maxMessages: 10, charsPerMessage: maxMessageChars, fileRight: "Attach Files" },
  writes: {
    /**
     * Discord takes 5 edits in 5 s of a channel and, apart from them, 5 posts (read from its headers). Progress makes four
     * at most, so that the end always finds the fifth left and waits for nothing; a little longer than 5 s, because not
     * every request takes equally long. Should Discord see it otherwise, progress is refused here and not queued.
     */
    perChannel: { limit: 5, windowMs: 5_200, counts: "edits" },
    /**
     * A bot may make 50 requests a second in all. Opening threads and reading need their share, so this leaves them some;
     * and while it is short, finals go first and progress is left out: a hundred answers may end at once.
     */
    perWorkspace: { capacity: 12, refillPerMinute: 2_100 },
    keptForFinals: 1,
    /**
     * An action, and what its tool found mostly 30 to 75 ms after it (recorded from the 25.x service), are one edit: an
     * answer of 20 steps in 40 s takes 20 instead of 40, which its channel does not have.
     */
    settleMs: 75,
  },
  maxAttachmentTextBytes: 100_000,
};
