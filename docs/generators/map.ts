/**
 * Renders docs/map.md, the list of every file of src and adapters: `npm run map`. A file's line is the first sentence of
 * its head, and a room's line is its row in architecture.md, so neither is written twice. A test keeps it current.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const introduction = `# Map of the code

Every file of \`src\` and \`adapters\`, with the first sentence of its head. Search it for the word you have in mind. [architecture.md](architecture.md) explains how the rooms work together. \`npm run map\` writes this page.
`;

/** The first sentence of a file's head, which is its first block comment; undefined without one at its beginning. */
export function firstSentence(source: string): string | undefined {
  const [, comment] = /^(?:<!doctype html>\s*)?(?:\/\*\*?|<!--)([\s\S]*?)(?:\*\/|-->)/i.exec(source) ?? [];
  if (comment === undefined) return undefined;
  const [paragraph = ""] = comment.replace(/^\s*\*?\s*/, "").split(/\n\s*\*?\s*\n/);
  const text = paragraph.replace(/\s*\n\s*\*?\s*/g, " ").trim();
  return /^.+?(?<!\b(?:e\.g|i\.e))[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** Path -> what the room is for, from the table of rooms in architecture.md. */
function roomPurposes(architecture: string): ReadonlyMap<string, string> {
  const rows = architecture.matchAll(/^\| `((?:src|adapters)\/[^`]+)`\s*\| (.*?)\s*\|$/gm);
  return new Map([...rows].map(([, path = "", purpose = ""]) => [path, purpose]));
}

type Folder = { readonly path: string; readonly files: readonly string[]; readonly folders: readonly Folder[] };

function readFolder(path: string): Folder {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.filter((entry) => entry.isFile() && /\.(ts|js|css|html)$/.test(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory());
  return {
    path,
    files: files.map((entry) => entry.name),
    folders: folders.map((entry) => readFolder(`${path}/${entry.name}`)),
  };
}

/** Every file that the map lists, as a path from the project's folder. */
export function mappedFiles(): readonly string[] {
  const filesOf = ({ path, files, folders }: Folder): string[] => [
    ...files.map((name) => `${path}/${name}`),
    ...folders.flatMap(filesOf),
  ];
  return [...filesOf(readFolder("src")), ...filesOf(readFolder("adapters"))];
}

function fileLines({ path, files }: Folder): string {
  const lines = files.map((name) => {
    const sentence = firstSentence(readFileSync(join(root, path, name), "utf8")) ?? "(no head)";
    return `- \`${name}\`: ${sentence}`;
  });
  return lines.join("\n");
}

function innerFolders(room: Folder, folder: Folder): string[] {
  const own = folder === room || folder.files.length === 0 ? [] : [`### ${folder.path}`];
  const lines = folder.files.length === 0 ? [] : [fileLines(folder)];
  return [...own, ...lines, ...folder.folders.flatMap((inner) => innerFolders(room, inner))];
}

function section(room: Folder, purpose: string | undefined): string[] {
  const [first = "", ...rest] = purpose ?? "";
  const sentence = purpose === undefined ? [] : [`${first.toUpperCase()}${rest.join("")}.`];
  return [`## ${room.path}`, ...sentence, ...innerFolders(room, room)];
}

export function renderMap(): string {
  const purposes = roomPurposes(readFileSync(join(root, "docs/architecture.md"), "utf8"));
  const src = readFolder("src");
  const order = [...purposes.keys()];
  const rank = ({ path }: Folder) => (order.includes(path) ? order.indexOf(path) : order.length);
  const rooms = [...src.folders].sort((a, b) => rank(a) - rank(b));
  const parts = [
    ...section({ ...src, folders: [] }, "the programs, and what composes the rooms"),
    ...rooms.flatMap((room) => section(room, purposes.get(room.path))),
    ...readFolder("adapters").folders.flatMap((room) => section(room, purposes.get(room.path))),
  ];
  return `${introduction}\n${parts.join("\n\n")}\n`;
}

if (import.meta.main) writeFileSync(join(root, "docs/map.md"), renderMap());
