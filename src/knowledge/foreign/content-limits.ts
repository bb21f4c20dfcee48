/** What is read of pages and files from outside, at most: counted before a parser sees it, or as it reads. */

/** HTML grows a hundredfold as a tree, and a page of text is smaller than this. */
export const maxPageMegabytes = 3;
export const maxPageBytes = maxPageMegabytes * 1024 * 1024;
/** As Markdown: it goes to the agent service as one row. */
export const maxPageTextChars = 5_000_000;
/** In UTF-8. */
export const maxPageTextBytes = 3 * maxPageTextChars;
/** Counted as "<": the tree of as many takes 4 to 8 s and 200 MB (linkedom 0.18, Node 24). */
export const maxTags = 100_000;
/** Links are taken for the next pages of a crawl: more than any page of text has. */
export const maxLinks = 5_000;
export const maxLinkChars = 500_000;
/** The policy refuses longer ones anyway. */
export const maxUrlChars = 2_000;

/** A file of rows. Each request to the agent service takes 200 rows: the most rows are 500 requests. */
export const maxRowFileMegabytes = 25;
export const maxRows = 100_000;
export const maxColumns = 500;
export const maxColumnNameChars = 200;
/** One line of CSV or JSON lines: a row is one request's worth of text at most. */
export const maxLineChars = 1_000_000;
/** All rows together, written out as JSON with the names of their columns in each. */
export const maxRowsMegabytes = 200;
export const maxRowsBytes = maxRowsMegabytes * 1024 * 1024;
/** JSON and text cannot be read piece by piece. */
export const maxWholeMegabytes = 5;
export const maxWholeBytes = maxWholeMegabytes * 1024 * 1024;
export const maxJsonDepth = 100;

/** All files that are under way: each is small enough, but a hundred people can have one at the same time. */
export const maxScratchBytes = 2_000 * 1024 * 1024;

/** RFC 9309: at least 500 KiB of a robots.txt are read. All rules in them count. */
export const maxRobotsBytes = 512 * 1024;
