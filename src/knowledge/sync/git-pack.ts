/**
 * Understands what a git server answers. Runs in the child process, which has no network: the answers are files, and
 * what it would ask next is another. The repository itself is held in memory, so that no name in it can lead anywhere.
 */
import { readFile } from "node:fs/promises";
import type { GitHttpRequest, GitHttpResponse, PromiseFsClient } from "isomorphic-git";
import { syncSentences } from "../../presentation/sentences.ts";
import { maxDocumentBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import {
  isLeftFolder,
  isSyncedName,
  maxSourceBytes,
  maxSourceDepth,
  maxSourceEntries,
  maxSourceFiles,
} from "./source.ts";

/** A file of the repository, and where its bytes begin in the file with all of them. */
export type GitFile = { readonly path: string; readonly from: number; readonly size: number };
/** A line of the list that the child process writes. */
export type GitEntry = GitFile | { readonly path: string; readonly reason: string };

/** The newest commit of the default branch. */
const newest = { url: "https://repository.invalid/", ref: "HEAD", depth: 1, singleBranch: true, tags: false } as const;
const gitdir = "/git";

/** What to post to the server for the newest commit alone. Throws ReadFailure. */
export async function gitRequest(refs: string): Promise<Uint8Array> {
  const wanted = new Wanted();
  const { fetch } = (await import("isomorphic-git")).default;
  const http = httpOver(refs, async ({ body = [] }) => {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    wanted.body = Buffer.concat(parts);
    throw wanted;
  });
  try {
    await fetch({ fs: memoryFiles(), http, gitdir, ...newest });
  } catch (thrown) {
    if (wanted.body !== undefined) return wanted.body;
    throw new ReadFailure("unreadable", syncSentences.notGit, thrown);
  }
  throw new ReadFailure("unreadable", syncSentences.emptyRepository);
}

/** `write` takes the bytes of each file, in the order of the list. Throws ReadFailure. */
export async function* gitFiles(
  refs: string,
  pack: string,
  write: (bytes: Uint8Array) => Promise<void>,
  counts: { leftOut: number },
): AsyncGenerator<GitEntry, void, void> {
  const git = (await import("isomorphic-git")).default;
  const shared = { fs: memoryFiles(), gitdir, cache: {} };
  const http = httpOver(refs, async () => answer(await readFile(pack)));
  const { fetchHead } = await git.fetch({ ...shared, http, ...newest }).catch((thrown: unknown) => {
    throw new ReadFailure("unreadable", syncSentences.damagedRepository, thrown);
  });
  if (fetchHead === null) throw new ReadFailure("unreadable", syncSentences.emptyRepository);
  const root = await git.readCommit({ ...shared, oid: fetchHead }).catch(damaged);
  const seen = new Set<string>();
  let entries = 0;
  let files = 0;
  let from = 0;

  async function* walk(oid: string, prefix: string, depth: number): AsyncGenerator<GitEntry, void, void> {
    if (depth > maxSourceDepth) throw new ReadFailure("unreadable", syncSentences.tooDeep(maxSourceDepth));
    const { tree } = await git.readTree({ ...shared, oid }).catch(damaged);
    for (const entry of tree) {
      entries += 1;
      if (entries > maxSourceEntries)
        throw new ReadFailure("unreadable", syncSentences.tooManyEntries(maxSourceEntries));
      const path = `${prefix}${entry.path}`;
      if (entry.type === "tree") {
        if (!isLeftFolder(entry.path)) yield* walk(entry.oid, `${path}/`, depth + 1);
        continue;
      }
      if (entry.path.startsWith(".")) continue;
      const isFile = entry.type === "blob" && entry.mode !== "120000";
      // Names that aren't UTF-8 can be read as the same.
      if (!isFile || !isSyncedName(entry.path) || seen.has(path)) {
        counts.leftOut += 1;
        continue;
      }
      seen.add(path);
      files += 1;
      if (files > maxSourceFiles) throw new ReadFailure("unreadable", syncSentences.tooManyFiles(maxSourceFiles));
      yield await fileOf(path, entry.oid);
    }
  }

  async function fileOf(path: string, oid: string): Promise<GitEntry> {
    const { blob } = await git.readBlob({ ...shared, oid }).catch(damaged);
    if (blob.length > maxDocumentBytes) return { path, reason: syncSentences.tooLarge(maxDocumentBytes / 1024 ** 2) };
    if (from + blob.length > maxSourceBytes)
      throw new ReadFailure("unreadable", syncSentences.tooManyBytes(maxSourceBytes / 1024 ** 2));
    await write(blob);
    const file = { path, from, size: blob.length };
    from += blob.length;
    return file;
  }

  yield* walk(root.commit.tree, "", 0);
}

/** Ends the library's work when it has said what it wants. */
class Wanted extends Error {
  body: Uint8Array | undefined;
}

function damaged(thrown: unknown): never {
  throw new ReadFailure("unreadable", syncSentences.damagedRepository, thrown);
}

/** Answers the first request, and gives the second one on. */
function httpOver(refs: string, post: (request: GitHttpRequest) => Promise<GitHttpResponse>) {
  return {
    request: async (request: GitHttpRequest): Promise<GitHttpResponse> =>
      request.method === "POST"
        ? post(request)
        : answer(await readFile(refs), "application/x-git-upload-pack-advertisement"),
  };
}

function answer(bytes: Uint8Array, contentType = "application/x-git-upload-pack-result"): GitHttpResponse {
  const body = (async function* () {
    yield bytes;
  })();
  const headers = { "content-type": contentType };
  return { url: newest.url, method: "GET", statusCode: 200, statusMessage: "OK", headers, body };
}

/** As much of a file system as the library needs. */
function memoryFiles(): PromiseFsClient {
  const config = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
  const files = new Map<string, Uint8Array | string>([[`${gitdir}/config`, config]]);
  const missing = (path: string) => Object.assign(new Error(`There is no ${path}`), { code: "ENOENT" });
  const isFolder = (path: string) => [...files.keys()].some((name) => name.startsWith(`${path}/`));
  const stat = async (path: string) => {
    const content = files.get(path);
    if (content === undefined && !isFolder(path)) throw missing(path);
    return {
      type: content === undefined ? "dir" : "file",
      mode: 0o644,
      size: content?.length ?? 0,
      ino: 0,
      mtimeMs: 0,
      ctimeMs: 0,
      uid: 0,
      gid: 0,
      dev: 0,
      isFile: () => content !== undefined,
      isDirectory: () => content === undefined,
      isSymbolicLink: () => false,
    };
  };
  return {
    promises: {
      readFile: async (path: string, how?: { encoding?: string } | string) => {
        const content = files.get(path);
        if (content === undefined) throw missing(path);
        const encoding = typeof how === "string" ? how : how?.encoding;
        if (encoding === undefined) return typeof content === "string" ? Buffer.from(content) : content;
        return typeof content === "string" ? content : Buffer.from(content).toString("utf8");
      },
      writeFile: async (path: string, content: Uint8Array | string) => {
        files.set(path, content);
      },
      unlink: async (path: string) => {
        if (!files.delete(path)) throw missing(path);
      },
      readdir: async (path: string) => {
        const within = [...files.keys()].filter((name) => name.startsWith(`${path}/`));
        if (within.length === 0) throw missing(path);
        return [...new Set(within.map((name) => name.slice(path.length + 1).split("/")[0] ?? ""))];
      },
      mkdir: async () => undefined,
      rmdir: async () => undefined,
      stat,
      lstat: stat,
      readlink: async (path: string) => {
        throw missing(path);
      },
      symlink: async (path: string) => {
        throw missing(path);
      },
    },
  };
}
