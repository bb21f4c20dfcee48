/**
 * One address -> the page that stands there: fetched under the policy, decoded, its main text as Markdown. What is no
 * page of text, or an error page, is a failure with its reason, never content.
 */
import { createHash } from "node:crypto";
import { pageSentences } from "../presentation/sentences-knowledge.ts";
import { decodeText } from "./charset.ts";
import type { Fetched, GuardedFetch } from "./guarded-fetch.ts";
import type { PageThread } from "./page-thread.ts";
import { ReadFailure } from "./read-failure.ts";

export type Page = {
  /** The address it calls its own where that is on the same host, else the one it was found at after redirects. */
  readonly url: string;
  readonly title: string;
  /** Markdown, never empty. */
  readonly content: string;
  readonly links: readonly string[];
};

export type PageReader = {
  /** Throws ReadFailure, or the signal's reason. */
  readonly read: (url: string, signal?: AbortSignal) => Promise<Page>;
};

/** What the first look at an address tells before the agent service is asked to read it. */
export type Look = { readonly title?: string };

const htmlTypes = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const textTypes = /^(?:text\/(?!css|javascript)|application\/(?:json|xml|yaml|x-yaml|rss\+xml|atom\+xml)\b)/i;
const looksLikeHtml = /<(?:!doctype html|html|head|body)\b/i;
const sniffBytes = 1_000;

export function createPageReader(options: { readonly fetch: GuardedFetch; readonly thread: PageThread }): PageReader {
  const { fetch, thread } = options;
  return {
    read: async (url, signal) => {
      const fetched = await fetch.get(url, signal === undefined ? {} : { signal });
      checkAnswer(fetched);
      if (!isHtml(fetched)) return plainPage(fetched);
      const { title, canonical, markdown, links } = await thread.read({ html: fetched, address: fetched.url });
      if (markdown === "") throw new ReadFailure("unreadable", pageSentences.empty);
      return { url: ownAddress(canonical, fetched.url), title: title || fetched.url, content: markdown, links };
    },
  };
}

/** Two seconds for the question whether the address is worth passing on. Throws ReadFailure. */
export async function lookAt(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<Look> {
  const limits = { limitMs: lookMs, maxBytes: lookBytes, cutsBody: true, maxAnnouncedBytes: maxPassedOnBytes };
  const fetched = await fetch.get(url, { ...limits, signal });
  checkAnswer(fetched);
  const text = decodeText(fetched.bytes, fetched.contentType);
  const title = /<title[^<>]*>([^<]{1,300})</i.exec(text)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  // Entities are rare in titles; one that has any is left to the address.
  return title === "" || title.includes("&") ? {} : { title };
}

const lookMs = 2_000;
const lookBytes = 64 * 1024;
/** No page is so large: the service would load it whole into its memory. */
const maxPassedOnBytes = 100 * 1024 * 1024;

/** The same page has the same id, however often it is put in. */
export function pageId(url: string): string {
  return `page-${createHash("sha256").update(url).digest("hex").slice(0, 24)}`;
}

function checkAnswer({ status, contentType }: Fetched): void {
  if (status < 200 || status >= 300) throw new ReadFailure("unreadable", pageSentences.status(status));
  if (contentType !== "" && !htmlTypes.test(contentType) && !textTypes.test(contentType)) {
    const [mediaType = ""] = contentType.split(";");
    throw new ReadFailure("unreadable", pageSentences.notText(mediaType.trim().slice(0, 80)));
  }
}

function isHtml({ contentType, bytes }: Fetched): boolean {
  if (contentType !== "") return htmlTypes.test(contentType);
  return looksLikeHtml.test(decodeText(bytes.subarray(0, sniffBytes), contentType));
}

/** Text and Markdown as they are; the first line, or the last part of the address, is the title. */
function plainPage({ url, bytes, contentType }: Fetched): Page {
  const content = decodeText(bytes, contentType).trim();
  if (content === "" || content.includes("\0")) throw new ReadFailure("unreadable", pageSentences.empty);
  const heading = /^#{1,3} +(.{1,200})$/m.exec(content.slice(0, 2_000))?.[1];
  const name = decoded(new URL(url).pathname.split("/").at(-1) ?? "");
  return { url, title: heading ?? (name === "" ? url : name), content, links: [] };
}

/** As it is where its percent signs are no UTF-8. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A page that calls a page of another host its own would be found under that one's address: not believed. */
function ownAddress(canonical: string | undefined, found: string): string {
  const url = new URL(found);
  url.hash = "";
  return canonical !== undefined && new URL(canonical).host === url.host ? canonical : url.href;
}
