/**
 * The order of the rooms: a file imports its own room and the rooms above it in this list, also for types. What must
 * reach a room further down is passed in by the programs. The linter refuses circles between files (biome.json).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const rooms = [
  "src/core",
  "src/config",
  "src/state",
  "src/presentation",
  "src/operations",
  "src/delivery",
  "src/app.ts",
  "src/agent-service",
  "src/access",
  "src/knowledge",
  "src/insight",
  "src/commands",
  "src/bridge",
  "src/overview",
  "adapters/shared",
  "adapters",
  // The programs, and what composes the rooms.
  "src",
];

/** A platform is connected through the ports: it knows no other room but these. */
const adaptersImport = ["src/core", "src/config", "src/presentation", "adapters"];

/** The browser draws the JSON that the pages of the overview answer with: it may import their types, and nothing else. */
const drawn = { by: "adapters/console/page/admin", from: "src/overview" };

/** Folders whose members don't import each other: one platform or one dialect can go without the others noticing. */
const apart = [
  ["adapters/console", "adapters/discord", "adapters/slack"],
  ["src/agent-service/mindsdb", "src/agent-service/responses", "src/agent-service/chat"],
];

/** Its part for admins uses what all of the page uses, never the other way round. */
const page = "adapters/console/page";

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const roomOf = (path: string) => rooms.findIndex((room) => isIn(path, room));

/** Why the file at `from` can't import the one at `to`; undefined: it can. */
function refusal(from: string, to: string, isType = false): string | undefined {
  const [importer, imported] = [roomOf(from), roomOf(to)];
  if (importer === -1 || imported === -1) return undefined;
  if (imported > importer) return "imports go up this list";
  if (isType && isIn(from, drawn.by) && isIn(to, drawn.from)) return undefined;
  if (isIn(from, "adapters") && !adaptersImport.some((room) => isIn(to, room))) return "not for adapters";
  const isOfAdmins = (path: string) => isIn(path, `${page}/admin`);
  if (isIn(from, page) && isOfAdmins(to) && !isOfAdmins(from)) return "the page's other parts stay below";
  for (const siblings of apart) {
    const [own, other] = [from, to].map((path) => siblings.find((folder) => isIn(path, folder)));
    if (own !== undefined && other !== undefined && own !== other) return "siblings stay apart";
  }
  return undefined;
}

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

function importsOf(path: string): Import[] {
  const text = readFileSync(join(root, path), "utf8");
  const imports = text.matchAll(/(?:(\b(?:import|export) type )[^;"]*?)?(?:from|import|import\() ?"(\.[^"\n]+)"/g);
  return [...imports].map(([, type, source = ""]) => {
    return { from: path, to: join(dirname(path), source), isType: type !== undefined };
  });
}

const files = ["src", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]sx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

describe("the rooms", () => {
  it("are all in the list", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(folders.map(({ name }) => `src/${name}`).filter((folder) => !rooms.includes(folder))).toEqual([]);
    expect(rooms.filter((room) => !existsSync(join(root, room)))).toEqual([]);
    expect(apart.flat().filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  it("import only what is above them", () => {
    const imports = files.flatMap(importsOf);

    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter(({ from, to, isType }) => refusal(from, to, isType) !== undefined)).toEqual([]);
  });

  it.each([
    ["src/core/tools/a.ts", "src/presentation/sentences.ts"],
    ["src/knowledge/jobs/a.ts", "src/bridge/bridge.ts"],
    ["src/commands/a.ts", "src/bridge/app.ts"],
    ["src/delivery/a.ts", "src/app.ts"],
    ["src/insight/a.ts", "src/overview/overview.ts"],
    ["src/bridge/turn/a.ts", "src/parley.ts"],
    ["src/bridge/turn/a.ts", "adapters/slack/slack.ts"],
    ["adapters/slack/writing/a.ts", "src/bridge/bridge.ts"],
    ["adapters/slack/a.ts", "adapters/discord/ids.ts"],
    ["adapters/shared/a.ts", "adapters/slack/ids.ts"],
    ["adapters/shared/a.ts", "src/delivery/a.ts"],
    ["src/agent-service/responses/a.ts", "src/agent-service/chat/request.ts"],
    ["adapters/console/page/parts/a.tsx", "adapters/console/page/admin/kit/request.ts"],
  ])("refuse an import from %s to %s", (from, to) => {
    expect(refusal(from, to)).toBeDefined();
  });

  it.each([
    ["src/bridge/turn/a.ts", "src/bridge/lane.ts"],
    ["src/access/a.ts", "src/app.ts"],
    ["src/bridge/a.ts", "src/knowledge/knowledge.ts"],
    ["adapters/slack/writing/a.ts", "adapters/slack/ids.ts"],
    ["adapters/slack/a.ts", "src/presentation/drawing.ts"],
    ["adapters/slack/a.ts", "adapters/shared/files.ts"],
    ["src/agent-service/chat/a.ts", "src/agent-service/http/event-json.ts"],
    ["src/parley.ts", "src/bridge/bridge.ts"],
    ["src/platforms.ts", "adapters/slack/platform.ts"],
    ["adapters/console/page/admin/a.tsx", "adapters/console/page/parts/panel.tsx"],
  ])("allow an import from %s to %s", (from, to) => {
    expect(refusal(from, to)).toBeUndefined();
  });

  it("allow the browser's part of /admin types of its pages, and nothing that runs", () => {
    const [page, own] = ["adapters/console/page/admin/pages/gaps.tsx", "src/overview/pages/gaps.ts"];

    expect(refusal(page, own, true)).toBeUndefined();
    expect(refusal(page, own)).toBeDefined();
    expect(refusal(page, "src/insight/gaps/gap-list.ts", true)).toBeDefined();
    expect(refusal("adapters/console/admin/routes.ts", own, true)).toBeDefined();
  });
});
