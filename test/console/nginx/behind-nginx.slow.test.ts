/** The real Parley behind a real nginx, which is set up with the lines of docs/deploy.md. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../../doubles/processes/chromium.ts";
import { hasNginx, type Nginx, startNginx } from "../../doubles/processes/nginx.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { cookiesFrom, documentedNginx, nginxAddress, signInAt as signIn } from "./documented-nginx.ts";

const token = "a-token-of-the-page";
describe.skipIf(!hasNginx())("Parley below a path of nginx, set up as docs/deploy.md says", () => {
  let parley: ParleyProcess;
  const proxies: Nginx[] = [];

  beforeAll(async () => {
    parley = await createParleyProcess(() => ({
      CONSOLE_TOKEN: token,
      PUBLIC_URL: `${proxies[0]?.url}/parley`,
      TRUSTED_PROXY: nginxAddress,
    }));
    const config = await documentedNginx(parley.url);
    proxies.push(await startNginx(config));
    const stripping = config.replace(`proxy_pass ${parley.url};`, `proxy_pass ${parley.url}/;`);
    // HTTP/1.0, unless nginx is told otherwise: it then keeps what it gets until its buffer is full.
    proxies.push(await startNginx(stripping.replace("proxy_http_version 1.1;", "")));
    await parley.start();
  });
  afterAll(async () => {
    await parley?.close();
    for (const proxy of proxies) await proxy.stop();
  });

  const ways = [
    ["passes the path on", 0],
    ["strips the path and speaks HTTP/1.0", 1],
  ] as const;
  const baseOf = (way: number) => `${proxies[way]?.url}/parley`;

  const cookieFrom = (response: Response) => response.headers.getSetCookie().join("\n");

  it.each(ways)("signs in, and shows the page with all that it loads: nginx %s", async (_, way) => {
    const base = baseOf(way);
    const signedIn = await signIn(base, token);
    const cookie = cookieFrom(signedIn);
    const open = (path: string) => fetch(base + path, { headers: { cookie: cookiesFrom(signedIn) } });

    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/parley/"]);
    expect(cookie).toMatch(/Path=\/parley\/;/);
    expect(cookie).not.toContain("Secure");
    for (const page of ["/", "/docs/README.md", "/admin", "/admin/questions"]) {
      const html = await (await open(page)).text();
      const files = [...html.matchAll(/(?:src|href)="(\.[^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file ?? "");
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) {
        const { href } = new URL(file, base + page);
        expect(href).toContain(`${base}/`);
        expect([href, (await open(href.slice(base.length))).status]).toEqual([href, 200]);
      }
    }
    expect((await open("")).url).toBe(`${base}/`);
    expect((await open("/docs")).url).toBe(`${base}/docs/README.md`);
  });

  it.each(ways)("shows events as they happen, though nginx buffers what it passes on: nginx %s", async (_, way) => {
    const base = baseOf(way);
    const cookie = cookiesFrom(await signIn(base, token));
    const stop = new AbortController();
    const stream = await fetch(`${base}/api/events?tab=tab-${way}`, { headers: { cookie }, signal: stop.signal });
    let received = "";
    let isAsked = false;

    for await (const part of stream.body ?? []) {
      received += Buffer.from(part).toString();
      if (!isAsked && received.includes("event: hello")) {
        isAsked = true;
        const question = {
          id: `question-${way}`,
          tab: `tab-${way}`,
          channel: "general",
          // A small answer, so that it fills no buffer.
          text: "/agent which",
        };
        const asked = await fetch(`${base}/api/messages`, {
          method: "POST",
          headers: { cookie, origin: new URL(base).origin, "content-type": "application/json" },
          body: JSON.stringify(question),
        });
        expect(asked.status).toBe(202);
      }
      if (received.includes("event: note")) break;
    }
    stop.abort();

    expect(received).toContain("event: note");
  });

  it("lets a file of 10 MB through", async () => {
    const headers = { cookie: cookiesFrom(await signIn(baseOf(0), token)) };
    const announced = await fetch(`${baseOf(0)}/api/uploads`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "large.txt", mediaType: "text/plain", sizeBytes: 10_000_000 }),
    });
    const { id } = JSON.parse(await announced.text());

    const sent = await fetch(`${baseOf(0)}/api/uploads/${id}`, {
      method: "PUT",
      headers: { ...headers, "content-type": "application/octet-stream" },
      body: "x".repeat(10_000_000),
    });

    expect([sent.status, JSON.parse(await sent.text())]).toMatchObject([200, { sizeBytes: 10_000_000 }]);
  });

  it("keeps the probes inside, and answers them with and without the path there", async () => {
    for (const probe of ["/healthz", "/readyz", "/metrics"]) {
      expect((await fetch(baseOf(0) + probe)).status).toBe(404);
      expect((await fetch(parley.url + probe)).status).toBe(200);
      expect((await fetch(`${parley.url}/parley${probe}`)).status).toBe(200);
    }
  });

  it.skipIf(isChromiumMissing)("works in a browser, which asks nowhere else on that host", async () => {
    const browser = await launchChromium();
    const base = baseOf(1);
    const strayed: string[] = [];
    const context = await browser.newContext();
    context.on("request", (request) => {
      if (!request.url().startsWith(`${base}/`)) strayed.push(request.url());
    });
    const page = await context.newPage();

    await page.goto(`${base}/#/general`);
    await page.getByLabel("Token").fill(token);
    await page.getByLabel("Token").press("Enter");
    await page.locator(".welcome").waitFor({ timeout: 45_000 });
    await page.getByRole("textbox").fill("How do I connect Slack?");
    await page.keyboard.press("Enter");
    await page.getByText("xapp-").first().waitFor({ timeout: 45_000 });
    await page.locator(".fold > summary").click({ timeout: 45_000 });
    // Together, so that a click that fails leaves no promise behind that nobody waits for.
    const [document] = await Promise.all([
      context.waitForEvent("page"),
      page.locator(".fold a[href*='/docs/README.md']").first().click(),
    ]);
    await document.getByText("App-Level Tokens").first().waitFor({ timeout: 45_000 });
    const admin = await context.newPage();
    await admin.goto(`${base}/admin`);
    await admin.getByRole("navigation").getByRole("link", { name: "Overview" }).waitFor({ timeout: 45_000 });
    await browser.close();

    expect(strayed).toEqual([]);
  });

  // Last, because afterwards nobody can sign in for a minute.
  it("believes nobody but nginx about the browser, and nginx overwrites what a browser invents", async () => {
    const forged = (guess: number) => ({
      "x-forwarded-for": `203.0.113.${guess}`,
      "x-forwarded-proto": "https",
      "x-forwarded-prefix": "/elsewhere",
    });

    const direct = cookieFrom(await signIn(parley.url, token, forged(0)));
    const behind = cookieFrom(await signIn(baseOf(0), token, forged(0)));
    // Nginx says that both connections come from 127.0.0.1, as the direct ones do.
    for (let guess = 0; guess < 5; guess += 1) {
      await signIn(parley.url, "wrong", forged(guess));
      await signIn(baseOf(0), "wrong", forged(guess));
    }

    expect(direct).not.toContain("Secure");
    expect(behind).toContain("Path=/parley/;");
    expect(behind).not.toContain("Secure");
    expect((await signIn(baseOf(0), "wrong", forged(99))).status).toBe(429);
    expect((await signIn(parley.url, "wrong", forged(99))).status).toBe(429);
  });
});
