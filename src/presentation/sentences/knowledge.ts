/**
 * The sentences of feeding knowledge bases: why an address was refused or could not be read, what is wrong with rows,
 * what became of a Job, what saving says.
 */

import type { Inline } from "../../ports/document.ts";
import { bold, code, inline, link } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

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
  notText: (mediaType: string): string => `it is no page of text (${mediaType}); as an attached file it can be added`,
  empty: "the page has no text (it may need a browser to show it)",
  serviceMayNot: "the agent service is not allowed to read web pages here (INGEST_BY); run the command again",
  robots: "the site's robots.txt asks not to read it",
  robotsUnchecked: "the site's robots.txt could not be checked",
  robotsAway: "the site's robots.txt cannot be read at the moment",
  textTooLarge: (megabytes: number): string => `its text is larger than ${megabytes} MB`,
  tooManyTags: (most: number): string => `the page has more than ${numberText(most)} HTML tags`,
} as const;

/** Why a page or a file could not be parsed, whatever is in it. */
export const contentSentences = {
  tooComplex: "it is too complex to read",
  tooSlow: (seconds: number): string => `reading it took longer than ${seconds} s`,
  tooMuch: "it needs too much memory to read",
  noRoom: "Parley has no room left on its disk to read it: try again later",
  unstarted: "Parley has no memory or process left to read it: try again later",
  lateFile: (minutes: number): string => `the file did not arrive within ${minutes} minutes`,
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
  doubleColumn: (name: string): string => `two columns are called ${name} in the first line`,
  emptyColumn: (column: number): string => `column ${column} has no name in the first line`,
  tooLarge: (megabytes: number): string => `it is larger than ${megabytes} MB`,
  binary: "it is no text",
  tooManyColumns: (columns: number, most: number): string =>
    `it has ${numberText(columns)} columns: at most ${numberText(most)} can be added`,
  longColumn: (column: number, most: number): string =>
    `the name of column ${column} is longer than ${numberText(most)} characters`,
  tooManyRows: (most: number): string => `it has more than ${numberText(most)} rows: split it into several files`,
  rowsTooLarge: (megabytes: number): string =>
    `its rows are larger than ${megabytes} MB in all: split it into several files`,
  longLine: (line: number, most: number): string => `line ${line} is longer than ${numberText(most)} characters`,
  tooDeep: (most: number): string => `its JSON is nested more than ${numberText(most)} levels deep`,
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
  stoppedTwice: "Parley stopped unexpectedly twice while adding this, so it was skipped",
} as const;

/** What is answered to whoever feeds a knowledge base. */
export const feedSentences = {
  begun: (count: number, what: "address" | "piece" | "query", into: string): Inline => {
    const many = { address: "addresses", piece: "pieces", query: "queries" }[what];
    return inline(`${countText(count, what, many)} on the way to `, bold(into), ". A message here shows how it goes.");
  },
  runningAlready: (addresses: readonly string[]): Inline =>
    inline("Being added by another job already: ", addresses.join(", ")),
  twice: (count: number): string =>
    `${countText(count, "address was", "addresses were")} given twice and ${count === 1 ? "is" : "are"} read once.`,
  didYouMean: (address: string): string => `did you mean ${address}?`,
  noneTaken: "Nothing was added:",
  tooMany: (most: number): string => `That are more than ${numberText(most)} addresses: give them in several commands.`,
  noAddress: "Give at least one address that begins with https://.",
  limited: (pages: number, depth: number): string =>
    `At most ${countText(pages, "page")} and ${countText(depth, "step")} from each address are read here.`,
  badDomain: (domain: string): Inline =>
    inline(code(domain), " is no domain: write it like ", code("example.com"), "."),
  unknownBase: (name: string): Inline => inline("There is no knowledge base called ", code(name), "."),
  unknownProject: (name: string): Inline => inline("There is no project called ", code(name), "."),
  onlyParleyReads: inline("Here Parley reads web pages itself. Leave out ", code("by service"), "."),
  noBase: "There is no knowledge base yet.",
  makeBase: "Make it first, then give the command again.",
  create: "Create it",
  nothingToAdd: "Give some text, or attach a file where the chat takes files.",
  attached: "Pasted text",
  confirmQuery: (into: string): Inline => inline("Put the rows of this query into ", bold(into), "?"),
  queryRuns: "The agent service runs it as it stands, with the rights of its own data sources.",
  runQuery: "Add its rows",
  onlySelect: "Only a single SELECT without comments can be added: the agent service would run anything else as well.",
  queryGone: "That query is not kept any more: give the command again.",
  query: "Query",
} as const;

/** Jobs, listed and pressed. */
export const jobListSentences = {
  title: (count: number): string => countText(count, "job"),
  none: "There was no job here yet.",
  state: { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" },
  line: (label: string, more: number, into: string): Inline =>
    inline(label, more === 0 ? "" : ` and ${numberText(more)} more`, " into ", bold(into)),
  by: (name: string): string => `by ${name}`,
  cancelled: (ref: string): Inline => inline("Job ", code(ref), " is being cancelled."),
  over: (ref: string): Inline => inline("Job ", code(ref), " is over already."),
  noSuch: (given: string): Inline => inline("There is no running job ", code(given), "."),
  noneRunning: "No job is running here.",
  which: "Several jobs are running. Say which one to cancel:",
  again: "What failed is being tried again.",
  nothingAgain: "There is nothing to try again.",
  gone: "That job is not kept any more.",
  notYours: "Only managers may try a query again.",
} as const;

/** "Ask about it", under a Job that is over. */
export const askAddedSentences = {
  question: { label: "Your question", hint: (base: string): string => `About what was added to ${base}` },
  told: (base: string): string => `What is asked about was just added to the knowledge base ${base}:`,
  more: (count: number): string => `and ${numberText(count)} more`,
} as const;

/** Saving what was said in chat. */
export const saveSentences = {
  form: {
    title: "Save to knowledge base",
    submit: "Save",
    name: { label: "Title", hint: "How answers will name it" },
    into: { label: "Knowledge base", hint: "Where it goes" },
    scope: { label: "What to save", hint: "Saving it again replaces it" },
    scopes: { thread: "The whole thread", message: "This message alone" },
    noTitle: "Give it a title.",
    noBase: "Choose a knowledge base.",
  },
  titleOf: (author: string, words: string): string => (words === "" ? `Said by ${author}` : words),
  message: "the message",
  saving: (title: string, into: string): Inline =>
    inline("Saving ", title === "" ? saveSentences.message : bold(title), " to ", bold(into), "…"),
  saved: (title: string, into: string, url?: string): Inline =>
    inline("Saved ", url === undefined ? bold(title) : link(title, url), " to ", bold(into), "."),
  notSaved: (title: string, reason: string): Inline =>
    inline(title === saveSentences.message ? "The message" : bold(title), ` could not be saved: ${reason}`),
  stillRunning: "It is still being saved; the message is marked when it is done.",
  removed: (title: string, from: string): Inline => inline("Removed ", bold(title), " from ", bold(from), "."),
  gone: "That form is not kept any more: choose “Save to knowledge base” again.",
  savedGone: "What was saved there is not known any more.",
} as const;
