/**
 * Every limit of the console, with its unit and source. The page is our own, so most were chosen (2026-11-21) to keep a
 * browser and a small server comfortable.
 */
import type { PlatformLimits } from "../../src/core/ports/chat-platform.ts";

/** No budget: a page accepts edits at any rate, and the Reply writer has one write in flight per message. */
export const platformLimits: PlatformLimits = {
  /** The page does not limit a message, but a browser has to draw it. */
  answers: { maxMessages: 10, charsPerMessage: 20_000 },
  writes: { keptForFinals: 0 },
  maxAttachmentTextBytes: 1_000_000,
};

/**
 * Bytes of a request body. 120,000 characters are at most 480,000 bytes of UTF-8, and JSON may escape each to six;
 * a question over its limit that still fits here gets the bridge's own error.
 */
export const maxBodyBytes = 2_000_000;

/** Ms until an unacknowledged request is answered 503. The bridge gives up on its store after 1,500 ms. */
export const ackTimeoutMs = 5_000;

/** Ms that the page waits for the picture of a chart; then it shows the table alone. */
export const pictureTimeoutMs = 5_000;

/** Characters of a conversation's title in the list. */
export const maxTitleChars = 80;

/** Characters of a channel's name. */
export const maxChannelNameChars = 60;
/** Shared channels. */
export const maxChannels = 100;

/** Conversations in one response, newest first; "Show earlier" requests more. */
export const conversationsPerPage = 100;

/** Characters of one conversation that can be searched; its oldest messages are left out first. */
export const maxSearchedChars = 400_000;

/** Conversations that one search request reads. A longer list takes several requests. */
export const maxSearchedAtOnce = 1_000;
/** Characters that one search request reads: reading and parsing 10 MB takes about 50 ms (2026-11-23). */
export const maxSearchedCharsAtOnce = 10_000_000;
/** Results in one response. */
export const maxFound = 30;
/** Words of a query, all of which have to occur; further ones are ignored. */
export const maxSearchWords = 8;
export const maxQueryChars = 200;

/** Pinned conversations shown to one person. */
export const maxPinned = 50;

/** Ms that a conversation stays hidden while it is being deleted, even if no process finishes that. */
export const goingMs = 24 * 60 * 60_000;

/** Ms to wait for another instance that changes the same record; one that died holds its lease for 15 s. */
export const maxAloneMs = 20_000;

/** Private notes held for a tab that is briefly disconnected, and the number of such tabs. */
export const maxWaitingNotes = 20;
export const maxWaitingTabs = 200;

/** Ms after which a stream that is still open reaches its page: the page gives up one that is silent for 5 s. */
export const unprovenStreamMs = 10_000;

/**
 * Streams of one session, or of one person where there are no sessions, and of all: a browser's tabs need six at most. The
 * oldest end.
 */
export const maxStreamsOfSession = 20;
export const maxStreams = 2_000;
/** Streams that an event is written to before others have their turn: writing to one takes about 0.1 ms (2026-11-26). */
export const pagesAtOnce = 20;
/** Ms after which a page that doesn't know that its stream ended for others may open another one. */
export const crowdedRetryMs = 60_000;

/** Characters of unsent events per page; a page that lags further behind is disconnected and reads everything again. */
export const maxUnsentChars = 4_000_000;

/** Ms between heartbeats on an event stream, so that proxies (nginx: 60 s) keep it open. */
export const heartbeatMs = 15_000;

/** Ms by which the stored order counter runs ahead, so that a message does not cost a second write. */
export const orderReserveMs = 60_000;

/**
 * Wrong tokens a minute before the form asks to wait, from one address (of IPv6: one network). There is no limit for all:
 * tokens have 16 characters or more, and with one, a few addresses would lock everyone out.
 */
export const maxFailedLoginsPerMinute = 10;

/** Bytes of a login request: a token, with room for its encoding. The sender is not authenticated yet. */
export const maxLoginBytes = 4096;

/** Seconds until a login expires: 30 days. */
export const loginMaxAgeSeconds = 30 * 24 * 60 * 60;

/** Bytes of one attached file: as much as a file of rows may have in a knowledge base. */
export const maxUploadBytes = 25 * 1024 * 1024;

/** Files of one message or form; Slack and Discord take ten too. */
export const maxFilesPerMessage = 10;

/** All files of one person that are still stored, and all files of the page. */
export const maxUploadBytesOfPerson = 100 * 1024 * 1024;
export const maxUploadsOfPerson = 500;
export const maxAllUploadBytes = 1024 * 1024 * 1024;
/** A part of the room for all that guests of a shared token can't fill: it is kept for people who manage or have a name. */
export const keptUploadBytes = 256 * 1024 * 1024;

/**
 * Files that one person may have announced and not uploaded yet, and that all guests from one network may have. The page
 * uploads two at once.
 */
export const maxOpenUploads = 3;
/** Ms until an upload that isn't complete is given up. A request takes five minutes at most. */
export const openUploadMs = 10 * 60_000;

/** Bytes of a stored piece of a file: one write holds up nothing else for long. */
export const uploadPieceBytes = 192 * 1024;
/** Ms until a session expires: 30 days. */
export const sessionMs = loginMaxAgeSeconds * 1000;

/** Sessions of one person, in all browsers; the oldest end. */
export const maxSessionsOfPerson = 50;

/** Seconds for which a browser keeps its own id, which it needs where people sign in with a token: 400 days, the most. */
export const browserMaxAgeSeconds = 400 * 24 * 60 * 60;

/** Personal tokens of one person, and characters of what they are called. */
export const maxTokensOfPerson = 20;
export const maxTokenNameChars = 60;
/** Days after which a token that nobody uses expires. */
export const unusedTokenDays = 90;
/** Ms after which the use of a token is written down again. */
export const tokenSeenEveryMs = 5 * 60_000;

/** Ms to sign in at the provider. */
export const attemptMs = 10 * 60_000;

/** Sign-ins at the provider that one browser can have begun; the oldest are given up. */
export const maxAttempts = 5;

/** Characters of a person's name. */
export const maxNameChars = 60;

/** Seconds to wait for each answer of the sign-in provider, and ms after which its endpoints are looked up again. */
export const providerTimeoutSeconds = 5;
export const providerKnownMs = 24 * 60 * 60_000;

/**
 * Seconds by which Parley's clock may differ from the provider's, as in other clients. An ID token comes straight from the
 * provider, for a code that it takes once, so a larger tolerance lets in nobody else.
 */
export const clockToleranceSeconds = 300;

/** Characters of the address that a sign-in leads back to. */
export const maxLandingChars = 1_000;

/** People whose record is known to be up to date. */
export const maxKnownPeople = 1_000;

/** Ms after which an MCP client gets "still working": clients give up after 30 to 60 s (2026-11). */
export const stillWorkingMs = 25_000;
/** Ms between two looks at an answer that an MCP client waits for. */
export const watchAnswerMs = 300;
/** Calls of one person over MCP that may be at work at once on an instance: clients run a few. */
export const maxCallsOfPerson = 20;
/** Bytes of an MCP request. */
export const maxMcpBytes = 1_000_000;
/** Characters of a request's id that can be cancelled: ids are numbers or UUIDs, and each goes to every instance. */
export const maxRequestIdChars = 200;
/** Characters of a file in an answer over MCP, and of a whole document: models read about 30,000 words at once. */
export const maxMcpFileChars = 200_000;
/** Characters of a query over MCP: a paragraph. */
export const maxMcpQueryChars = 2_000;
