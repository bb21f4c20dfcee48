/** Limits for pages and files from outside, enforced before a parser sees them or while it reads. */

/** HTML grows a hundredfold as a tree, and text pages are smaller than this. */
export const maxPageMegabytes = 3;
export const maxPageBytes = maxPageMegabytes * 1024 * 1024;
/** A packed list of pages may be larger: only as many links as below are taken from it. */
export const maxUnpackedBytes = 16 * 1024 * 1024;
/** As Markdown, which goes to the agent service as one row. */
export const maxPageTextChars = 5_000_000;
/** In UTF-8. */
export const maxPageTextBytes = 3 * maxPageTextChars;
/** Counted as "<". Parsing this many takes 5 to 12 s and 270 MB (parse5 8, linkedom 0.18, Node 24, November 2026). */
export const maxTags = 100_000;
/** Links are only needed for crawling; no text page has more. */
export const maxLinks = 5_000;
export const maxLinkChars = 500_000;
/** The address policy refuses longer ones. */
export const maxUrlChars = 2_000;

/** A file of rows. One request to the agent service takes 200 rows, so the most rows are 500 requests. */
export const maxRowFileMegabytes = 25;
export const maxRows = 100_000;
export const maxColumns = 500;
export const maxColumnNameChars = 200;
/** One line of CSV or JSON lines: one request's worth of text at most. */
export const maxLineChars = 1_000_000;
/** All rows together, as JSON with the column names in each. */
export const maxRowsMegabytes = 200;
export const maxRowsBytes = maxRowsMegabytes * 1024 * 1024;
/** JSON and plain text can't be parsed in pieces. */
export const maxWholeMegabytes = 5;
export const maxWholeBytes = maxWholeMegabytes * 1024 * 1024;
export const maxJsonDepth = 100;

/** A PDF, or a document of Office. 25 MB of PDF take up to 300 MB to read (pdf.js 5, Node 24, November 2026). */
export const maxDocumentMegabytes = 25;
export const maxDocumentBytes = maxDocumentMegabytes * 1024 * 1024;
/** Each is a row. */
export const maxDocumentPages = 2_000;
/** The XML of a packed document, as it announces it. */
export const maxUnpackedDocumentBytes = 100 * 1024 * 1024;
export const maxArchiveFiles = 10_000;

/** All files in progress: each is small enough, but a hundred people can have one at the same time. */
export const maxScratchBytes = 2_000 * 1024 * 1024;

/** RFC 9309: read at least 500 KiB of a robots.txt. Every rule in it counts. */
export const maxRobotsBytes = 512 * 1024;
