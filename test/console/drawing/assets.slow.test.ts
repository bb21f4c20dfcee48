import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createDocuments } from "../../../adapters/console/drawing/assets.ts";
import { type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());

describe("the page's files", () => {
  it("are all there, together under 310 kB, and cost nothing when they have not changed", async () => {
    scripted = await startScriptedConsole();
    const html = await (await fetch(scripted.url)).text();
    const found = new Set<string>([
      "/",
      ...[...html.matchAll(/(?:src|href)="\.(\/(?:page|vendor)\/[^"]+)"/g)].map((match) => match[1] ?? ""),
    ]);
    let totalBytes = 0;

    for (const path of found) {
      const response = await fetch(scripted.url + path);
      const text = await response.text();
      const again = await fetch(scripted.url + path, {
        headers: { "if-none-match": response.headers.get("etag") ?? "" },
      });
      // Who reads the page is asked each time.
      expect([path, response.status, again.status]).toEqual([path, 200, path === "/api/me.js" ? 200 : 304]);
      totalBytes += Buffer.byteLength(text);
      for (const [, specifier = ""] of text.matchAll(/(?:from|import) ?["'`]([./][^"'`]+\.js)["'`]/g)) {
        found.add(new URL(specifier, scripted.url + path).pathname);
      }
    }

    expect(found).toContain("/page/page.js");
    expect(found).toContain("/page/styles/markdown.css");
    expect(
      [...found].filter((path) => /admin|\/dialog|keys-dialog|plain-text|styles\/(?:forms|code)\./.test(path)),
    ).toEqual([]);
    expect(totalBytes).toBeLessThan(310_000);
  });

  it.each(["/", "/page/page.js", "/docs/README.md", "/api/conversations", "/nothing", "/docs/nothing.md"])(
    "come with what forbids scripts, pictures and frames of others: %s",
    async (path) => {
      scripted = await startScriptedConsole();

      const { headers } = await fetch(scripted.url + path);

      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
    },
  );

  it("hold nothing from elsewhere, and no script or style inside the page", async () => {
    scripted = await startScriptedConsole();

    const html = await (await fetch(scripted.url)).text();

    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    // Relative: Parley can be anywhere below a site.
    expect(html).not.toMatch(/(?:src|href)="\//);
    expect(html).not.toMatch(/<style|style="|<script>|\son\w+="/);
  });

  it.each([
    "/docs/../package.json",
    "/docs/%2e%2e%2fpackage.json",
    "/docs/package.json",
    "/page/..%2findex.ts",
    "/page/styles",
    "/page/styles/",
    "/page/styles/nothing.css",
    "/page/styles/..%2f..%2findex.ts",
    "/page/styles/%2e%2e/%2e%2e/index.ts",
    "/page/styles%2f..%2f..%2fplatform.ts",
    "/page/..%5cplatform.ts",
    "/page//etc/passwd",
    "/page/%2fetc%2fpasswd",
    "/page/%00",
    "/page/__proto__",
    "/vendor/..%2f..%2fpackage.json",
    "/docs/nothing.md",
  ])("do not include %s", async (path) => {
    scripted = await startScriptedConsole();

    expect((await fetch(scripted.url + path)).status).toBe(404);
  });

  // `fetch` resolves dots before it sends a path; Node's own client sends it as it is written.
  it.each(["/page/../platform.ts", "/page/styles/../../platform.ts", "/page/styles/../page.js/../../index.ts"])(
    "cannot be left by the path %s",
    async (path) => {
      scripted = await startScriptedConsole();
      const { hostname, port } = new URL(scripted.url);

      const status = await new Promise((resolve, reject) => {
        get({ hostname, port, path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on("error", reject);
      });

      expect(status).toBe(404);
    },
  );
});

describe("an address that leads nowhere", () => {
  const opened = { headers: { accept: "text/html" } };
  const linksIn = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link);

  it("opens a page that says so and leads home, at any depth and below any path of a proxy", async () => {
    scripted = await startScriptedConsole();

    for (const path of ["/nope", "/docs/nope.md", "/docs/docs/nope.md", "/a/b/c/", "/admin/a/b/c/d/e"]) {
      const response = await fetch(scripted.url + path, opened);
      const html = await response.text();
      expect([path, response.status, response.headers.get("cache-control")]).toEqual([path, 404, "no-store"]);
      expect(html).toContain("<h1>Page not found</h1>");
      const links = linksIn(html).map((link) => new URL(link, `https://acme.example/parley${path}`));
      expect(links.map(({ href }) => href)).toContain("https://acme.example/parley/");
      for (const { pathname } of links) {
        const there = await fetch(scripted.url + pathname.replace("/parley", ""));
        expect([path, pathname, there.status]).toEqual([path, pathname, 200]);
      }
    }
  });

  it("is one line for programs, scripts, and paths of hundreds of steps", async () => {
    scripted = await startScriptedConsole();

    for (const [path, init] of [
      ["/nope"],
      ["/nope", { ...opened, method: "POST" }],
      ["/x".repeat(500), opened],
    ] as const) {
      const response = await fetch(scripted.url + path, init);
      expect([response.status, await response.text()]).toEqual([404, "There is nothing here.\n"]);
    }
  });

  it("asks strangers to sign in, as every other address does", async () => {
    scripted = await startScriptedConsole({ token: "a-token-of-the-page" });

    const there = await fetch(scripted.url, opened);
    const nowhere = await fetch(`${scripted.url}/docs/nope.md`, opened);

    expect([there.status, nowhere.status]).toEqual([401, 401]);
    expect(await nowhere.text()).toBe(await there.text());
  });
});

describe("the documents, where PUBLIC_URL leads to them", () => {
  it("open without the page and its token, with all that they load and the same headers", async () => {
    const documents = await createDocuments(fileURLToPath(new URL("../../..", import.meta.url)), { hasPage: true });
    const shell = await documents.request("/docs/README.md");
    const paths = new Set(
      [...(await shell.text()).matchAll(/(?:src|href)="\.\.(\/(?:page|vendor)\/[^"]+)"/g)].map(
        ([, path]) => path ?? "",
      ),
    );

    expect(shell.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await documents.request("/docs/nothing.md")).headers.get("x-frame-options")).toBe("DENY");
    expect(await (await documents.request("/docs/deploy.md?raw")).text()).toContain("# ");
    for (const path of paths) {
      const response = await documents.request(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      for (const [, specifier = ""] of (await response.text()).matchAll(
        /(?:from|import) ?["'`]([./][^"'`]+\.js)["'`]/g,
      )) {
        paths.add(new URL(specifier, `http://localhost${path}`).pathname);
      }
    }
    expect(paths).toContain("/page/docs.js");
  });

  it("show README's pictures", async () => {
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    const documents = await createDocuments(root, { hasPage: true });
    const readme = await (await documents.request("/docs/README.md?raw")).text();
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\((docs\/[^)]+)\)/g)].map(([, path]) => `/docs/${path}`);

    expect(pictures).toContain("/docs/docs/slack.webp");
    for (const path of pictures) {
      const response = await documents.request(path);
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        expect.stringMatching(/^image\//),
      ]);
    }
  });

  it("lead to the page where it is on, and nowhere else where it is off", async () => {
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    const shellWith = async (hasPage: boolean) =>
      (await (await createDocuments(root, { hasPage })).request("/docs/README.md")).text();

    expect(await shellWith(true)).toContain('class="brand" href="../"');
    const alone = await shellWith(false);
    expect(alone).toContain('class="brand" href="../docs/README.md"');
    expect(alone).not.toMatch(/href="\.\.\/"|Ask a question/);
    const nothing = await (await createDocuments(root, { hasPage: false })).request("/docs/nope.md", {
      headers: { accept: "text/html" },
    });
    expect(nothing.status).toBe(404);
    const html = await nothing.text();
    expect(html).toContain("Page not found");
    expect([...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link]) => link)).toEqual([
      "../docs/README.md",
      "../docs/README.md",
    ]);
  });

  it("serve nothing else of the page", async () => {
    const documents = await createDocuments(fileURLToPath(new URL("../../..", import.meta.url)), { hasPage: true });

    for (const path of ["/", "/page/page.js", "/page/index.html", "/api/conversations", "/docs/../package.json"])
      expect([path, (await documents.request(path)).status]).toEqual([path, 404]);
  });
});
