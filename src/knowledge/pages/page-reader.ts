/**
 * One address -> the page that stands there: fetched under the policy into a file, and parsed in the child process. What
 * is no page of text, or an error page, is a failure with its reason, never content.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { pageSentences } from "../../presentation/sentences.ts";
import { maxPageTextBytes } from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch } from "../foreign/scratch.ts";
import { decodeText } from "./charset.ts";
import type { Answered, GuardedFetch } from "./guarded-fetch.ts";
import { htmlTypes, textTypes } from "./media-types.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./robots.ts";

export type Page = {
  /** The address it calls its own where that is on the same host, else the one it was found at after redirects. */
  readonly url: string;
  readonly title: string;
  readonly links: readonly string[];
  /** Markdown, never empty; read from its file, so that a page that waits takes no memory. */
  readonly content: () => Promise<string>;
  /** Removes the file. Idempotent; never rejects. */
  readonly dispose: () => Promise<void>;
};

export type PageReader = {
  /** Throws ReadFailure, or the signal's reason. */
  readonly read: (url: string, reader: Reader) => Promise<Page>;
};

/** What the first look at an address tells before the agent service is asked to read it. */
export type Look = { readonly title?: string };

export function createPageReader(options: {
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  readonly scratch: Scratch;
}): PageReader {
  const { fetch, content, scratch } = options;

  async function parse(path: string, { url, contentType }: Answered, reader: Reader): Promise<Page> {
    const text = await scratch.file();
    try {
      const onBegin = () => text.reserve(maxPageTextBytes);
      const task = { path, contentType, address: url, into: text.path };
      const page = await content.run("page", task, { ...reader, onBegin });
      await text.settle();
      return { ...page, content: () => readFile(text.path, "utf8"), dispose: text.remove };
    } catch (thrown) {
      await text.remove();
      throw thrown;
    }
  }

  return {
    read: async (url, reader) => {
      const body = await scratch.file();
      try {
        const answered = await fetch.save(url, body.path, { signal: reader.signal, onPart: body.reserve });
        checkAnswer(answered);
        return await parse(body.path, answered, reader);
      } finally {
        await body.remove();
      }
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

function checkAnswer({ status, contentType }: Answered): void {
  if (status < 200 || status >= 300) throw new ReadFailure("unreadable", pageSentences.status(status));
  if (contentType !== "" && !htmlTypes.test(contentType) && !textTypes.test(contentType)) {
    const [mediaType = ""] = contentType.split(";");
    throw new ReadFailure("unreadable", pageSentences.notText(mediaType.trim().slice(0, 80)));
  }
}
