/**
 * Extracts title, Markdown and links from a page's bytes, or the links of a list of pages. Pure; runs in the child
 * process, because the bytes are untrusted.
 */
import { pageSentences } from "../../presentation/sentences.ts";
import { maxPageBytes, maxPageMegabytes, maxPageTextChars, maxTags } from "../foreign/content-limits.ts";
import { guessEncoding } from "../rows/guess-encoding.ts";
import { decodeText } from "./charset.ts";
import { isXmlList, readLinkList } from "./link-lists.ts";
import { htmlTypes, unknownTypes } from "./media-types.ts";
import { readPageText } from "./page-text.ts";
import { ReadFailure } from "./read-failure.ts";
import { directivesFor } from "./robots-tag.ts";
import { isBinary, unpacked } from "./unpack.ts";

export type PageContent = {
  /** Its canonical URL if that is on the same host, else the final URL after redirects. */
  readonly url: string;
  readonly title: string;
  /** Markdown, never empty on a page that is kept. */
  readonly content: string;
  readonly links: readonly string[];
  /** It has a password field. */
  readonly asksForPassword: boolean;
  /** What was assumed to read it, as one line. */
  readonly note?: string;
  /** Where it was found, if it names another URL as its own. */
  readonly foundAt?: string;
  /** Absent: a page to keep. A list has only links, and a page that asks not to be kept is read for its links. */
  readonly use?: "list" | "unindexed";
  /** It only sends its readers on. */
  readonly refreshTo?: string;
};

/** What the server said of the bytes. */
export type Stated = {
  readonly contentType: string;
  readonly address: string;
  readonly robotsTag?: string | undefined;
  /** The body is longer than what was read of it. */
  readonly isCut?: boolean | undefined;
};

const looksLikeHtml = /<(?:!doctype html|html|head|body)\b/i;
const sniffBytes = 1_000;

/** Throws ReadFailure. */
export function readPageContent(
  bytes: Uint8Array,
  contentType: string,
  address: string,
  stated: Partial<Stated> = {},
): PageContent {
  const whole = unpacked(bytes);
  const text = decodeText(whole, contentType, guessEncoding);
  const nothing = { title: address, content: "", links: [], asksForPassword: false };
  const mayBeList = !htmlTypes.test(contentType) || isXmlList(text);
  const list = mayBeList ? readLinkList(text, address, stated.isCut) : undefined;
  if (list !== undefined) return { ...nothing, url: withoutHash(address), links: list, use: "list" };
  if (stated.isCut === true || whole.length > maxPageBytes)
    throw new ReadFailure("unreadable", pageSentences.tooLarge(maxPageMegabytes));
  if (isBinary(text)) throw new ReadFailure("unreadable", binaryReason(contentType));
  const wishes = directivesFor([stated.robotsTag ?? ""]);
  const page = isHtml(whole, contentType) ? htmlPage(text, address) : plainPage(text, address);
  const links = wishes.has("nofollow") ? [] : page.links;
  if (wishes.has("noindex") || page.use === "unindexed") return { ...nothing, url: page.url, links, use: "unindexed" };
  return { ...page, links };
}

function binaryReason(contentType: string): string {
  const [mediaType = ""] = contentType.split(";");
  return unknownTypes.test(contentType) ? pageSentences.notText(mediaType.trim()) : pageSentences.notReadable;
}

function htmlPage(text: string, address: string): PageContent {
  if (countTags(text) > maxTags) throw new ReadFailure("unreadable", pageSentences.tooManyTags(maxTags));
  const { title, canonical, markdown, links, frames, asksForPassword, refreshTo, isUnindexed } = readPageText(
    text,
    address,
  );
  const found = withoutHash(address);
  const url = ownAddress(canonical, found);
  const page = { url, title: title || address, content: markdown, links, asksForPassword };
  if (refreshTo !== undefined) return { ...page, refreshTo };
  if (isUnindexed) return { ...page, use: "unindexed" };
  // What it shows are other pages.
  if (frames.length > 0) return { ...page, content: "", links: frames, use: "list" };
  if (markdown === "") throw new ReadFailure("unreadable", pageSentences.empty);
  // Indentation and written-out URLs can make the text many times as large as its page.
  if (markdown.length > maxPageTextChars) {
    throw new ReadFailure("unreadable", pageSentences.textTooLarge(maxPageTextChars / 1_000_000));
  }
  const foundAt = url === found ? undefined : found;
  return { ...page, foundAt };
}

function isHtml(bytes: Uint8Array, contentType: string): boolean {
  if (htmlTypes.test(contentType)) return true;
  const start = decodeText(bytes.subarray(0, sniffBytes), contentType);
  if (contentType === "" || unknownTypes.test(contentType)) return looksLikeHtml.test(start);
  return /\bxml\b/i.test(contentType) && /<html[\s>]/i.test(start);
}

/** Stops at the limit: the text may be nothing but tags. */
function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf("<"); at >= 0 && count <= maxTags; at = html.indexOf("<", at + 1)) count += 1;
  return count;
}

/** Text and Markdown, unchanged. The first heading, or the last part of the URL, is the title. */
export function plainPage(text: string, url: string): PageContent {
  const content = text.trim();
  if (content === "") throw new ReadFailure("unreadable", pageSentences.empty);
  const heading = /^#{1,3} +(.{1,200})$/m.exec(content.slice(0, 2_000))?.[1];
  const name = decoded(new URL(url).pathname.split("/").at(-1) ?? "");
  return { url, title: heading ?? (name === "" ? url : name), content, links: [], asksForPassword: false };
}

/** Unchanged if its percent escapes aren't valid UTF-8. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function withoutHash(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

/**
 * A canonical URL on another host isn't trusted: the content would appear under that host's URL. Nor is the root of the
 * site, which templates name on every page.
 */
function ownAddress(canonical: string | undefined, found: string): string {
  if (canonical === undefined) return found;
  const [named, own] = [new URL(canonical), new URL(found)];
  if (named.host !== own.host) return found;
  return isRoot(named) && !isRoot(own) ? found : canonical;
}

function isRoot({ pathname }: URL): boolean {
  return /^\/(?:(?:index|home|default)(?:\.\w{3,5})?)?$/i.test(pathname);
}
