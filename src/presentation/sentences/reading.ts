/** Why a URL, page, file or row could not be read. In lower case, because the name of what failed precedes it. */
import { numberText } from "./quantities.ts";

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
  empty: "no readable text (the page may need JavaScript)",
  serviceMayNot: "the agent service isn't allowed to read web pages here (INGEST_BY). Run the command again",
  robots: "the site's robots.txt doesn't allow reading it",
  robotsUnchecked: "couldn't check the site's robots.txt",
  robotsAway: "the site's robots.txt is unavailable right now",
  textTooLarge: (megabytes: number): string => `its text is larger than ${megabytes} MB`,
  tooManyTags: (most: number): string => `the page has more than ${numberText(most)} HTML tags`,
} as const;

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
  /** The title of a row without one, shown as the source of an answer. */
  titleOf: (file: string, row: number): string => `${file}, row ${row}`,
  noRows: "it has no rows",
  json: (line: number, column: number): string => `invalid JSON at line ${line}, column ${column}`,
  notAnObject: (row: number): string => `row ${row} isn't an object`,
  emptyRow: (row: number): string => `row ${row} has no content`,
  ragged: (line: number, cells: number, columns: number): string =>
    `line ${line} has ${cells} cells, but the first line names ${columns} columns`,
  csv: (line: number, what: string): string => `invalid CSV at line ${line}: ${what}`,
  quoteNotClosed: "a quotation mark isn't closed",
  quoteInside: "a quotation mark inside a cell that doesn't start with one",
  doubleColumn: (name: string): string => `two columns are called ${name} in the first line`,
  emptyColumn: (column: number): string => `column ${column} has no name in the first line`,
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
} as const;

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
