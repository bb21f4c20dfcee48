import type { Inline } from "../../core/document.ts";
import { bold, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** Why a URL, page, file or row could not be read. In lower case, because the name of what failed precedes it. */

/** Why a URL may not be read. */
export const addressSentences = {
  "not-an-address": "not a web URL",
  "too-long": "longer than 2,000 characters",
  scheme: "only http and https URLs can be read",
  credentials: "URLs with a user name or password in them aren't read",
  "internal-name": "the name belongs to an internal network",
  private: "it leads to a private network",
  loopback: "it leads to Parley's own machine, which only INGEST_ALLOW_PRIVATE=true allows",
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

export const maxNamed = 2;

/** The last part of its path. */
export function decodedName(url: string): string {
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
} as const;

/** Documents that aren't text: their parts, and what couldn't be read of them. */
export const documentSentences = {
  page: (number: number): string => `page ${number}`,
  slide: (number: number): string => `slide ${number}`,
  /** What a speaker wrote below a slide. */
  notes: (text: string): string => `Notes: ${text}`,
  /** The title of a part, shown as the source of an answer. */
  titleOf: (name: string, part: string): string => (part === "" ? name : `${name}, ${part}`),
  sheetOf: (name: string, sheet: string): string => `${name} (${sheet})`,
  /** What was not read of a part that is too long. */
  restOf: (part: string): string => (part === "" ? "the rest" : `the rest of ${part}`),
  left: (parts: readonly string[]): string => `${listed(parts)} left out: the files of a question are limited`,
  unknown: "it isn't a document that can be read",
  program: "it's a program, not a document",
  oldOffice: "it's in an old format of Office. Save it as .docx, .xlsx or .pptx and add it again",
  noText: "it has no text",
  tooManyFiles: (most: number): string => `it's packed from more than ${numberText(most)} files`,
  unpacksTo: (megabytes: number): string => `it unpacks to more than ${megabytes} MB`,
  tooManyRows: (most: string): string => `it has more than ${most} rows: split it into several files`,
  attachments: (names: readonly string[]): string => `attached and not read: ${listed(names)}`,
  onlyAttachments: (names: readonly string[]): string => `it has no text, only attachments: ${listed(names)}`,
  damaged: (format: string): string => `the ${format} is damaged or incomplete`,
  encrypted: "it's protected with a password. Remove the password and add it again",
  tooManyPages: (pages: number, most: number): string =>
    `it has ${numberText(pages)} pages: at most ${numberText(most)} can be added. Split it into several files`,
  tooMuchText: (megabytes: number): string => `its text is larger than ${megabytes} MB. Split it into several files`,
  scan: (pages: number): string =>
    `${pages === 1 ? "its only page has no" : `none of its ${numberText(pages)} pages has`} text: it's a scan. Run text recognition (OCR) first`,
  emptyPages: (pages: readonly number[]): string =>
    `${pagesText(pages)} ${pages.length === 1 ? "has" : "have"} no text (a scan or a picture)`,
  unmapped: (pages: readonly number[]): string =>
    `${pagesText(pages)} left out, because their fonts don't say which letters they show`,
  unmappedAll: "its fonts don't say which letters they show. Run text recognition (OCR) first",
  brokenPages: (pages: readonly number[]): string => `${pagesText(pages)} left out: damaged`,
} as const;

const maxListedPages = 6;

/** "pages 3 to 5 and 9". */
function pagesText(pages: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last !== undefined && last.to === page - 1) last.to = page;
    else runs.push({ from: page, to: page });
  }
  const shown = runs.slice(0, maxListedPages).map(({ from, to }) => {
    if (from === to) return numberText(from);
    return `${numberText(from)}${to === from + 1 ? " and" : " to"} ${numberText(to)}`;
  });
  const left = runs.slice(maxListedPages).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const all = left === 0 ? shown : [...shown, `${numberText(left)} more`];
  const list = all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
  return `${pages.length === 1 ? "page" : "pages"} ${list}`;
}

/** What is wrong with rows. */
export const rowSentences = {
  emptyFile: "it's empty",
  /** The title of a row, shown as the source of an answer. `name`: of a table with a column "title", its cell. */
  titleOf: (file: string, row: number, name = ""): string => `${file}, row ${row}${name === "" ? "" : `: ${name}`}`,
  binary: "it isn't text",
  longLine: (line: number, most: number): string => `line ${line} is longer than ${numberText(most)} characters`,
  emptyRows: (rows: number): string => `${countText(rows, "empty row")} skipped`,
} as const;

/** Why a synced source, or a file of one, could not be read. */
export const syncSentences = {
  notAllowed: "it isn't within a folder that SYNC_FOLDERS names",
  folderAway: "the folder can't be opened. Is it mounted? Nothing was removed",
  emptyNow: (known: number): string =>
    `there are no files now, but ${countText(known, "file")} ${known === 1 ? "is" : "are"} known. Is it mounted? Nothing was removed`,
  empty: "there are no files that can be read",
  tooManyFiles: (most: number): string => `it has more than ${numberText(most)} files: sync its folders one by one`,
  tooManyEntries: (most: number): string =>
    `it has more than ${numberText(most)} files and folders: sync its folders one by one`,
  tooDeep: (most: number): string => `it has more than ${most} folders within each other`,
  folderUnread: "the folder can't be opened",
  fileAway: "it can't be opened",
  noRight: "Parley has no permission to read it",
  notFile: "it isn't a file",
  linkOut: "it's a link to something outside the folder",
  changing: "it changed while it was read",
  tooLarge: (megabytes: number): string => `the file is larger than ${megabytes} MB`,
  notGit: "there is no git repository that can be read over HTTPS",
  emptyRepository: "the repository has no commits",
  damagedRepository: "the server's answer isn't a repository that can be read",
  repositoryTooLarge: (megabytes: number): string => `its newest commit is larger than ${megabytes} MB, packed`,
  tooManyBytes: (megabytes: number): string => `its files add up to more than ${megabytes} MB`,
  login: (hasToken: boolean): string =>
    hasToken
      ? "the server refused its token: it may be revoked or expired, or not be allowed to read it. Nothing was removed"
      : "the repository requires a login, and SYNC_GIT_TOKENS has no token for it. Nothing was removed",
  notFound: (hasToken: boolean): string =>
    hasToken
      ? "repository not found, or its token isn't allowed to see it. Nothing was removed"
      : "repository not found, or it needs a token in SYNC_GIT_TOKENS. Nothing was removed",
  serverSaid: (status: number): string => `the server returned an error (${status}). Nothing was removed`,
  tokenAway: "the file with its token can't be read",
  largeFiles: "it's stored in Git LFS, which isn't read",
} as const;

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

export function ordinal(position: number): string {
  return ordinals[position - 1] ?? `number ${position}`;
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
  /** For an agent, and for what is saved. */
  note: (names: readonly string[]): string => `(Not readable in this message: ${listed(names)}.)`,
};

const maxListed = 5;

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => name.replace(/\s+/g, " ").slice(0, 120));
  const more = names.length > maxListed ? [`${names.length - maxListed} more`] : [];
  const all = [...shown, ...more];
  return all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Sentences about jobs that add to knowledge bases: their message and their items. */

/** The message of a Job. */
export const jobSentences = {
  progress: (done: number, all: number, failed: number): string =>
    `${numberText(done)} of ${numberText(all)} done${failed === 0 ? "" : `, ${numberText(failed)} failed`}`,
  serviceAway: "The agent service is unreachable. This will resume automatically.",
} as const;

/** Why an item of a Job failed; stands behind its name. */
export const workSentences = {
  lost: "the content has expired. Run the command again",
  stoppedTwice: "skipped, because Parley stopped unexpectedly twice while adding it",
  stoppedTwiceAsking: "skipped, because Parley stopped unexpectedly twice while asking",
} as const;

/** Sentences about what is in a knowledge base: its list, refreshing, removing and deleting. */

export const ledgerSentences = {
  incomplete: "wasn't added completely. Add it again",
  readBy: (agents: readonly string[]): Inline =>
    say`Read by ${agents.flatMap((name, index) => (index === 0 ? [bold(name)] : [", ", bold(name)]))}`,
  remove: "Remove",
  addedFiles: (count: number): string => `${numberText(count)} added`,
  counted: {
    updated: (count: number): string => `${numberText(count)} updated`,
    unchanged: (count: number): string => `${numberText(count)} unchanged`,
    moved: (count: number): string => `${numberText(count)} moved`,
    gone: (count: number): string => `${numberText(count)} gone`,
    removed: (count: number): string => `${numberText(count)} gone and removed`,
    login: (count: number): string => `${numberText(count)} behind a login`,
  },
  outcome: {
    updated: "updated",
    unchanged: "unchanged",
    moved: "moved here",
    gone: "gone",
    removed: "gone, so it was removed",
    login: "requires a login",
  },
} as const;

/** Saving messages and threads. */
export const saveSentences = {
  form: {
    title: "Save to knowledge base",
    submit: "Save",
    name: { label: "Title", hint: "Shown as the source title" },
    into: { label: "Knowledge base" },
    scope: { label: "What to save", hint: "Saving again replaces the earlier copy" },
    scopes: { thread: "The whole thread", message: "Only this message" },
    noTitle: "Enter a title.",
    noBase: "Choose a knowledge base.",
  },
  titleOf: (author: string, words: string): string => (words === "" ? `Message from ${author}` : words),
  message: "the message",
} as const;
