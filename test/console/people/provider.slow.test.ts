/** Signing in at a real OpenID Connect provider, and every way in which that can go wrong. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ClaimEntry } from "../../../adapters/console/people/provider/claims.ts";
import { client, createWalker, startSignInProvider } from "../../doubles/network/sign-in-provider.ts";
import { cookiesAfter, memoryStores, signInRoom } from "./sign-in-room.ts";

const pageUrl = "http://127.0.0.1:3000";
const accounts = {
  ana: { name: "Ana Alonso", email: "ana@acme.example", email_verified: true, groups: ["staff", "parley-admins"] },
  ben: { name: "Ben", email: "ben@acme.example", email_verified: true, groups: ["staff", "writers"] },
  cem: { name: "Cem", email: "cem@acme.example", email_verified: true, groups: ["staff"] },
  dora: { name: "Dora", email: "dora@elsewhere.example", email_verified: true, groups: ["visitors"] },
  emil: {
    name: '<b onclick="x()">Emil</b>\n\u202egnp.exe',
    email: 7,
    groups: { staff: true },
    extra: [["staff"], null, { deep: ["staff"] }],
  },
  fay: { name: "Fay", groups: [...Array.from({ length: 10_000 }, (_, at) => `${at}-${"g".repeat(95)}`), "staff"] },
  mallory: { name: "Mallory", email: "ana@acme.example", email_verified: false, groups: ["staff"] },
};
const entry = (claim: string, value: string): ClaimEntry => ({ claim, value });
const lists = {
  managers: [entry("groups", "parley-admins"), entry("email", "ana@acme.example")],
  ingesters: [entry("groups", "writers")],
  askers: [entry("groups", "staff")],
};

let provider: Awaited<ReturnType<typeof startSignInProvider>>;
beforeEach(async () => {
  provider = await startSignInProvider(accounts, pageUrl);
});
afterEach(() => provider.stop());

/** A page, and browsers for it. */
function page(options: Parameters<typeof signInRoom>[0] = {}) {
  const room = signInRoom({ provider: { issuer: provider.issuer, ...client, ...lists }, ...options });
  const browser = () =>
    createWalker(async (url, init) => {
      if (!url.startsWith(pageUrl)) return fetch(url, init);
      const { headers, ...rest } = init;
      return room.ask(url.slice(pageUrl.length), headers as Record<string, string>, rest);
    });
  const meIn = async (walker: ReturnType<typeof browser>) => {
    const { text, response } = await walker.visit(`${pageUrl}/api/me`, { headers: { accept: "application/json" } });
    return response.status === 200 ? JSON.parse(text) : { status: response.status };
  };
  return { ...room, browser, meIn };
}

/** Signs in at the provider, and stops where it sends the browser back to Parley. */
async function fetchCode(
  walker: ReturnType<typeof createWalker>,
  url: string,
  first: RequestInit = {},
  home = pageUrl,
): Promise<string> {
  let next = url;
  let init = first;
  while (!next.startsWith(home)) {
    const headers = { accept: "text/html", cookie: walker.cookieOf(next) };
    const response = await fetch(next, { ...init, headers, redirect: "manual" });
    next = new URL(response.headers.get("location") ?? "", next).href;
    init = {};
  }
  return next;
}

describe("signing in at the provider", () => {
  it.each([
    ["ana", "manage"],
    ["ben", "ingest"],
    ["cem", "ask"],
    ["dora", "nobody"],
    ["emil", "nobody"],
    ["fay", "ask"],
    ["mallory", "ask"],
  ])("gives %s the role of their claims: %s", async (account, role) => {
    const { browser, meIn } = page();
    const walker = browser();

    const { response } = await walker.signIn(pageUrl, account, "/docs/deploy.md#backup");

    expect(response.status).toBe(200);
    expect(response.headers.get("refresh")).toBe("0; url=/docs/deploy.md#backup");
    expect(await meIn(walker)).toMatchObject({ role, how: "oidc", isVerified: true, canSignOut: true });
  });

  it("knows one person in two browsers, and signs them out of one or of both", async () => {
    const { browser, meIn } = page();
    const [one, two] = [browser(), browser()];
    await one.signIn(pageUrl, "ana");
    await two.signIn(pageUrl, "ana");
    const before = [await meIn(one), await meIn(two)];
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ isEverywhere: true });

    const { text } = await one.visit(`${pageUrl}/api/sign-out`, { method: "POST", headers, body });

    expect(before[0].id).toMatch(/^oidc-[\da-f]{32}$/);
    expect(before[1]).toEqual(before[0]);
    expect(JSON.parse(text).goTo).toContain(`${provider.issuer}/session/end?`);
    expect(new URL(JSON.parse(text).goTo).searchParams.get("post_logout_redirect_uri")).toBe(`${pageUrl}/signed-out`);
    expect([await meIn(one), await meIn(two)]).toEqual([{ status: 401 }, { status: 401 }]);
  });

  it("shows who isn't allowed one page, which says whom to ask, and nothing else", async () => {
    const { browser } = page();
    const walker = browser();
    await walker.signIn(pageUrl, "dora");

    const { response, text } = await walker.visit(`${pageUrl}/`);
    const api = await walker.visit(`${pageUrl}/who`, { headers: { accept: "application/json" } });

    expect(response.status).toBe(403);
    expect(text).toContain("You're signed in as Dora");
    expect(text).toContain('Ask someone in parley-admins or <a href="mailto:ana@acme.example">ana@acme.example</a>');
    expect(api.response.status).toBe(403);
  });

  it("shows a name with markup, line breaks and bidi characters as one harmless line", async () => {
    const { browser, meIn } = page();
    const walker = browser();
    await walker.signIn(pageUrl, "emil");

    const { text } = await walker.visit(`${pageUrl}/`);

    expect((await meIn(walker)).name).toBe('<b onclick="x()">Emil</b> gnp.exe');
    expect(text).toContain("You're signed in as &lt;b onclick=&quot;x()&quot;&gt;Emil&lt;/b&gt; gnp.exe,");
  });

  it("sets secure cookies where PUBLIC_URL is https, though the proxy says nothing and sends its own Host", async () => {
    const publicUrl = "https://parley.example";
    const behind = await startSignInProvider(accounts, publicUrl);
    onTestFinished(() => behind.stop());
    const { ask } = page({ provider: { issuer: behind.issuer, ...client, ...lists }, baseUrl: publicUrl, publicUrl });
    const fromProxy = { host: "127.0.0.1:3000" };

    const begun = await ask("/sign-in/start?moved=1", fromProxy);
    const cookie = cookiesAfter(begun);
    const walker = createWalker(fetch);
    const signInUrl = new URL(begun.headers.get("location") ?? "");
    const form = await walker.visit(signInUrl.href);
    const body = new URLSearchParams({ prompt: "login", login: "ana", password: "any" });
    const code = await fetchCode(walker, form.url, { method: "POST", body }, publicUrl);
    const ended = await ask(code.slice(publicUrl.length), { ...fromProxy, cookie });

    const [attempt = ""] = begun.headers.getSetCookie();
    const session = ended.headers.getSetCookie().find((one) => one.includes("parley_session")) ?? "";
    for (const set of [attempt, session]) expect(set).toMatch(/^__Host-parley_.+; Path=\/; HttpOnly; Secure/);
  });

  it("works in two tabs at once, and each leads to its own page", async () => {
    const { browser, ask, meIn } = page();
    const walker = browser();
    await walker.signIn(pageUrl, "ana");
    const begin = async (to: string) => {
      const query = new URLSearchParams({ to });
      const response = await ask(`/sign-in/start?${query}`, { cookie: walker.cookieOf(pageUrl) });
      const [name = "", value = ""] = (response.headers.getSetCookie().at(-1)?.split(";")[0] ?? "").split(/=(.*)/s);
      walker.jarOf(pageUrl).set(name, value);
      return fetchCode(walker, response.headers.get("location") ?? "");
    };
    const [one, two] = [await begin("/docs/one.md"), await begin("/docs/two.md")];

    const second = await walker.visit(two);
    const first = await walker.visit(one);

    expect(second.response.headers.get("refresh")).toBe("0; url=/docs/two.md");
    expect(first.response.headers.get("refresh")).toBe("0; url=/docs/one.md");
    expect(await meIn(walker)).toMatchObject({ name: "Ana Alonso", role: "manage" });
  });

  it("lets who isn't allowed sign out, at the provider too, to come as someone else", async () => {
    const { browser, meIn } = page();
    const walker = browser();
    await walker.signIn(pageUrl, "dora");
    const headers = { "content-type": "application/x-www-form-urlencoded" };

    const { response } = await walker.visit(`${pageUrl}/sign-out`, { method: "POST", headers });

    expect(response.headers.get("refresh")).toContain(`0; url=${provider.issuer}/session/end?`);
    expect(await meIn(walker)).toEqual({ status: 401 });
  });

  it("ends when the client's secret or the lists of people change", async () => {
    const keyValue = memoryStores();
    const first = page({ keyValue });
    const walker = first.browser();
    await walker.signIn(pageUrl, "ana");
    const cookie = walker.cookieOf(pageUrl);
    const settings = { issuer: provider.issuer, ...client, ...lists };

    const same = page({ keyValue });
    const rotated = page({ keyValue, provider: { ...settings, clientSecret: "another-secret" } });
    const relisted = page({ keyValue, provider: { ...settings, managers: [] } });

    const statuses = [];
    for (const { ask } of [same, rotated, relisted]) statuses.push((await ask("/", { cookie })).status);
    expect(statuses).toEqual([200, 401, 401]);
  });

  it("can be finished by another instance", async () => {
    const keyValue = memoryStores();
    const [here, there] = [page({ keyValue }), page({ keyValue })];
    let count = 0;
    const walker = createWalker(async (url, init) => {
      if (!url.startsWith(pageUrl)) return fetch(url, init);
      count += 1;
      const { headers, ...rest } = init;
      const { ask } = count % 2 === 1 ? here : there;
      return ask(url.slice(pageUrl.length), headers as Record<string, string>, rest);
    });

    expect((await walker.signIn(pageUrl, "ana")).response.status).toBe(200);
    expect((await walker.visit(`${pageUrl}/`)).response.status).toBe(200);
  });
});

describe("what comes back from the provider", () => {
  const callback = (query: string) => `${pageUrl}/sign-in/callback?${query}`;

  it("is refused with a state that Parley didn't give", async () => {
    const { browser, meIn } = page();
    const walker = browser();

    const { response, text } = await walker.visit(callback("code=stolen&state=forged"));

    expect(response.status).toBe(400);
    expect(text).toContain("expired, or began in another browser");
    expect(await meIn(walker)).toEqual({ status: 401 });
  });

  it("is refused in a browser that didn't begin, so that nobody is signed in as someone else", async () => {
    const { browser, meIn } = page();
    const mallory = browser();
    const victim = browser();
    const begun = await mallory.visit(`${pageUrl}/sign-in/start`);
    const body = new URLSearchParams({ prompt: "login", login: "mallory", password: "any" });
    // Kept from being used up, to be sent to someone else.
    mallory.jarOf(pageUrl).clear();
    const { url } = await mallory.visit(begun.url, { method: "POST", body });

    const { response } = await victim.visit(url);

    expect(url).toContain("/sign-in/callback?code=");
    expect(response.status).toBe(400);
    expect(await meIn(victim)).toEqual({ status: 401 });
  });

  it("is worth nothing a second time", async () => {
    const { browser, ask } = page();
    const walker = browser();
    const begun = await walker.visit(`${pageUrl}/sign-in/start`);
    const planted = walker.cookieOf(pageUrl);
    const body = new URLSearchParams({ prompt: "login", login: "ana", password: "any" });
    const { url } = await walker.visit(begun.url, { method: "POST", body });

    const elsewhere = await ask(url.slice(pageUrl.length));
    // With the browser's part as well: the provider takes a code once.
    const copied = await ask(url.slice(pageUrl.length), { cookie: planted });

    expect([elsewhere.status, copied.status]).toEqual([400, 400]);
    expect(copied.headers.getSetCookie().join()).not.toContain("parley_session");
  });

  it("leads someone who is signed in, and came back to it with Back, to the page", async () => {
    const { browser, ask } = page();
    const walker = browser();
    const { url } = await walker.signIn(pageUrl, "ana");

    const response = await ask(url.slice(pageUrl.length), { cookie: walker.cookieOf(pageUrl) });

    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  });

  it.each([
    ["changed", (sealed: string) => `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`],
    ["cut off", (sealed: string) => sealed.slice(0, 20)],
    ["missing", () => ""],
  ])("is refused when the browser's part of the attempt is %s", async (_, change) => {
    const { browser } = page();
    const walker = browser();
    const begun = await walker.visit(`${pageUrl}/sign-in/start`);
    const jar = walker.jarOf(pageUrl);
    for (const [name, value] of jar) jar.set(name, change(value));
    const body = new URLSearchParams({ prompt: "login", login: "ana", password: "any" });

    const { response } = await walker.visit(begun.url, { method: "POST", body });

    expect(response.status).toBe(400);
  });

  it("can be begun any number of times: the browser keeps the last five", async () => {
    const { browser } = page();
    const walker = browser();
    for (let count = 0; count < 40; count += 1) {
      await walker.visit(`${pageUrl}/sign-in/start?${new URLSearchParams({ to: `/${"x".repeat(900)}` })}`);
    }

    expect(walker.jarOf(pageUrl).size).toBe(5);
    expect(walker.cookieOf(pageUrl).length).toBeLessThan(10_000);
    expect((await walker.signIn(pageUrl, "ana")).response.status).toBe(200);
  });

  it("is refused after ten minutes", async () => {
    const { browser, clock } = page();
    const walker = browser();
    const begun = await walker.visit(`${pageUrl}/sign-in/start`);
    await clock.advance(10 * 60_000);
    const body = new URLSearchParams({ prompt: "login", login: "ana", password: "any" });

    const { response } = await walker.visit(begun.url, { method: "POST", body });

    expect(response.status).toBe(400);
  });

  it("says so when the provider refused", async () => {
    const { browser } = page();
    const walker = browser();
    await walker.visit(`${pageUrl}/sign-in/start`);
    const begun = await page().ask("/sign-in/start");
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const cookie = begun.headers.getSetCookie().join().split(";")[0] ?? "";

    const refused = await page().ask(`/sign-in/callback?error=access_denied&state=${state}&iss=${provider.issuer}`, {
      cookie,
      accept: "text/html",
    });

    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("let you sign in");
  });

  it("never leads to another site", async () => {
    const { browser } = page();

    const { response } = await browser().signIn(pageUrl, "ana", "//evil.example/");

    expect(response.headers.get("refresh")).toBe("0; url=/");
  });
});

describe("a provider that is down", () => {
  it("ends nobody's session, is named on the page, and is asked again", async () => {
    const { browser, meIn } = page();
    const ana = browser();
    await ana.signIn(pageUrl, "ana");
    const other = page();
    const ben = other.browser();
    await provider.stop();

    const { response, text } = await ben.visit(`${pageUrl}/sign-in/start`);
    const still = await meIn(ana);
    provider = await startSignInProvider(accounts, pageUrl, provider.port);
    const later = await ben.signIn(pageUrl, "ben");

    expect(response.status).toBe(503);
    expect(text).toContain("doesn&#39;t answer, so nobody can sign in there");
    expect(still).toMatchObject({ name: "Ana Alonso", role: "manage" });
    expect(later.response.status).toBe(200);
  });

  it("goes down between the two steps: the sentence says so, and the next sign-in works", async () => {
    const { browser } = page();
    const walker = browser();
    const begun = await walker.visit(`${pageUrl}/sign-in/start`);
    const body = new URLSearchParams({ prompt: "login", login: "ana", password: "any" });
    // The browser has the code, and Parley can't redeem it.
    const code = await fetchCode(walker, begun.url, { method: "POST", body });
    await provider.stop();

    const { response, text } = await walker.visit(code);
    provider = await startSignInProvider(accounts, pageUrl, provider.port);
    const later = await walker.signIn(pageUrl, "ana");

    expect(response.status).toBe(503);
    expect(text).toContain("doesn&#39;t answer, so nobody can sign in there");
    expect(later.response.status).toBe(200);
  });

  it("that has another secret for Parley is told apart from one that doesn't answer", async () => {
    const settings = { issuer: provider.issuer, ...client, clientSecret: "a-secret-of-before", ...lists };
    const { browser, meIn } = page({ provider: settings });
    const walker = browser();

    const { response, text } = await walker.signIn(pageUrl, "ana");

    expect(response.status).toBe(503);
    expect(text).toContain("refuses Parley&#39;s client ID or secret");
    expect(await meIn(walker)).toEqual({ status: 401 });
  });

  it("leaves the token as a way in", async () => {
    const room = page({ token: "a-token-to-manage-with" });
    await provider.stop();

    const { text } = await room.browser().visit(`${pageUrl}/sign-in/start`);
    const response = await room.login("a-token-to-manage-with");
    provider = await startSignInProvider(accounts, pageUrl, provider.port);

    expect(text).toContain('<label for="token">Token</label>');
    expect(response.status).toBe(303);
  });
});
