/**
 * Reads the page at a URL: fetches it under the policy into a file, and parses it in the child process. An error page,
 * or anything that isn't a text page, is a failure with its reason, never content.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { present } from "../../ports/tools/present.ts";
import { pageSentences } from "../../presentation/sentences.ts";
import { maxPageTextBytes } from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch } from "../foreign/scratch.ts";
import { decodeText } from "./charset.ts";
import type { Answered, Fetched, GuardedFetch } from "./guarded-fetch.ts";
import { htmlTypes, textTypes } from "./media-types.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./robots.ts";

export type Page = {
  /** Its canonical URL if that is on the same host, else the final URL after redirects. */
  readonly url: string;
  readonly title: string;
  readonly links: readonly string[];
  /** It has a password field. */
  readonly asksForPassword: boolean;
  /** What was assumed to read it, as one line. */
  readonly note?: string;
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

/**
 * Fetches the page within two seconds and checks whether the agent service should be asked for it: the service takes
 * error pages and pages without text for content. Throws ReadFailure, or the signal's reason.
 */
export async function lookAt(
  tools: { readonly fetch: GuardedFetch; readonly content: ForeignContent; readonly scratch: Scratch },
  url: string,
  reader: Reader,
): Promise<{ readonly title?: string }> {
  const limits = { limitMs: lookMs, maxBytes: lookBytes, cutsBody: true, maxAnnouncedBytes: maxPassedOnBytes };
  const fetched = await tools.fetch.get(url, { ...limits, ...present({ signal: reader.signal }) });
  checkAnswer(fetched);
  // The text of a larger page may begin later.
  if (fetched.bytes.length < lookBytes && !(await hasText(fetched, tools, reader))) {
    throw new ReadFailure("unreadable", pageSentences.empty);
  }
  const text = decodeText(fetched.bytes, fetched.contentType);
  const title = /<title[^<>]*>([^<]{1,300})</i.exec(text)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  // Entities are rare in titles; a title with one is dropped, and the URL is shown.
  return title === "" || title.includes("&") ? {} : { title };
}

/** True as well if it could not be parsed: the service may be able to. */
async function hasText(
  { bytes, contentType, url }: Fetched,
  { content, scratch }: { readonly content: ForeignContent; readonly scratch: Scratch },
  reader: Reader,
): Promise<boolean> {
  const body = await scratch.file();
  const text = await scratch.file();
  try {
    body.reserve(bytes.length);
    await writeFile(body.path, bytes);
    const onBegin = () => text.reserve(maxPageTextBytes);
    await content.run("page", { path: body.path, contentType, address: url, into: text.path }, { ...reader, onBegin });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ReadFailure)) throw thrown;
    return thrown.reason !== pageSentences.empty;
  } finally {
    await Promise.all([body.remove(), text.remove()]);
  }
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
  if (status < 200 || status >= 300) {
    throw new ReadFailure("unreadable", pageSentences.status(status), undefined, status);
  }
  if (contentType !== "" && !htmlTypes.test(contentType) && !textTypes.test(contentType)) {
    const [mediaType = ""] = contentType.split(";");
    throw new ReadFailure("unreadable", pageSentences.notText(mediaType.trim().slice(0, 80)));
  }
}
