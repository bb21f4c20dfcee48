/**
 * A git repository as a source, over HTTPS. This process only carries bytes between the server and files, within limits
 * and to addresses that the policy allows; the child process says what to ask and what the answer means.
 */
import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { syncSentences } from "../../presentation/sentences.ts";
import { checkAddress } from "../addresses/address-policy.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch, ScratchFile } from "../foreign/scratch.ts";
import type { Answered, GuardedFetch } from "../pages/guarded-fetch.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { readStoredRows } from "../rows/stored-rows.ts";
import type { GitEntry, GitFile } from "./git-pack.ts";
import { type ListSource, maxSourceBytes, type SourceFile } from "./source.ts";

/** Tokens for repositories: "github.com/acme", and the file that holds it. */
export type GitToken = { readonly where: string; readonly file: string };

/** Of a large repository: each branch and pull request takes about 70 bytes. */
const maxRefsBytes = 32 * 1024 * 1024;
const maxPackMegabytes = 100;
const maxPackBytes = maxPackMegabytes * 1024 * 1024;
const refsMs = 60_000;
const packMs = 600_000;
/** The list of 10,000 files. */
const maxListBytes = 64 * 1024 * 1024;
const maxTokenChars = 10_000;

export function isRepository(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The URL of a repository, as it is stored. Undefined if it isn't one that can be read over HTTPS. */
export function repositoryOf(
  given: string,
  { allowsPrivate }: { readonly allowsPrivate: boolean },
): string | undefined {
  const verdict = checkAddress(given, { allowsPrivate });
  if (verdict.kind === "refused") return undefined;
  const { url } = verdict;
  // Servers may read an escaped slash as one, and the token's path would mean nothing.
  if (url.search !== "" || url.hash !== "" || /%(?:2f|5c|2e|00)/i.test(url.pathname)) return undefined;
  // Without HTTPS only within the own network, where INGEST_ALLOW_PRIVATE allows that.
  const isInside = checkAddress(given, { allowsPrivate: false }).kind === "refused";
  if (url.protocol !== "https:" && !isInside) return undefined;
  const path = url.pathname.replace(/\/{1,9}$/, "");
  return path === "" ? undefined : `${url.origin}${path}`;
}

export function createGitSource({
  fetch,
  content,
  scratch,
  tokens,
}: {
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  readonly scratch: Scratch;
  readonly tokens: readonly GitToken[];
}): ListSource {
  /** Of the request's own URL, so that a redirect takes no token elsewhere. */
  async function loginFor(url: string): Promise<Readonly<Record<string, string>>> {
    const token = tokenFor(url, tokens);
    if (token === undefined) return {};
    // Each time, so that it can be replaced while Parley runs.
    const text = await readFile(token.file, "utf8").catch((thrown: unknown) => {
      throw new ReadFailure("unreadable", syncSentences.tokenAway, thrown);
    });
    const secret = text.trim();
    if (secret === "" || secret.length > maxTokenChars) throw new ReadFailure("unreadable", syncSentences.tokenAway);
    // Servers take any name beside a token; some tokens of GitHub need this one.
    const login = secret.includes(":") ? secret : `x-access-token:${secret}`;
    return { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  }

  /** Downloads what is there into those files. */
  async function download(source: string, refs: ScratchFile, pack: ScratchFile, owner: string, signal: AbortSignal) {
    const accept = { signal, cutsBody: false } as const;
    const advertised = await fetch.save(`${source}/info/refs?service=git-upload-pack`, refs.path, {
      ...accept,
      headers: loginFor,
      onPart: refs.reserve,
      maxBytes: maxRefsBytes,
      maxAnnouncedBytes: maxRefsBytes,
      limitMs: refsMs,
    });
    checkAnswer(advertised, tokenFor(source, tokens) !== undefined);
    const isGit = /^application\/x-git-upload-pack-advertisement\b/.test(advertised.contentType);
    if (!isGit) throw new ReadFailure("unreadable", syncSentences.notGit);
    const request = await scratch.file();
    try {
      await content.run("gitRequest", { refs: refs.path, into: request.path }, { owner, signal });
      const body = await readFile(request.path);
      const [found = ""] = advertised.url.split("/info/refs?");
      const answered = await fetch
        .save(`${found}/git-upload-pack`, pack.path, {
          ...accept,
          body,
          headers: async (url) => ({
            ...(await loginFor(url)),
            "content-type": "application/x-git-upload-pack-request",
            accept: "application/x-git-upload-pack-result",
          }),
          onPart: pack.reserve,
          maxBytes: maxPackBytes,
          maxAnnouncedBytes: maxPackBytes,
          maxRedirects: 0,
          limitMs: packMs,
        })
        .catch(tooLarge);
      checkAnswer(answered, tokenFor(found, tokens) !== undefined);
    } finally {
      await request.remove();
    }
  }

  return async (source, { owner, signal }) => {
    const refs = await scratch.file();
    const pack = await scratch.file();
    const list = await scratch.file();
    const into = await scratch.file();
    try {
      await download(source, refs, pack, owner, signal);
      const task = { refs: refs.path, pack: pack.path, list: list.path, into: into.path };
      const onBegin = () => {
        list.reserve(maxListBytes);
        into.reserve(maxSourceBytes);
      };
      const { leftOut } = await content.run("gitFiles", task, { owner, signal, onBegin });
      await Promise.all([list.settle(), into.settle()]);
      const entries = await Array.fromAsync(readStoredRows<GitEntry>(list.path));
      const links = linksOf(source);
      return {
        name: nameOf(source),
        files: entries.filter(isFile).map((file): SourceFile => {
          const save: SourceFile["save"] = (to) => copy(into.path, file, to);
          return links === undefined ? { path: file.path, save } : { path: file.path, url: links(file.path), save };
        }),
        leftOut,
        unread: entries.flatMap((entry) => (isFile(entry) ? [] : [entry])),
        dispose: into.remove,
      };
    } catch (thrown) {
      await into.remove();
      throw thrown;
    } finally {
      await Promise.all([refs.remove(), pack.remove(), list.remove()]);
    }
  };
}

/** The one with the longest path. */
function tokenFor(url: string, tokens: readonly GitToken[]): GitToken | undefined {
  const { host, pathname } = new URL(url);
  const fitting = tokens.filter(({ where }) => `${host}${pathname}/`.startsWith(`${where}/`));
  return fitting.toSorted((one, other) => other.where.length - one.where.length)[0];
}

function checkAnswer({ status }: Answered, hasToken: boolean): void {
  if (status >= 200 && status < 300) return;
  const isRefused = status === 401 || status === 403;
  const reason = isRefused
    ? syncSentences.login(hasToken)
    : status === 404
      ? syncSentences.notFound(hasToken)
      : syncSentences.serverSaid(status);
  throw new ReadFailure("unreadable", reason, undefined, status);
}

function tooLarge(thrown: unknown): never {
  const isSize = thrown instanceof ReadFailure && thrown.reason.startsWith("larger than");
  throw isSize ? new ReadFailure("unreadable", syncSentences.repositoryTooLarge(maxPackMegabytes), thrown) : thrown;
}

function isFile(entry: GitEntry): entry is GitFile {
  return "from" in entry;
}

async function copy(path: string, { from, size }: GitFile, to: ScratchFile): Promise<string> {
  to.reserve(size);
  const all = await open(path);
  try {
    const { buffer } = await all.read(Buffer.alloc(size), 0, size, from);
    const file = await open(to.path, "w");
    await file.writeFile(buffer).finally(() => file.close());
    return createHash("sha256").update(buffer).digest("hex");
  } finally {
    await all.close();
  }
}

/** "https://github.com/acme/handbook.git" -> "handbook" */
function nameOf(source: string): string {
  const last = source.slice(source.lastIndexOf("/") + 1).replace(/\.git$/, "");
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Where a host shows the newest version of a file. Undefined for hosts whose form isn't known. */
function linksOf(source: string): ((path: string) => string) | undefined {
  const { hostname } = new URL(source);
  const repository = source.replace(/\.git$/, "");
  const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");
  if (hostname === "github.com") return (path) => `${repository}/blob/HEAD/${encoded(path)}`;
  if (hostname === "gitlab.com" || hostname.startsWith("gitlab."))
    return (path) => `${repository}/-/blob/HEAD/${encoded(path)}`;
  return undefined;
}
