/**
 * What Slack allows, each with its unit and source. Read from docs.slack.dev on 2026-11-20 unless it says otherwise.
 */
import type { PlatformLimits } from "../../src/ports/chat-platform.ts";

/** UTF-8 bytes of `text` beside blocks. Documented as 4,000 characters, in fact counted in bytes after escaping. */
export const maxTextBytes = 3_000;

/** A markdown block may hold 12,000 characters, and a message about 13,200 with 45 for each block (seen in reports). */
export const maxMessageWeight = 12_800;
export const blockWeight = 45;
export const maxMarkdownChars = 11_500;

/** 50 are allowed, but Slack turns headings, rules, fences and tables of a markdown block into blocks of their own. */
export const maxBlocks = 45;

export const maxSectionChars = 3_000;
export const maxContextChars = 3_000;
export const maxButtonChars = 75;
export const maxButtonsPerBlock = 25;
export const maxButtonValueChars = 2_000;

/** A table block; at most one in a message. */
export const maxTableRows = 100;
export const maxTableColumns = 20;
export const maxTableChars = 10_000;

export const maxViewTitleChars = 24;
export const maxViewBlocks = 100;
export const maxViewBytes = 250 * 1024;
export const maxMetadataChars = 3_000;
export const maxInputChars = 3_000;
export const maxOptions = 100;
export const maxOptionLabelChars = 75;
export const maxOptionValueChars = 150;

/** A response_url takes 5 answers in 30 minutes; a margin is left for clocks that differ. */
export const maxResponseUses = 5;
export const responseUrlLifeMs = 29 * 60_000;

/** chat.postMessage: about one a second for a channel, short bursts are tolerated. */
export const postBurst = 4;
export const postIntervalMs = 1_050;

/** agents.sessions.setStatus: Tier 3 of its own, kept a little below 10 at once and 50 a minute. */
export const sessionBurst = 8;
export const sessionIntervalMs = 1_300;

/** Slack waits 3 s for an acknowledgement and for the options of a select. */
export const maxSuggestionMs = 2_500;

/** Messages of one page of conversations.replies, and pages read at most. */
export const pageMessages = 200;
export const maxPages = 25;

/**
 * Reading what was missed. history and replies are Tier 3, at least 50 a minute each; Slack advises one a second. The
 * list of channels is Tier 2, at least 20 a minute.
 */
export const readBurst = 3;
export const readIntervalMs = 1_300;
export const listIntervalMs = 3_500;
/** Pages of one channel or thread: 10,000 messages. */
export const maxMissedPages = 50;
/** Of one channel or thread, counted as JSON: a message has up to 40,000, and all of them are held until they are sorted. */
export const maxMissedChars = 16_000_000;
/** A live reply waits so long for what was said before it: its acknowledgement must not take 3 s. */
export const maxHoldMs = 1_000;
/** Nobody expects an answer to what they said longer ago. */
export const maxMissedMs = 3_600_000;
/** Slack's third and last retry comes some six minutes after the first attempt: until then an event may be on its way. */
export const retriedForMs = 7 * 60_000;

export const platformLimits: PlatformLimits = {
  answers: { maxMessages: 10, charsPerMessage: 11_000, fileRight: "the scope files:write" },
  writes: {
    /**
     * chat.update is Tier 3: at least 50 a minute for a workspace. A bucket that is nowhere larger than Slack's own
     * (10 at once, then 48 a minute, 4 % below its 50) can never draw a 429 by itself. Ten running answers then get an
     * edit every 12.5 s each; of ten answers that end together seven are shown at once and the last within 4 s.
     * chat.postMessage is limited apart from chat.update, by channel: a placeholder never waits for edits.
     */
    perWorkspace: { capacity: 10, refillPerMinute: 48, counts: "edits" },
    keptForFinals: 7,
    /**
     * Agents think for seconds; then an action comes, and what its tool found mostly 30 to 75 ms after it (recorded from
     * the 25.x service). Shown as one, an answer of 20 steps takes 20 edits instead of 40, which a minute does not have.
     */
    settleMs: 75,
  },
  maxAttachmentTextBytes: 100_000,
};
