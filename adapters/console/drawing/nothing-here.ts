/** Answers paths that lead nowhere: browsers get a page that says so and leads home, everything else a line of text. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HonoRequest } from "hono";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";
import { foldersOf, fromDepth } from "./relative.ts";

/** A deeper path is nobody's mistyped link, and each step would make the page longer. */
const maxFolders = 12;

export type NothingHere = (request: HonoRequest) => Response;

/** `hasPage`: false where the documents are served without the page, so that home is the README. */
export async function createNothingHere({ hasPage }: { readonly hasPage: boolean }): Promise<NothingHere> {
  const whole = await readFile(join(packageFolder, "adapters/console/page/nothing-here.html"), "utf8");
  const page = hasPage
    ? whole
    : whole
        .replaceAll('href="./"', 'href="./docs/README.md"')
        .replace(/(<a class="[^"]*is-primary[^>]*>)[^<]*/, "$1Read the documentation");

  return (request) => {
    const folders = foldersOf(request.path);
    const isOpened = request.method === "GET" && request.header("accept")?.includes("text/html") === true;
    const headers = { "cache-control": "no-store" };
    if (!isOpened || folders > maxFolders) return new Response("There is nothing here.\n", { status: 404, headers });
    return new Response(fromDepth(page, folders), {
      status: 404,
      headers: { ...headers, "content-type": "text/html; charset=utf-8" },
    });
  };
}
