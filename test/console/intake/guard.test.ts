import { describe, expect, it } from "vitest";
import { isLoopback } from "../../../adapters/console/intake/guard.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { cookiesAfter, signInRoom as guarded } from "../people/sign-in-room.ts";

const token = "correct horse battery staple";

/** What Node's server hands over with a request from that address. */
const from = (remoteAddress: string) => ({ incoming: { httpVersion: "1.1", socket: { remoteAddress } } });

describe("the console's guard on loopback, without a token", () => {
  const { ask } = guarded();

  it.each([
    ["its own name", { host: "127.0.0.1:3000" }, 200],
    ["localhost", { host: "localhost:3000" }, 200],
    ["IPv6", { host: "[::1]:3000" }, 200],
    ["a name that was rebound to 127.0.0.1", { host: "evil.example" }, 403],
    ["a name that begins like ours", { host: "127.0.0.1.evil.example" }, 403],
    ["a name that begins with localhost", { host: "localhost.evil.example" }, 403],
    ["another address of the network", { host: "192.168.1.5:3000" }, 403],
    ["no address at all", { host: "0.0.0.0:3000" }, 403],
    ["credentials in the Host", { host: "127.0.0.1:3000@evil.example" }, 400],
    ["its own Origin", { origin: "http://127.0.0.1:3000" }, 200],
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["the Origin of another port", { origin: "http://127.0.0.1:8080" }, 403],
    ["an Origin that hides itself", { origin: "null" }, 403],
    ["a request from another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 403],
    ["a request from another port", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }, 403],
    ["a link elsewhere that was clicked", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, 200],
    ["the page itself", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }, 200],
    ["a proxy in between", { "x-forwarded-for": "203.0.113.9" }, 403],
  ])("answers %s", async (_, headers, status) => {
    const response = await ask("/", headers);

    expect(response.status).toBe(status);
  });

  it.each([
    ["via", "1.1 proxy"],
    ["forwarded", "for=203.0.113.9"],
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "203.0.113.9"],
    ["cf-connecting-ip", "203.0.113.9"],
  ])("refuses what a proxy has put %s into", async (name, value) => {
    expect((await ask("/", { [name]: value })).status).toBe(403);
  });

  it("refuses HTTP/1.0, which nginx speaks to what is behind it and no browser speaks", async () => {
    const env = { incoming: { httpVersion: "1.0" } };

    expect((await ask("/", {}, {}, env)).status).toBe(403);
    expect((await ask("/", {}, {}, { incoming: { httpVersion: "1.1" } })).status).toBe(200);
    expect((await ask("/healthz", {}, {}, env)).status).toBe(200);
  });

  it("closes itself when a browser shows that a plain proxy has changed the Host, and says so in the log", async () => {
    const logged: string[] = [];
    const { ask } = guarded({ log: { ...silentLog, error: (_fields, message) => logged.push(message) } });
    const throughProxy = { "sec-fetch-site": "same-origin", referer: "https://parley.example/" };

    expect((await ask("/")).status).toBe(200);
    expect((await ask("/page/page.js", throughProxy)).status).toBe(403);
    // As somebody without a browser sends it, with nothing to be seen.
    const after = await ask("/api/conversations");
    await ask("/page/page.js", throughProxy);

    expect(after.status).toBe(403);
    expect(await after.text()).toContain("Set CONSOLE_TOKEN");
    expect(logged).toEqual([expect.stringContaining("Set CONSOLE_TOKEN")]);
    expect((await ask("/healthz")).status).toBe(200);
  });

  it("stays open for a page on this machine, whatever name and port it was reached by", async () => {
    const { ask } = guarded();

    for (const host of ["127.0.0.1:3000", "localhost:8080", "[::1]:3000", "LOCALHOST:3000"]) {
      const referer = `http://${host.toLowerCase()}/`;
      expect((await ask("/page/page.js", { host, "sec-fetch-site": "same-origin", referer })).status).toBe(200);
    }
    expect((await ask("/")).status).toBe(200);
  });

  it("cannot be closed by another web site", async () => {
    const { ask } = guarded();
    const foreign = { origin: "https://evil.example", referer: "https://evil.example/" };

    await ask("/api/messages", { ...foreign, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" });
    await ask("/", { host: "evil.example", "sec-fetch-site": "same-origin", referer: "http://evil.example/" });
    await ask("/", { host: "evil.example:3000", "sec-fetch-site": "same-origin", referer: "http://evil.example/" });

    expect((await ask("/")).status).toBe(200);
  });

  it("refuses a form that another site sends by navigating", async () => {
    const response = await ask(
      "/api/messages",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      { method: "POST" },
    );

    expect(response.status).toBe(403);
  });

  it.each(["/healthz", "/readyz", "/metrics"])("leaves %s open to health probes", async (path) => {
    const response = await ask(path, { host: "10.0.0.7:3000" });

    expect(response.status).toBe(200);
  });

  it("forbids scripts, pictures and frames of others", async () => {
    const policy = (await ask("/")).headers.get("content-security-policy") ?? "";

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
  });

  it("refuses everyone when the server listens beyond loopback", async () => {
    const response = await guarded({ host: "0.0.0.0" }).ask("/");

    expect(response.status).toBe(403);
  });
});

describe("the console's guard with a token", () => {
  const host = { host: "parley.example" };

  it("shows only the form to anyone without the token", async () => {
    const { ask } = guarded({ host: "0.0.0.0", token });

    const page = await ask("/", { ...host, accept: "text/html" });
    const api = await ask("/api/conversations", host);
    const script = await ask("/page/page.js", host);
    const probe = await ask("/healthz", host);

    expect(page.status).toBe(401);
    expect(await page.text()).toContain('<label for="token">Token</label>');
    expect([api.status, script.status, probe.status]).toEqual([401, 401, 200]);
  });

  it("asks for it on loopback too, because there may be a proxy", async () => {
    expect((await guarded({ token }).ask("/")).status).toBe(401);
  });

  it("remembers a login in a cookie that scripts and other sites can't use", async () => {
    const { ask, login } = guarded({ host: "0.0.0.0", token });

    const response = await login(token, host);
    const cookie = response.headers.get("set-cookie") ?? "";
    const inside = await ask("/", { ...host, cookie: cookiesAfter(response) });

    expect(response.status).toBe(303);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Strict");
    expect(cookie).not.toContain("Secure");
    expect(decodeURIComponent(cookie)).not.toContain(token);
    expect(inside.status).toBe(200);
  });

  it("keeps the cookie to HTTPS behind a proxy that speaks it and is trusted", async () => {
    const { login } = guarded({ token, trustedProxy: ["10.0.0.0/8"] });
    const https = { "x-forwarded-proto": "https" };

    const cookies = [
      await login(token, https, "/", from("10.0.0.2")),
      await login(token, https, "/", from("11.0.0.2")),
    ];

    const isSecure = cookies.map(({ headers }) => headers.get("set-cookie")?.includes("Secure"));
    expect(isSecure).toEqual([true, false]);
  });

  it.each([["wrong"], [""], [`${token} and more`]])("refuses the token %j without repeating it", async (given) => {
    const response = await guarded({ token }).login(given);

    expect(response.status).toBe(401);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.text()).toContain("Wrong token.");
  });

  it("refuses a cookie that is invented, or belongs to another token", async () => {
    const other = cookiesAfter(await guarded({ token: "another" }).login("another"));
    const { ask } = guarded({ token });

    expect((await ask("/", { cookie: other })).status).toBe(401);
    expect((await ask("/", { cookie: "parley_session=" })).status).toBe(401);
  });

  it("refuses a cookie that is older than 30 days", async () => {
    const { ask, login, clock } = guarded({ token });
    const stolen = cookiesAfter(await login(token));

    await clock.advance(30 * 86_400_000 - 1_000);
    const before = await ask("/", { cookie: stolen });
    await clock.advance(2_000);
    const after = await ask("/", { cookie: stolen });

    expect([before.status, after.status]).toEqual([200, 401]);
    expect((await ask("/", { cookie: cookiesAfter(await login(token)) })).status).toBe(200);
  });

  it("refuses a cookie that was changed anywhere", async () => {
    const { ask, login } = guarded({ token });
    const [session = ""] = cookiesAfter(await login(token)).split("; ");
    const [name = "", value = ""] = session.split("=");
    const [person = "", secret = ""] = value.split(".");
    const other = secret.startsWith("A") ? "B" : "A";
    const forged = [
      `${person}.${other}${secret.slice(1)}`,
      `${"0".repeat(32)}.${secret}`,
      `${person}.`,
      `.${secret}`,
      secret,
      `${person}/${secret}`,
      `${value}x`,
    ];

    expect((await ask("/", { cookie: `${name}=${value}` })).status).toBe(200);
    for (const cookie of forged) expect((await ask("/", { cookie: `${name}=${cookie}` })).status).toBe(401);
  });

  it("asks again from its own page when a link elsewhere was clicked, because the cookie did not come along", async () => {
    const { ask } = guarded({ token });
    const opening = { accept: "text/html", "sec-fetch-mode": "navigate" };

    const clicked = await ask("/", { ...opening, "sec-fetch-site": "cross-site" });
    const again = await ask("/", { ...opening, "sec-fetch-site": "same-origin" });

    expect(clicked.headers.get("refresh")).toBe("0");
    expect(again.headers.get("refresh")).toBeNull();
  });

  it("makes someone who guesses wait a minute, and lets the right token in all the while", async () => {
    const { login, clock } = guarded({ token });

    for (let guess = 0; guess < 10; guess += 1) await login(`guess ${guess}`);
    const refused = await login("guess 10");
    const right = await login(token);
    await clock.advance(60_000);
    const later = await login("guess 11");

    expect([refused.status, right.status, later.status]).toEqual([429, 303, 401]);
  });

  it("makes only the one who guesses wait, behind a trusted proxy too", async () => {
    const { login } = guarded({ token, trustedProxy: ["127.0.0.0/8"] });
    const enter = (given: string, address: string) =>
      login(given, { "x-forwarded-for": address }, "/", from("127.0.0.1"));

    for (let guess = 0; guess < 10; guess += 1) await enter(`guess ${guess}`, "203.0.113.9");

    expect((await enter("guess 10", "203.0.113.9")).status).toBe(429);
    expect((await enter("guess 10", "203.0.113.10")).status).toBe(401);
  });

  it("doesn't let someone guess on by naming other addresses, where the proxy isn't trusted", async () => {
    const { login } = guarded({ token });
    const enter = (given: string, address: string) =>
      login(given, { "x-forwarded-for": address }, "/", from("127.0.0.1"));

    for (let guess = 0; guess < 10; guess += 1) await enter(`guess ${guess}`, `203.0.113.${guess}`);

    expect((await enter("guess 10", "203.0.113.99")).status).toBe(429);
  });

  it("counts the addresses of one IPv6 network together", async () => {
    const { login } = guarded({ token });

    for (let guess = 0; guess < 10; guess += 1) await login("wrong", {}, "/", from(`2001:db8:0:1::${guess}`));
    const sameNetwork = await login("wrong", {}, "/", from("2001:db8:0:1:ffff::1"));
    const otherNetwork = await login("wrong", {}, "/", from("2001:db8:0:2::1"));

    expect([sameNetwork.status, otherNetwork.status]).toEqual([429, 401]);
  });

  it("lets the right token in from anywhere while many addresses guess, and makes each of them wait", async () => {
    const { login } = guarded({ token, guestToken: "a-token-for-all-the-guests" });
    const addresses = Array.from({ length: 30 }, (_, index) => `198.51.100.${index}`);
    for (const address of addresses) {
      for (let guess = 0; guess < 10; guess += 1) await login(`guess ${guess}`, {}, "/", from(address));
    }

    const manager = await login(token, {}, "/", from("192.0.2.1"));
    const guest = await login("a-token-for-all-the-guests", {}, "/", from("192.0.2.1"));
    const guessing = await Promise.all(addresses.map((address) => login("guess 10", {}, "/", from(address))));
    const [among = ""] = addresses;
    const colleague = await login(token, {}, "/", from(among));

    expect([manager.status, guest.status, colleague.status]).toEqual([303, 303, 303]);
    expect(new Set(guessing.map(({ status }) => status))).toEqual(new Set([429]));
  });

  it("doesn't allow more guesses when they come all at once", async () => {
    const { login } = guarded({ token });

    const answers = await Promise.all(Array.from({ length: 40 }, (_, guess) => login(`guess ${guess}`)));

    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(30).fill(429)]);
  });

  it("shows the page that was asked for once the token was given", async () => {
    const { ask, login } = guarded({ token });

    // The form posts to the address that it was shown at, and the browser keeps what stands after a #.
    expect(await (await ask("/docs/deploy.md?raw", { accept: "text/html" })).text()).toContain('<form method="post">');
    expect((await login(token, {}, "/docs/deploy.md?raw")).headers.get("location")).toBe("/docs/deploy.md?raw");
    expect((await login(token, {}, "/login")).headers.get("location")).toBe("/");
    expect((await login("wrong", {}, "/docs/deploy.md")).status).toBe(401);
  });

  it.each([
    "//evil.example/x",
    "///evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/login//evil",
  ])("never redirects to another site after the login: %j", async (path) => {
    const location = (await guarded({ token }).login(token, {}, path)).headers.get("location") ?? "";

    expect(new URL(location, "http://127.0.0.1:3000/").origin).toBe("http://127.0.0.1:3000");
    expect(location).toMatch(/^\/(?![/\\])/);
  });

  it("refuses a login larger than any token before reading it", async () => {
    expect((await guarded({ token }).login("x".repeat(10_000))).status).toBe(413);
  });

  it("keeps the cookie and the way back below the path of PUBLIC_URL", async () => {
    const { login } = guarded({ token, publicUrl: "https://x.example/parley" });

    const response = await login(token, { host: "x.example" }, "/docs/deploy.md");

    expect(response.headers.get("location")).toBe("/parley/docs/deploy.md");
    expect(response.headers.get("set-cookie")).toMatch(/Path=\/parley\/; HttpOnly; Secure; SameSite=Strict/);
  });

  it.each([
    ["PUBLIC_URL, though the proxy sends its own Host", "https://x.example", "127.0.0.1:3000", 303],
    ["PUBLIC_URL", "https://x.example", "x.example", 303],
    ["the host of PUBLIC_URL, without encryption", "http://x.example", "x.example", 403],
    ["another port of it", "https://x.example:8443", "x.example", 403],
    ["another name of this Parley", "http://parley.lan:3000", "parley.lan:3000", 303],
    ["another site", "https://evil.example", "x.example", 403],
  ])("accepts a login from its own pages alone: %s", async (_, origin, host, status) => {
    const { login } = guarded({ token, publicUrl: "https://x.example/parley" });

    expect((await login(token, { origin, host })).status).toBe(status);
  });

  it("refuses a login that another site sends", async () => {
    const response = await guarded({ token }).login(token, { origin: "https://evil.example" });

    expect(response.status).toBe(403);
  });
});

describe("isLoopback", () => {
  it.each(["127.0.0.1", "127.8.8.8", "localhost", "LOCALHOST", "::1", "[::1]"])("knows %s", (name) => {
    expect(isLoopback(name)).toBe(true);
  });

  it.each(["0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "localhost.", "127.0.0.1.nip.io"])(
    "doesn't mistake %s for it",
    (name) => {
      expect(isLoopback(name)).toBe(false);
    },
  );
});
