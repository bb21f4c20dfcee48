/**
 * Extracts title, Markdown and links from a page's bytes. Pure; runs in the child process, because the bytes are
 * untrusted.
 */
import { pageSentences } from "../../presentation/sentences.ts";
import { maxPageTextChars, maxTags } from "../foreign/content-limits.ts";
import { guessEncoding } from "../rows/guess-encoding.ts";
import { decodeText } from "./charset.ts";
import { htmlTypes } from "./media-types.ts";
import { readPageText } from "./page-text.ts";
import { ReadFailure } from "./read-failure.ts";

export type PageContent = {
  /** Its canonical URL if that is on the same host, else the final URL after redirects. */
  readonly url: string;
  readonly title: string;
  /** Markdown, never empty. */
  readonly content: string;
  readonly links: readonly string[];
  /** It has a password field. */
  readonly asksForPassword: boolean;
  /** What was assumed to read it, as one line. */
  readonly note?: string;
};

const looksLikeHtml = /<(?:!doctype html|html|head|body)\b/i;
const sniffBytes = 1_000;

/** Throws ReadFailure. */
export function readPageContent(bytes: Uint8Array, contentType: string, address: string): PageContent {
  const text = decodeText(bytes, contentType, guessEncoding);
  if (!isHtml(bytes, contentType)) return plainPage(text, address);
  if (countTags(text) > maxTags) throw new ReadFailure("unreadable", pageSentences.tooManyTags(maxTags));
  const { title, canonical, markdown, links, asksForPassword } = readPageText(text, address);
  if (markdown === "") throw new ReadFailure("unreadable", pageSentences.empty);
  // Indentation and written-out URLs can make the text many times as large as its page.
  if (markdown.length > maxPageTextChars) {
    throw new ReadFailure("unreadable", pageSentences.textTooLarge(maxPageTextChars / 1_000_000));
  }
  const url = ownAddress(canonical, address);
  return { url, title: title || address, content: markdown, links, asksForPassword };
}

function isHtml(bytes: Uint8Array, contentType: string): boolean {
  if (contentType !== "") return htmlTypes.test(contentType);
  return looksLikeHtml.test(decodeText(bytes.subarray(0, sniffBytes), contentType));
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
  if (content === "" || content.includes("\0")) throw new ReadFailure("unreadable", pageSentences.empty);
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

/** A canonical URL on another host isn't trusted: the content would appear under that host's URL. */
function ownAddress(canonical: string | undefined, found: string): string {
  const url = new URL(found);
  url.hash = "";
  return canonical !== undefined && new URL(canonical).host === url.host ? canonical : url.href;
}
