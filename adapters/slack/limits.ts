/** Slack's limits, each with its unit and source (docs.slack.dev, read 2026-11-20, unless noted). */
import type { PlatformLimits } from "../../src/core/ports/chat-platform.ts";
import type { Bucket } from "../../src/core/ports/state.ts";

/** UTF-8 bytes of `text` beside blocks. Documented as 4,000 characters, but Slack counts bytes after escaping. */
export const maxTextBytes = 3_000;

/** Characters: 12,000 in a markdown block, about 13,200 in a message, counting 45 per block (from bug reports). */
export const maxMessageWeight = 12_800;
export const blockWeight = 45;
export const maxMarkdownChars = 11_500;

/** Slack allows 50, but turns headings, rules, fences and tables of a markdown block into further blocks. */
export const maxBlocks = 45;

export const maxSectionChars = 3_000;
export const maxContextChars = 3_000;
/** For what a screen reader says of it, too. */
export const maxButtonChars = 75;
export const maxButtonsPerBlock = 25;
export const maxButtonValueChars = 2_000;
/** Of an overflow menu. */
export const maxMenuOptions = 5;

/** Of a container block. */
export const maxContainerBlocks = 10;
export const maxContainerTitleChars = 150;

export const maxPlanTasks = 50;

/** Of a data_visualization block; series and segments in the older workspaces (2026-06), newer ones take twice as many. */
export const maxCharts = 2;
export const maxChartTitleChars = 50;
export const maxChartLabelChars = 20;
export const maxChartPoints = 20;
export const maxChartSeries = 6;
export const maxChartSegments = 6;
export const maxChartAxisChars = 50;

/** Of a table or data_table block (2026-06; newer workspaces take data tables of twice the size). One a message. */
export const maxTableRows = 100;
export const maxTableColumns = 20;
export const maxTableChars = 10_000;

export const maxViewTitleChars = 24;
export const maxViewBlocks = 100;
export const maxViewBytes = 250 * 1024;
export const maxMetadataChars = 3_000;
export const maxInputChars = 3_000;
/** Of a link in rich text; with its entities it has to fit into a section, too. */
export const maxLinkChars = 2_000;
/** Of a file field, each at most 10 MB. */
export const maxFormFiles = 10;
export const maxOptions = 100;
export const maxOptionLabelChars = 75;
export const maxOptionValueChars = 150;

/** A response_url accepts 5 responses in 30 minutes; a minute is left for clock skew. */
export const maxResponseUses = 5;
export const responseUrlLifeMs = 29 * 60_000;

/** chat.postMessage: about one a second per channel; short bursts are tolerated. */
export const postBurst = 4;
export const postIntervalMs = 1_050;
/** Posts of a workspace: unpublished; 60 at once and 300 a minute are assumed. Some are left for what isn't counted. */
const workspacePostBurst = 55;
const workspacePostsPerMinute = 285;

/** agents.sessions.setStatus: Tier 3, with a budget of its own; these stay just below 10 at once and 50 a minute. */
export const sessionBurst = 8;
export const sessionIntervalMs = 1_300;

export const maxSessionTitleChars = 200;

/**
 * assistant.threads.setStatus has a limit of its own, which isn't documented; 600 a minute, 60 at once are assumed. Slack
 * removes a status after two minutes.
 */
export const statusBucket: Bucket = { capacity: 50, refillPerMinute: 570 };
export const statusLastsMs = 90_000;
export const maxStatusChars = 100;

/** Time to find the options of a select. Slack waits 3 s, as it does for an acknowledgement. */
export const maxSuggestionMs = 2_500;

/** A press is acknowledged by then, whatever it waits for. Slack shows a warning after 3 s. */
export const maxPressAckMs = 500;

/** Messages per page of conversations.replies, and the most pages to read. */
export const pageMessages = 200;
export const maxPages = 25;

/**
 * For reading missed messages. history and replies are Tier 3, at least 50 a minute each; Slack advises one a second.
 * The list of channels is Tier 2, at least 20 a minute.
 */
export const readBurst = 3;
export const readIntervalMs = 1_300;
export const listIntervalMs = 3_500;
/** conversations.info: Tier 3, 10 at once and 50 a minute; these stay just below. */
export const infoBurst = 8;
export const infoIntervalMs = 1_300;
/** users.info: Tier 4, 30 at once and 100 a minute; these stay just below. */
export const usersBurst = 27;
export const usersIntervalMs = 640;
/** reactions.add: Tier 3, like conversations.info. */
export const reactionBurst = 8;
export const reactionIntervalMs = 1_300;
/** Pages per channel or thread: 10,000 messages. */
export const maxMissedPages = 50;
/** Characters of JSON per channel or thread. A message has up to 40,000, and all are held in memory to be sorted. */
export const maxMissedChars = 16_000_000;
/** How long a live reply waits for the messages before it. Slack wants its acknowledgement within 3 s. */
export const maxHoldMs = 1_000;
/** Older messages aren't answered: nobody expects it any longer. */
export const maxMissedMs = 3_600_000;
/**
 * Slack's third and last retry comes about six minutes after the first attempt; until then an event can still arrive.
 */
export const retriedForMs = 7 * 60_000;

export const platformLimits: PlatformLimits = {
  answers: { maxMessages: 10, charsPerMessage: 11_000, fileRight: "the scope files:write" },
  writes: {
    /**
     * chat.update is Tier 3: 10 at once, then 50 a minute per workspace. What is left of it here makes up for writes that
     * arrive later than they were sent, so that this bucket never causes a 429. Ten running answers get an edit every
     * 12.5 s each; of ten answers that end together, seven are shown at once.
     */
    perWorkspace: { capacity: 9.5, refillPerMinute: 48, counts: "edits" },
    /** Apart from edits, so a placeholder never waits for edits, and an end that has to can be posted. */
    posts: {
      perWorkspace: { capacity: workspacePostBurst, refillPerMinute: workspacePostsPerMinute },
      perChannel: { capacity: postBurst, refillPerMinute: 60_000 / postIntervalMs },
    },
    /** chat.delete: Tier 3 as well, with a limit of its own. */
    removals: { capacity: 8, refillPerMinute: 46 },
    keptForFinals: 7,
    /**
     * An agent thinks for seconds, then sends an action and, mostly 30 to 75 ms later, the tool's result (recorded from
     * the 25.x service). Showing both in one edit, an answer of 20 steps takes 20 edits; 40 would not fit in a minute.
     */
    debounceMs: 75,
  },
  maxAttachmentTextBytes: 100_000,
};
