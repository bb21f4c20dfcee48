/** `/kb sync` of a git repository, without any git program. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type GitServer, startGitServer } from "../../doubles/network/git-server.ts";
import { project } from "../../doubles/people.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { openRoom, type Room } from "../room.ts";

const docs = { project, name: "docs" };
const handbook = {
  "leave.md": "# Leave\n\nEverybody has 27 days of leave.\n",
  "people/parents.txt": "Parents have twelve months.",
  "src/main.ts": "export {};",
};

let room: Room;
let server: GitServer;
let tokenFile: string;

beforeEach(async () => {
  server = await startGitServer();
  await server.commit(handbook);
  tokenFile = join(await temporaryFolder("token"), "token");
  await open({});
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
  await server.close();
});

async function open(options: Parameters<typeof openRoom>[0]): Promise<void> {
  room = await openRoom(options);
  await room.makeBase("docs");
  await room.parts().names.refresh();
}

async function reopen(options: Parameters<typeof openRoom>[0]): Promise<void> {
  await room.close();
  await open(options);
}

const documents = async () => (await room.parts().knowledge.ledger.page(docs, 0, 100)).documents;
const titles = async () => (await documents()).map(({ title }) => title).sort();
const found = async (words: string) => (await room.passages("docs", words)).map(({ content }) => content).join("\n");
const shown = () => room.shown().at(-1) ?? "";
const begin = async (source: string) => (await room.say(`/kb sync ${source} into docs`)).text;

async function sync(source = server.url): Promise<void> {
  await begin(source);
  await room.over();
}

it("adds what the newest commit has, and later says what was added, changed and is gone", async () => {
  await sync();
  expect(shown()).toContain("Synced docs · 2 added");
  expect(shown()).toContain("2 files, 1 of other kinds left out");
  expect(await titles()).toEqual(["handbook/leave.md", "handbook/people/parents.txt"]);
  expect(await found("leave days")).toContain("27 days");

  await server.commit({ "leave.md": "Everybody has 30 days of leave.", "new.md": "Bicycles are paid for." });
  await room.say("/kb refresh docs");
  await room.over();
  expect(shown()).toContain("Refreshed docs · 1 added, 1 updated, 1 gone and removed");
  expect(await titles()).toEqual(["handbook/leave.md", "handbook/new.md"]);
  expect(await found("leave days")).not.toContain("27 days");
  await sync();
  expect(shown()).toContain("Synced docs · 2 unchanged");
});

it("leaves out submodules and links, names what Git LFS keeps, and takes no name for a path", async () => {
  await server.commit({
    ...handbook,
    "vendor.md": { content: "", mode: "160000" },
    "passwd.md": { content: "/etc/passwd", mode: "120000" },
    "film.md": "version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 12345\n",
    "@everyone \u202Efdp.md": "Turned around.",
    "new\nline.md": "Two lines.",
  });
  await sync();
  expect(shown()).toContain("film.md · it's stored in Git LFS, which isn't read");
  expect(shown()).toContain("5 files, 3 of other kinds left out");
  expect(await titles()).toEqual([
    "handbook/@everyone fdp.md",
    "handbook/leave.md",
    "handbook/new line.md",
    "handbook/people/parents.txt",
  ]);
});

it("sends a token to its own host and path alone, reads it anew, and removes nothing when it is revoked", async () => {
  server.state.token = "first";
  await sync();
  expect(shown()).toContain("the repository requires a login, and SYNC_GIT_TOKENS has no token for it");

  await reopen({ gitTokens: [{ where: `${server.host}/acme`, file: tokenFile }] });
  await sync();
  expect(shown()).toContain("the file with its token can't be read");
  await writeFile(tokenFile, "first\n");
  await sync();
  expect(shown()).toContain("2 added");

  server.state.token = "second";
  await sync();
  expect(shown()).toContain("the server refused its token: it may be revoked or expired");
  expect(await titles()).toHaveLength(2);
  await writeFile(tokenFile, "second");
  await sync();
  expect(shown()).toContain("2 unchanged");

  server.asked.length = 0;
  await sync(`http://${server.host}/acme-evil/handbook`);
  expect(server.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  const other = await startGitServer();
  server.state.redirectTo = `http://${other.host}`;
  await sync();
  expect(other.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  await other.close();
  expect(room.shown().join()).not.toMatch(/first|second/);
});

it("refuses addresses in private networks, plain http, logins in the URL and other protocols", async () => {
  await reopen({ allowsPrivate: false });
  for (const source of [
    server.url,
    "https://10.0.0.7/acme/handbook",
    "https://[::1]/acme/handbook",
    "https://169.254.169.254/acme/handbook",
    "https://gitlab.internal/acme/handbook",
    "http://github.com/acme/handbook",
    "https://user:secret@github.com/acme/handbook",
    "https://github.com/acme/..%2fevil/handbook",
    "https://github.com/",
    "ssh://git@github.com/acme/handbook",
    "git@github.com:acme/handbook.git",
  ]) {
    expect(await begin(source)).toContain("Only git repositories over HTTPS that aren't in a private network");
  }
  expect(server.asked).toEqual([]);
});

it("stops reading a repository that is too large, and keeps what is known", async () => {
  await sync();
  await server.commit({ "leave.md": "Changed." });
  let sent = 0;
  server.state.pack = function* (pack) {
    yield pack.subarray(0, 20);
    // 5 GB
    for (let at = 0; at < 5_000; at += 1) {
      sent += 1;
      yield Buffer.alloc(1024 * 1024, 1);
    }
  };
  await sync();
  expect(shown()).toContain("its newest commit is larger than 100 MB, packed");
  expect(sent).toBeLessThan(200);
  expect(await found("leave days")).toContain("27 days");
});

it.each<[string, (pack: Uint8Array) => Iterable<Uint8Array>]>([
  ["is cut", (pack) => [pack.subarray(0, pack.length - 40)]],
  ["has other bytes", (pack) => [pack.map((byte, at) => (at > 120 && at % 7 === 0 ? byte ^ 255 : byte))]],
  ["is a page", () => [Buffer.from("<html>Sign in</html>")]],
  ["is nothing", () => []],
])("removes nothing when the answer %s", async (_what, pack) => {
  await sync();
  server.state.pack = pack;
  await server.commit({ "other.md": "Other." });
  await sync();
  expect(shown()).toContain("the server's answer isn't a repository that can be read");
  expect(await titles()).toEqual(["handbook/leave.md", "handbook/people/parents.txt"]);
});

it("says when there is no repository, no commit, and no file left", async () => {
  const empty = await startGitServer();
  await sync(empty.url);
  expect(shown()).toContain("the repository has no commits");
  await empty.close();
  await sync(`http://${server.host}/acme/none`);
  expect(shown()).toContain("repository not found, or it needs a token in SYNC_GIT_TOKENS");
  await sync();
  await server.commit({ "main.ts": "export {};" });
  await sync();
  expect(shown()).toContain("there are no files now, but 2 files are known");
  expect(await titles()).toHaveLength(2);
});
