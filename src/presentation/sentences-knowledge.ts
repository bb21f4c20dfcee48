/**
 * The sentences of feeding knowledge bases: why an address was refused or could not be read, what is wrong with rows,
 * what became of a Job, what saving says.
 */

/** Why an address may not be read; begins small, so that it can stand behind the address. */
export const addressSentences = {
  "not-an-address": "that is not a web address",
  "too-long": "the address is longer than 2,000 characters",
  scheme: "only http and https addresses can be read",
  credentials: "an address with a user name or password in it is not read",
  "internal-name": "the name belongs to an internal network",
  private: "it leads into a private network",
  loopback: "it leads to the machine itself",
  "link-local": "it leads to a link-local address",
  metadata: "it leads to a cloud's metadata service",
  multicast: "it leads to a multicast address",
  reserved: "it leads to a reserved address",
  unresolved: "the name does not resolve",
} as const;

/** Why a page could not be read. */
export const pageSentences = {
  status: (status: number): string =>
    status === 404 || status === 410
      ? `there is no such page (HTTP ${status})`
      : status === 401 || status === 403
        ? `the page is not open to everybody (HTTP ${status})`
        : `the server answered with an error (HTTP ${status})`,
  redirects: "it redirects more than five times",
  redirectRefused: (why: string): string => `it redirects where nothing is read: ${why}`,
  slow: (seconds: number): string => `it did not answer within ${seconds} s`,
  tooLarge: (megabytes: number): string => `it is larger than ${megabytes} MB`,
  unreachable: "the server cannot be reached",
  noHttps: "the server has no valid https",
  notText: (mediaType: string): string => `it is no page of text (${mediaType}): attach the file instead`,
  empty: "the page has no text (it may need a browser to show it)",
  robots: "the site's robots.txt asks not to read it",
  robotsAway: "the site's robots.txt cannot be read at the moment",
  tooComplex: "the page is too large or too complex to read",
} as const;

/** What is wrong with rows. */
export const rowSentences = {
  emptyFile: "it is empty",
  noRows: "there are no rows in it",
  json: (line: number, column: number): string => `the JSON is wrong at line ${line}, column ${column}`,
  notAnObject: (row: number): string => `row ${row} is no object with names and values`,
  emptyRow: (row: number): string => `row ${row} has no content`,
  ragged: (line: number, cells: number, columns: number): string =>
    `line ${line} has ${cells} cells, but the first line names ${columns} columns`,
  csv: (line: number, what: string): string => `the CSV is wrong at line ${line}: ${what}`,
  quoteNotClosed: "a quotation mark is not closed",
  quoteInside: "a quotation mark stands inside a cell that does not begin with one",
  emptyColumn: (column: number): string => `column ${column} has no name in the first line`,
  tooLarge: (megabytes: number): string => `it is larger than ${megabytes} MB`,
  binary: "it is no text",
} as const;

/** What became of an item of a Job. */
export const workSentences = {
  queryInterrupted: "Parley was restarted while the query ran: look whether its rows are there before trying again",
  noMessages: "there is nothing to save in it any more",
  fileKind: (ending: string): string => `files of that kind (${ending}) cannot be added`,
  fileTooLarge: (megabytes: number): string => `the file is larger than ${megabytes} MB`,
  fileGone: "the file cannot be opened any more",
  unknownEnding: "no ending",
  lost: "what was to be added is not kept any more: give the command again",
} as const;
