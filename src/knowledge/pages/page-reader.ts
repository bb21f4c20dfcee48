/**
 * Reads the page at a URL: fetches it under the policy into a file, and parses it in the child process. An error page,
 * or anything that isn't a text page, is a failure with its reason, never content.
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
  /** Its canonical URL if that is on the same host, else the final URL after redirects. */
  readonly url: string;
  readonly title: string;
  readonly links: readonly string[];
  /** Markdown, never empty. Read from its file, so that a waiting page takes no memory. */
  readonly content: () => Promise<string>;
  /** Removes the file. Idempotent; never rejects. */
  readonly dispose: () => Promise<void>;
};

export type PageReader = ReturnType<typeof createPageReader>;

export function createPageReader(options: {
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  readonly scratch: Scratch;
}) {
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
    /** Throws ReadFailure, or the signal's reason. */
    read: async (url: string, reader: Reader): Promise<Page> => {
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

/** Checks within two seconds whether the agent service should be asked to fetch the URL. Throws ReadFailure. */
export async function lookAt(
  fetch: GuardedFetch,
  url: string,
  signal: AbortSignal,
): Promise<{ readonly title?: string }> {
  const limits = { limitMs: lookMs, maxBytes: lookBytes, cutsBody: true, maxAnnouncedBytes: maxPassedOnBytes };
  const fetched = await fetch.get(url, { ...limits, signal });
  checkAnswer(fetched);
  const text = decodeText(fetched.bytes, fetched.contentType);
  const title = /<title[^<>]*>([^<]{1,300})</i.exec(text)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  // Entities are rare in titles; a title with one is dropped, and the URL is shown.
  return title === "" || title.includes("&") ? {} : { title };
}

const lookMs = 2_000;
const lookBytes = 64 * 1024;
/** Larger than any page: the service would load all of it into memory. */
const maxPassedOnBytes = 100 * 1024 * 1024;

/** The same page always has the same id. */
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
