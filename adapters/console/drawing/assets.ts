/**
 * Serves the page's files, its scripts as they are built, and this project's documents. All but the documents are read
 * once at the start, into a map by URL path: a path that is not a key is a 404, so no URL reaches another file.
 */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";
import { securityHeaders } from "../intake/security-headers.ts";
import { createNothingHere, type NothingHere } from "./nothing-here.ts";
import { foldersOf, fromDepth } from "./relative.ts";

type Asset = { readonly body: Uint8Array<ArrayBuffer>; readonly mediaType: string; readonly etag: string };

const mediaTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  md: "text/markdown; charset=utf-8",
  woff2: "font/woff2",
};

const pageFolder = join(packageFolder, "adapters/console/page");
const scriptsFolder = join(packageFolder, "dist/page");

async function readAsset(file: string): Promise<Asset> {
  const body = new Uint8Array(await readFile(file));
  return assetOf(body, mediaTypes[file.split(".").at(-1) ?? ""] ?? "application/octet-stream");
}

function assetOf(body: Uint8Array<ArrayBuffer>, mediaType: string): Asset {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
  return { body, etag, mediaType };
}

/** The files of these kinds below the folder, by their URL path: "/page/styles/forms.css". */
async function readFolder(folder: string, kinds: readonly string[]): Promise<(readonly [string, Asset])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => kinds.some((kind) => name.endsWith(`.${kind}`)));
  return await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [`/page/${relative(folder, file).split(sep).join("/")}`, await readAsset(file)] as const;
    }),
  );
}

/** Inter: Latin letters, which most pages need alone, and all others. */
const fonts = {
  "inter-latin": import.meta.resolve("inter-ui/variable-latin/InterVariable-subset.woff2"),
  inter: import.meta.resolve("inter-ui/variable/InterVariable.woff2"),
};

function readFonts(): Promise<(readonly [string, Asset])[]> {
  return Promise.all(
    Object.entries(fonts).map(
      async ([name, url]) => [`/page/fonts/${name}.woff2`, await readAsset(fileURLToPath(url))] as const,
    ),
  );
}

async function readPage(): Promise<ReadonlyMap<string, Asset>> {
  const scripts = await readFolder(scriptsFolder, ["js"]).catch((thrown: unknown) => {
    throw new Error("The page's scripts aren't built. Run npm run build", { cause: thrown });
  });
  const files = await Promise.all([readFolder(pageFolder, ["html", "css", "svg"]), readFonts()]);
  return new Map([...files.flat(), ...scripts]);
}

/** The library that colours code, in the builds for browsers: its core, and one file for each language. */
const coloursFolder = fileURLToPath(new URL(".", import.meta.resolve("@highlightjs/cdn-assets/es/core.min.js")));

/** Read when a page asks for them, since most never do. */
function routeColours(app: Hono): void {
  const known = new Map<string, Promise<Asset | undefined>>();
  app.get("/vendor/highlight/:file", async ({ req }) => {
    const name = /^([a-z]{1,20})\.js$/.exec(req.param("file"))?.[1];
    if (name === undefined) return send(undefined, req.raw);
    const file = join(coloursFolder, name === "core" ? "core.min.js" : `languages/${name}.min.js`);
    const asset = known.get(name) ?? readAsset(file).catch(() => undefined);
    // Of names that don't exist none is remembered: there is no end to them.
    if ((await asset) !== undefined) known.set(name, asset);
    return send(await asset, req.raw);
  });
}

function send(asset: Asset | undefined, request: Request): Response {
  if (asset === undefined) return new Response("There is nothing here.\n", { status: 404 });
  // Revalidated on every request, so that an update shows at once; an unchanged file costs a 304.
  const headers = { "content-type": asset.mediaType, etag: asset.etag, "cache-control": "no-cache" };
  if (request.headers.get("if-none-match") === asset.etag) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : asset.body, { headers });
}

/** A page for paths of that many folders. */
function inFolders(page: Asset | undefined, count: number): Asset | undefined {
  if (page === undefined || count === 0) return page;
  const html = fromDepth(new TextDecoder().decode(page.body), count);
  return assetOf(new TextEncoder().encode(html), page.mediaType);
}

/** Steps below "/admin" that an address can have, and one more for a slash at its end. */
const maxAdminDepth = 4;

/** The page, and the documents. `projectFolder` holds README.md and docs/. */
export async function createAssets(projectFolder: string): Promise<Hono> {
  const page = await readPage();
  const nothing = await createNothingHere({ hasPage: true });
  const app = new Hono();
  app.get("/", (context) => send(page.get("/page/index.html"), context.req.raw));
  const frame = page.get("/page/admin/admin.html");
  const frames = Array.from({ length: maxAdminDepth + 1 }, (_, folders) => inFolders(frame, folders));
  for (const path of ["/admin", "/admin/*"] as const) {
    app.get(path, ({ req }) => {
      const shown = frames[foldersOf(req.path)];
      return shown === undefined ? nothing(req) : send(shown, req.raw);
    });
  }
  app.get("/favicon.ico", (context) => send(page.get("/page/mark.svg"), context.req.raw));
  app.get("/page/*", (context) => send(page.get(context.req.path), context.req.raw));
  routeColours(app);
  routeDocuments(app, projectFolder, page, nothing);
  return app;
}

/**
 * This project's documents alone, for everyone who can reach the server: they are public, and people come to them from
 * links in Slack and Discord, without the page's token.
 */
export async function createDocuments(
  projectFolder: string,
  { hasPage }: { readonly hasPage: boolean },
): Promise<Hono> {
  const whole = await readPage();
  const page = hasPage ? whole : withoutPage(whole);
  const app = new Hono();
  for (const path of documentParts) {
    app.get(path, securityHeaders, (context) => send(page.get(path), context.req.raw));
  }
  app.use("/vendor/highlight/*", securityHeaders);
  routeColours(app);
  app.use("/docs", securityHeaders);
  app.use("/docs/*", securityHeaders);
  routeDocuments(app, projectFolder, page, await createNothingHere({ hasPage }));
  return app;
}

/** Documents that don't lead to the page, where that is off. */
function withoutPage(page: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const path = "/page/docs.html";
  const shell = page.get(path);
  if (shell === undefined) return page;
  const html = new TextDecoder()
    .decode(shell.body)
    .replace(/\s*<a class="docs-back"[^>]*>[^<]*<\/a>/, "")
    .replace('class="brand" href="./"', 'class="brand" href="./docs/README.md"');
  return new Map([...page, [path, assetOf(new TextEncoder().encode(html), shell.mediaType)]]);
}

/** What the page of a document loads. */
const documentParts = [
  "/page/docs.js",
  "/page/look/theme.js",
  "/page/mark.svg",
  "/page/fonts/inter.woff2",
  "/page/fonts/inter-latin.woff2",
  "/page/styles/base.css",
  "/page/styles/button.css",
  "/page/styles/code.css",
  "/page/styles/docs.css",
  "/page/styles/markdown.css",
  "/page/styles/print.css",
  "/page/styles/tokens.css",
  "/page/styles/touch.css",
] as const;

function routeDocuments(
  app: Hono,
  projectFolder: string,
  page: ReadonlyMap<string, Asset>,
  nothing: NothingHere,
): void {
  const read = async (name: string): Promise<Asset | undefined> => {
    if (!/^[A-Za-z0-9_-]+\.(md|png|svg|webp)$/.test(name)) return undefined;
    const folders = name === name.toUpperCase().replace(".MD", ".md") ? (["", "docs"] as const) : (["docs"] as const);
    for (const folder of folders) {
      const asset = await readAsset(`${projectFolder}/${folder}/${name}`).catch(() => undefined);
      if (asset !== undefined) return asset;
    }
    return undefined;
  };
  // Relative, as all URLs are.
  app.get("/docs", (context) => context.redirect("docs/README.md"));
  // The README links to `docs/deploy.md`, so `/docs/docs/deploy.md` is the same document as `/docs/deploy.md`.
  for (const path of ["/docs/:name", "/docs/docs/:name"] as const) {
    const shell = inFolders(page.get("/page/docs.html"), foldersOf(path));
    app.get(path, async ({ req }) => {
      const asset = await read(req.param("name"));
      const isShell = asset?.mediaType.startsWith("text/markdown") === true && req.query("raw") === undefined;
      return asset === undefined ? nothing(req) : send(isShell ? shell : asset, req.raw);
    });
  }
}
