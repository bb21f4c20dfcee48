/**
 * A git server over HTTP that gives the newest commit of one repository, as `git http-backend` 2.39 does with depth 1.
 * Strict: it answers 400 to what a real one wouldn't understand.
 */
import * as fs from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import git, { type TreeEntry } from "isomorphic-git";
import { temporaryFolder } from "../temporary-folder.ts";

const author = { name: "Alice", email: "alice@example.com", timestamp: 1_700_000_000, timezoneOffset: 0 };

/** `mode`: default a plain file; "160000" is a submodule. */
export type Entry = { readonly content: string | Uint8Array; readonly mode?: string };

export type GitServer = Awaited<ReturnType<typeof startGitServer>>;

export async function startGitServer() {
  const dir = await temporaryFolder("repository");
  const shared = { fs, dir };
  await git.init({ ...shared, defaultBranch: "main" });
  let head = "";
  const asked: { url: string; authorization: string | undefined }[] = [];
  const state = {
    /** Without it nothing is served. */
    token: undefined as string | undefined,
    /** Of the answer to the second request; default all of it. */
    pack: (bytes: Uint8Array): Iterable<Uint8Array> => [bytes],
    redirectTo: undefined as string | undefined,
  };

  /** The whole content of the next commit. */
  async function commit(files: Readonly<Record<string, string | Entry>>): Promise<void> {
    type Folder = Map<string, Folder | Entry>;
    const root: Folder = new Map();
    for (const [path, given] of Object.entries(files)) {
      const names = path.split("/");
      let folder = root;
      for (const name of names.slice(0, -1)) {
        const next = folder.get(name);
        const within: Folder = next instanceof Map ? next : new Map();
        folder.set(name, within);
        folder = within;
      }
      folder.set(names.at(-1) ?? "", typeof given === "string" ? { content: given } : given);
    }
    const write = async (folder: Folder): Promise<string> => {
      const tree: TreeEntry[] = [];
      for (const [path, entry] of folder) {
        if (entry instanceof Map) tree.push({ mode: "040000", path, oid: await write(entry), type: "tree" });
        else if (entry.mode === "160000") tree.push({ mode: entry.mode, path, oid: "1".repeat(40), type: "commit" });
        else {
          const blob = typeof entry.content === "string" ? Buffer.from(entry.content) : entry.content;
          const oid = await git.writeBlob({ ...shared, blob });
          tree.push({ mode: entry.mode ?? "100644", path, oid, type: "blob" });
        }
      }
      return git.writeTree({ ...shared, tree });
    };
    const tree = await write(root);
    const parent = head === "" ? [] : [head];
    const message = "Change the handbook\n";
    head = await git.writeCommit({ ...shared, commit: { tree, parent, message, author, committer: author } });
    await git.writeRef({ ...shared, ref: "refs/heads/main", value: head, force: true });
  }

  async function oidsOf(tree: string): Promise<readonly string[]> {
    const all = [tree];
    for (const entry of (await git.readTree({ ...shared, oid: tree })).tree) {
      if (entry.type === "tree") all.push(...(await oidsOf(entry.oid)));
      else if (entry.type === "blob") all.push(entry.oid);
    }
    return all;
  }

  const line = (text: string | Uint8Array): Buffer => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
  };
  const flush = Buffer.from("0000");

  function advertised(): Buffer {
    const service = [line("# service=git-upload-pack\n"), flush];
    const capabilities =
      "multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress include-tag multi_ack_detailed no-done symref=HEAD:refs/heads/main object-format=sha1 agent=git/2.39.5";
    if (head === "")
      return Buffer.concat([...service, line(`${"0".repeat(40)} capabilities^{}\0${capabilities}\n`), flush]);
    return Buffer.concat([
      ...service,
      line(`${head} HEAD\0${capabilities}\n`),
      line(`${head} refs/heads/main\n`),
      flush,
    ]);
  }

  /** Undefined for what isn't a request for the newest commit alone. */
  async function packed(request: Buffer): Promise<Buffer | undefined> {
    const text = request.toString("latin1");
    const isShallow = /^[0-9a-f]{4}want ([0-9a-f]{40}) [^\n]*side-band-64k[^\n]*\n/.exec(text)?.[1] === head;
    if (!isShallow || !text.includes("deepen 1\n") || !text.endsWith("0009done\n")) return undefined;
    const { commit: found } = await git.readCommit({ ...shared, oid: head });
    const oids = [...new Set([head, ...(await oidsOf(found.tree))])];
    const { packfile = new Uint8Array() } = await git.packObjects({ ...shared, oids });
    const shallow = found.parent.length === 0 ? [] : [line(`shallow ${head}`)];
    const parts = [...shallow, flush, line("NAK\n"), line("\u0002Counting objects: 3, done.\n")];
    for (let at = 0; at < packfile.length; at += 60_000) {
      parts.push(line(Buffer.concat([Buffer.from([1]), packfile.subarray(at, at + 60_000)])));
    }
    return Buffer.concat([...parts, flush]);
  }

  const server = createServer(async (request, response) => {
    const { url = "", method, headers } = request;
    asked.push({ url: `${method} ${url}`, authorization: headers.authorization });
    const login = Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64").toString();
    const body = await bodyOf(request);
    const send = (status: number, type = "text/plain") => response.writeHead(status, { "content-type": type });
    if (state.redirectTo !== undefined) {
      response.writeHead(302, { location: `${state.redirectTo}${url}` }).end();
    } else if (state.token !== undefined && !login.endsWith(`:${state.token}`)) {
      send(401).end("Bad credentials");
    } else if (method === "GET" && url === "/acme/handbook/info/refs?service=git-upload-pack") {
      send(200, "application/x-git-upload-pack-advertisement").end(advertised());
    } else if (method === "POST" && url === "/acme/handbook/git-upload-pack") {
      const isAsked = headers["content-type"] === "application/x-git-upload-pack-request";
      const pack = isAsked ? await packed(body) : undefined;
      if (pack === undefined) return void send(400).end();
      send(200, "application/x-git-upload-pack-result");
      // The client may hang up.
      await pipeline(Readable.from(state.pack(pack)), response).catch(() => undefined);
    } else {
      send(404).end("Not found");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    state,
    asked,
    commit,
    /** The id of the newest commit. */
    head: () => head,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/acme/handbook`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
