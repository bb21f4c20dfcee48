/** Why a URL, page, file or row could not be read. In lower case, because the name of what failed precedes it. */
import { countText, numberText } from "./quantities.ts";

/** Why a URL may not be read. */
export const addressSentences = {
  "not-an-address": "not a web URL",
  "too-long": "longer than 2,000 characters",
  scheme: "only http and https URLs can be read",
  credentials: "URLs with a user name or password in them aren't read",
  "internal-name": "the name belongs to an internal network",
  private: "it leads to a private network",
  loopback: "it leads to Parley's own machine",
  "link-local": "it leads to a link-local address",
  metadata: "it leads to a cloud metadata service",
  multicast: "it leads to a multicast address",
  reserved: "it leads to a reserved address",
  unresolved: "the name doesn't resolve",
} as const;

/** Why a page could not be read. */
export const pageSentences = {
  status: (status: number): string =>
    status === 404 || status === 410
      ? `page not found (${status})`
      : status === 401 || status === 403
        ? `page requires a login (${status})`
        : `the server returned an error (${status})`,
  login: "page requires a login",
  redirects: "more than five redirects",
  redirectRefused: (why: string): string => `redirects to a blocked URL: ${why}`,
  slow: (seconds: number): string => `no answer within ${seconds} s`,
  tooLarge: (megabytes: number): string => `larger than ${megabytes} MB`,
  unreachable: "the server can't be reached",
  noHttps: "invalid HTTPS certificate",
  notText: (mediaType: string): string => `not a web page (${mediaType}). Attach it as a file instead`,
  notReadable: "unreadable content (packed or encrypted in an unknown way)",
  busy: (status: number): string => `the server is too busy (${status})`,
  busyFor: (minutes: number, status: number): string =>
    `the server is too busy and asks to wait ${countText(minutes, "minute")} (${status})`,
  unindexed: "the page asks not to be indexed (noindex)",
  list: "a list of pages. Run the command again with: by parley",
  emptyList: "a list without pages of this site",
  sendsOn: (url: string): string => `it only redirects to ${url}. Add that page instead`,
  empty: "no readable text (the page may need JavaScript)",
  serviceMayNot: "the agent service isn't allowed to read web pages here (INGEST_BY). Run the command again",
  robots: "the site's robots.txt doesn't allow reading it",
  robotsUnchecked: "couldn't check the site's robots.txt",
  robotsAway: "the site's robots.txt is unavailable right now",
  textTooLarge: (megabytes: number): string => `its text is larger than ${megabytes} MB`,
  tooManyTags: (most: number): string => `the page has more than ${numberText(most)} HTML tags`,
} as const;

/** Pages for one reason. */
export type LeftPages = { readonly reason: string; readonly urls: readonly string[] };

/** What else to know about pages that were added. */
export const pageNotes = {
  failed: (left: readonly LeftPages[]): string => `${leftText(left, "linked page")} failed: ${reasonsText(left)}`,
  leftOut: (left: readonly LeftPages[]): string => `${leftText(left, "linked page")} left out: ${reasonsText(left)}`,
  unread: (pages: number): string =>
    `${countText(pages, "more page")} in the list. Run the command again with a higher limit`,
  samePage: (url: string): string => `the same page as ${url}`,
} as const;

const maxNamed = 2;

function leftText(left: readonly LeftPages[], what: string): string {
  return countText(
    left.reduce((sum, { urls }) => sum + urls.length, 0),
    what,
  );
}

/** "2 not found (a.html, b.html), 1 requires a login (c.html)". */
function reasonsText(left: readonly LeftPages[]): string {
  return left
    .map(({ reason, urls }) => {
      const named = urls.slice(0, maxNamed).map((url) => decodedName(url));
      const names = urls.length > maxNamed ? [...named, "…"] : named;
      // The number says that it is about pages, and the words what the status code means.
      const why = reason.replace(/^(?:the )?page /, "").replace(/ \((?:404|410|401|403)\)$/, "");
      return `${left.length > 1 ? `${numberText(urls.length)} ` : ""}${why} (${names.join(", ")})`;
    })
    .join(", ");
}

/** The last part of its path. */
function decodedName(url: string): string {
  const { host, pathname } = new URL(url);
  const name = pathname.split("/").findLast((part) => part !== "") ?? host;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Why a page or a file could not be parsed, whatever its format. */
export const contentSentences = {
  tooComplex: "too complex to read",
  tooSlow: (seconds: number): string => `reading it took longer than ${seconds} s`,
  tooMuch: "reading it needs too much memory",
  noRoom: "Parley's disk is full. Try again later",
  unstarted: "Parley has no memory or process left to read it. Try again later",
  lateFile: (minutes: number): string => `the file didn't arrive within ${minutes} minutes`,
} as const;

/** What is wrong with rows. */
export const rowSentences = {
  emptyFile: "it's empty",
  /** The title of a row, shown as the source of an answer. `name`: of a table with a column "title", its cell. */
  titleOf: (file: string, row: number, name = ""): string => `${file}, row ${row}${name === "" ? "" : `: ${name}`}`,
  noRows: "it has no rows",
  json: (line: number, column: number): string => `invalid JSON at line ${line}, column ${column}`,
  notAnObject: (row: number): string => `row ${row} isn't an object`,
  emptyRow: (row: number): string => `row ${row} has no content`,
  tooLarge: (megabytes: number): string => `larger than ${megabytes} MB`,
  binary: "it isn't text",
  tooManyColumns: (columns: number, most: number): string =>
    `it has ${numberText(columns)} columns: at most ${numberText(most)} can be added`,
  longColumn: (column: number, most: number): string =>
    `the name of column ${column} is longer than ${numberText(most)} characters`,
  tooManyRows: (most: number): string => `it has more than ${numberText(most)} rows: split it into several files`,
  rowsTooLarge: (megabytes: number): string =>
    `its rows add up to more than ${megabytes} MB: split it into several files`,
  longLine: (line: number, most: number): string => `line ${line} is longer than ${numberText(most)} characters`,
  tooDeep: (most: number): string => `its JSON is nested more than ${numberText(most)} levels deep`,

  // What was assumed to read it: parts of one line.
  encoding: (name: string): string => `read as ${name}`,
  encodingChange: (name: string, line: number, then: string): string =>
    `read as ${name} up to line ${numberText(line)}, then as ${then}`,
  damaged: (count: number): string => `${countText(count, "damaged character")} shown as \uFFFD`,
  nuls: (count: number): string => `${countText(count, "NUL character")} left out`,
  columnName: (column: number): string => `column ${column}`,
  unnamedHeadings: (column: number, name: string, others: number): string => {
    const named = `${ordinal(column)} heading named “${name}”`;
    return others === 0 ? named : `${named}, and ${others} more without a name named alike`;
  },
  mergedHeadings: "two lines of headings read as one",
  noHeadings: (columns: number): string =>
    columns === 1
      ? "no heading, so it's named “column 1”"
      : `no headings, so they're named “column 1” to “column ${columns}”`,
  doubleHeadings: (names: readonly string[]): string => {
    const shown = `repeated heading renamed “${names[0]}”`;
    return names.length === 1 ? shown : `${shown}, and ${names.length - 1} more alike`;
  },
  longHeadings: (columns: readonly number[], most: number): string =>
    `${columns.length === 1 ? `${ordinal(columns[0] ?? 1)} heading` : `${columns.length} headings`} shortened to ${most} characters`,
  linesAbove: (count: number): string =>
    `${count === 1 ? "the line" : `${count} lines`} above the headings added as text`,
  tooFew: (row: number, values: number, rows: number): string =>
    `row ${numberText(row)} has ${fewText(values)} too few${othersText(rows - 1)}`,
  tooMany: (row: number, values: number, rows: number, column: string): string =>
    `row ${numberText(row)} has ${fewText(values)} too many${othersText(rows - 1)}, kept from “${column}” on`,
  emptyRows: (rows: number): string => `${countText(rows, "empty row")} skipped`,
  unclosed: (line: number, lines: number): string =>
    `a quotation mark in line ${numberText(line)}${lines === 1 ? "" : ` and ${numberText(lines - 1)} more`} isn't closed and counts as a character`,
  repairedJson: "trailing commas and comments ignored",
  brokenLine: (line: number, lines: number): string =>
    `line ${numberText(line)}${lines === 1 ? "" : ` and ${countText(lines - 1, "other line")}`} left out: invalid JSON`,
} as const;

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function ordinal(position: number): string {
  return ordinals[position - 1] ?? `number ${position}`;
}

function fewText(values: number): string {
  return values === 1 ? "one value" : `${numberText(values)} values`;
}

function othersText(rows: number): string {
  return rows === 0 ? "" : `, like ${countText(rows, "other row")}`;
}

/** What a message shows and Parley can't read. */
export const unreadSentences = {
  /** "a picture (chart.png)" */
  fileName: ({ name, mediaType }: { readonly name: string; readonly mediaType: string }): string => {
    const isVoice = /^(audio|voice)[-_ ]?message/i.test(name);
    if (mediaType.startsWith("image/")) return `a picture (${name})`;
    if (mediaType.startsWith("audio/")) return `${isVoice ? "a voice message" : "an audio file"} (${name})`;
    return mediaType.startsWith("video/") ? `a video (${name})` : `a file (${name})`;
  },
  onlyThat: (names: readonly string[]) => ({
    what: `I can't read ${listed(names)}.`,
    hint: "Tell me in words what you'd like to know.",
  }),
  /** For an agent, and for what is saved. */
  note: (names: readonly string[]): string => `(Not readable in this message: ${listed(names)}.)`,
  cut: (chars: number): string => `(Cut here; ${chars.toLocaleString("en")} characters in all.)`,
  notSaved: (names: readonly string[]): string => `it shows only ${listed(names)}, which can't be read`,
};

const maxListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => name.replace(/\s+/g, " ").slice(0, 120));
  const more = names.length > maxListed ? [`${names.length - maxListed} more`] : [];
  const all = [...shown, ...more];
  return all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
