/** A local web site whose pages a test sets, and which records its requests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { watchForKeys } from "../planted-keys.ts";

export type SitePage =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export type Site = {
  readonly url: string;
  readonly port: number;
  /** Paths, in the order in which they were asked for. */
  readonly asked: string[];
  readonly set: (path: string, page: SitePage) => void;
  readonly close: () => Promise<void>;
};

export async function startSite(pages: Readonly<Record<string, SitePage>> = {}): Promise<Site> {
  const all = new Map(Object.entries(pages));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    watchForKeys("a request to a web site", JSON.stringify([path, request.headers]));
    const page = all.get(path);
    if (typeof page === "function") return page(request, response);
    if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>");
    else if (typeof page === "string")
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else response.writeHead(page.status ?? 200, { "content-type": "text/html", ...page.headers }).end(page.body ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    set: (path, page) => {
      all.set(path, page);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A page as sites write them: navigation, text, footer. */
export function article(title: string, text: string, links: readonly string[] = []): string {
  const list = links.map((href) => `<li><a href="${href}">More on ${href}</a></li>`).join("");
  return `<!doctype html><html><head><title>${title}</title><script>var x = "never";</script></head><body>
<nav><a href="/">Home</a> Navigation of the site</nav>
<main><h1>${title}</h1><p>${text}</p><ul>${list}</ul></main>
<footer>All rights reserved</footer></body></html>`;
}
