/**
 * What the page is made of: its own files, marked and DOMPurify from node_modules, and this project's documents.
 * Read once at the start: together they are smaller than one photograph.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";

type Asset = { readonly body: Uint8Array<ArrayBuffer>; readonly mediaType: string; readonly etag: string };

const mediaTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  md: "text/markdown; charset=utf-8",
};

const pageFolder = fileURLToPath(new URL("../page/", import.meta.url));

async function readAsset(file: string): Promise<Asset> {
  const body = new Uint8Array(await readFile(file));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
  return { body, etag, mediaType: mediaTypes[file.split(".").at(-1) ?? ""] ?? "application/octet-stream" };
}

/** The smallest build of each library that a browser loads as it is. */
function vendorFile(name: "marked" | "dompurify"): string {
  const entry = fileURLToPath(import.meta.resolve(name));
  return name === "marked" ? entry : entry.replace(/[^/\\]+$/, "purify.min.js");
}

async function readPage(): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(pageFolder);
  const assets = await Promise.all(
    names.map(async (name) => [`/page/${name}`, await readAsset(pageFolder + name)] as const),
  );
  return new Map([
    ...assets,
    ["/vendor/marked.js", await readAsset(vendorFile("marked"))],
    ["/vendor/purify.js", await readAsset(vendorFile("dompurify"))],
  ]);
}

/** `projectFolder` holds README.md and docs/. */
export async function createAssets(projectFolder: string): Promise<Hono> {
  const page = await readPage();
  const app = new Hono();

  const send = (asset: Asset | undefined, request: Request): Response => {
    if (asset === undefined) return new Response("There is nothing here.\n", { status: 404 });
    // Always asked again, so that an update is seen at once; unchanged, it costs a 304.
    const headers = { "content-type": asset.mediaType, etag: asset.etag, "cache-control": "no-cache" };
    if (request.headers.get("if-none-match") === asset.etag) return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : asset.body, { headers });
  };

  app.get("/", (context) => send(page.get("/page/index.html"), context.req.raw));
  app.get("/favicon.ico", (context) => send(page.get("/page/mark.svg"), context.req.raw));
  app.get("/page/:name", (context) => send(page.get(`/page/${context.req.param("name")}`), context.req.raw));
  app.get("/vendor/:name", (context) => send(page.get(`/vendor/${context.req.param("name")}`), context.req.raw));

  // `/docs/deploy.md` and, because the README links to `docs/deploy.md`, `/docs/docs/deploy.md` are the same document.
  const documentFile = (name: string, folder: "docs" | "") => `${projectFolder}/${folder}/${name}`;
  const read = async (name: string): Promise<Asset | undefined> => {
    if (!/^[A-Za-z0-9_-]+\.(md|png)$/.test(name)) return undefined;
    const folders = name === name.toUpperCase().replace(".MD", ".md") ? (["", "docs"] as const) : (["docs"] as const);
    for (const folder of folders) {
      const asset = await readAsset(documentFile(name, folder)).catch(() => undefined);
      if (asset !== undefined) return asset;
    }
    return undefined;
  };
  const document = async (name: string, request: Request, isRaw: boolean): Promise<Response> => {
    const asset = await read(name);
    const isShell = asset?.mediaType.startsWith("text/markdown") === true && !isRaw;
    return send(isShell ? page.get("/page/docs.html") : asset, request);
  };
  app.get("/docs", (context) => context.redirect("/docs/README.md"));
  app.get("/docs/:name", (context) =>
    document(context.req.param("name"), context.req.raw, context.req.query("raw") !== undefined),
  );
  app.get("/docs/docs/:name", (context) =>
    document(context.req.param("name"), context.req.raw, context.req.query("raw") !== undefined),
  );
  return app;
}
