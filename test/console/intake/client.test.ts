import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { type Client, createClientOf } from "../../../adapters/console/intake/client.ts";
import { readConfig } from "../../../src/config/config.ts";
import { platformModules } from "../../../src/platforms.ts";

/** What is known of a request from `peer` with those headers. */
async function seen(
  trusted: readonly string[],
  peer: string | undefined,
  headers: Record<string, string> = {},
  publicUrl?: string,
) {
  const clientOf = createClientOf({ trustedProxy: trusted, publicUrl });
  const app = new Hono();
  const clients: Client[] = [];
  app.get("/", (context) => {
    clients.push(clientOf(context));
    return context.text("");
  });
  const env = peer === undefined ? {} : { incoming: { socket: { remoteAddress: peer } } };
  await app.request("http://parley.internal/", { headers: { host: "parley.internal:3000", ...headers } }, env);
  const [client] = clients;
  if (client === undefined) throw new Error("no request");
  return client;
}

const forged = {
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "evil.example",
  "x-forwarded-prefix": "/evil",
};

describe("who sends a request", () => {
  it("is the one who connects, whatever it claims, unless it is a trusted proxy", async () => {
    const itself = {
      peer: "192.0.2.1",
      isTrustedProxy: false,
      address: "192.0.2.1",
      scheme: "http",
      host: "parley.internal:3000",
      isOwnHost: false,
      prefix: "",
      site: "3000",
    };

    expect(await seen([], "192.0.2.1", forged)).toEqual(itself);
    expect(await seen(["10.0.0.0/8"], "192.0.2.1", forged)).toEqual(itself);
  });

  it("is unknown and untrusted where the connection has no address", async () => {
    const client = await seen(["127.0.0.0/8", "::1/128"], undefined, forged);

    expect(client).toMatchObject({ peer: undefined, address: undefined, isTrustedProxy: false, scheme: "http" });
  });

  it("is the browser that a trusted proxy names", async () => {
    const said = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "x.example",
      "x-forwarded-prefix": "/parley/",
    };

    expect(await seen(["10.0.0.0/8"], "10.1.2.3", said)).toEqual({
      peer: "10.1.2.3",
      isTrustedProxy: true,
      address: "203.0.113.9",
      scheme: "https",
      host: "x.example",
      isOwnHost: false,
      prefix: "/parley",
      site: "/parley",
    });
  });

  it.each([
    ["one proxy", "203.0.113.9", "203.0.113.9"],
    ["two trusted proxies", "203.0.113.9, 10.0.0.7", "203.0.113.9"],
    ["an address that the browser invented", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["a proxy of its own that the browser invented", "10.9.9.9, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
    ["an entry that is no address", "1.1.1.1, unknown", "10.1.2.3"],
    ["an entry that is no address, before a trusted proxy", "evil, 10.0.0.7", "10.0.0.7"],
    ["IPv4 written as IPv6", "::ffff:203.0.113.9", "203.0.113.9"],
    ["an address with a port", "203.0.113.9:52011", "203.0.113.9"],
    ["IPv6 with a port", "[2001:db8::7]:52011", "2001:db8::7"],
    ["a header without an end", `${"1.1.1.1, ".repeat(20_000)}203.0.113.9`, "203.0.113.9"],
    ["nothing", "", "10.1.2.3"],
  ])("reads %s from X-Forwarded-For", async (_, header, address) => {
    expect((await seen(["10.0.0.0/8"], "10.1.2.3", { "x-forwarded-for": header })).address).toBe(address);
  });

  it.each([
    ["IPv4 that a socket for both shows as IPv6", ["10.0.0.0/8"], "::ffff:10.1.2.3", true],
    ["IPv6", ["fd00::/8"], "fd12::1", true],
    ["IPv6 outside of the range", ["fd00::/8"], "2001:db8::1", false],
    ["IPv4 in a range of IPv6", ["fd00::/8"], "10.1.2.3", false],
    ["a single address", ["10.1.2.3/32"], "10.1.2.3", true],
    ["IPv4 that the setting writes as IPv6", ["::ffff:10.1.2.3/128"], "10.1.2.3", true],
    ["a range of IPv4 that the setting writes as IPv6", ["::ffff:10.1.0.0/112"], "::ffff:10.1.2.3", true],
    ["what is outside of it", ["::ffff:10.1.0.0/112"], "10.2.2.3", false],
    ["IPv6 with a zone", ["fe80::/10"], "fe80::1%eth0", true],
    ["its neighbour", ["10.1.2.3/32"], "10.1.2.4", false],
  ])("knows %s", async (_, trusted, peer, isTrustedProxy) => {
    expect((await seen(trusted, peer)).isTrustedProxy).toBe(isTrustedProxy);
  });

  it.each(["//evil.example", "/../x", "/a/./b", "evil", "/a b", "/%2e%2e", `/${"x".repeat(200)}`, "/a;Path=/", "/"])(
    "takes no path from the header %j",
    async (header) => {
      expect((await seen(["10.0.0.0/8"], "10.1.2.3", { "x-forwarded-prefix": header })).prefix).toBe("");
    },
  );
});

describe("how browsers reach Parley, with PUBLIC_URL", () => {
  const publicUrl = "https://x.example/parley";
  const reached = async (headers: Record<string, string>, trusted: readonly string[] = []) => {
    const { scheme, prefix } = await seen(trusted, "10.1.2.3", headers, publicUrl);
    return { scheme, prefix };
  };

  it("is by HTTPS below its path, if the proxy passes the Host on or the browser names its page", async () => {
    const securely = { scheme: "https", prefix: "/parley" };

    expect(await reached({ host: "x.example" })).toEqual(securely);
    expect(await reached({ host: "127.0.0.1:3000", origin: "https://x.example" })).toEqual(securely);
  });

  it("is by HTTP for someone who comes another way", async () => {
    expect(await reached({ host: "127.0.0.1:3000" })).toEqual({ scheme: "http", prefix: "/parley" });
    expect(await reached({ host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" })).toMatchObject({
      scheme: "http",
    });
  });

  it("is as a trusted proxy says, but for the path", async () => {
    const said = { host: "x.example", "x-forwarded-proto": "http", "x-forwarded-prefix": "/other" };

    expect(await reached(said, ["10.0.0.0/8"])).toEqual({ scheme: "http", prefix: "/parley" });
  });
});

describe("TRUSTED_PROXY", () => {
  const read = (text: string) =>
    readConfig({ TRUSTED_PROXY: text, CONSOLE_TOKEN: "0123456789abcdef" }, platformModules);

  it.each(["loopback", "10.0.0.1", "10.0.0.0/8, ::1", "fd00::/8", "loopback, 192.0.2.0/24,"])("can be %j", (text) => {
    expect(() => read(text)).not.toThrow();
  });

  it.each([
    ["nginx", "entry 1 must be loopback, an IP address or a range such as 10.0.0.0/8"],
    ["10.0.0.1, *", "entry 2 must be loopback"],
    ["10.0.0.0/33", "entry 1"],
    ["0.0.0.0/0", "entry 1"],
    ["::/0", "entry 1"],
    ["10.1", "entry 1"],
    ["0x7f.1", "entry 1"],
    ["10.0.0.0/8/8", "entry 1"],
    ["10.0.0.0/", "entry 1"],
    ["fe80::1%eth0", "entry 1"],
    [",", "must have at least one entry"],
  ])("can't be %j", (text, why) => {
    expect(() => read(text)).toThrow(`TRUSTED_PROXY: ${why}`);
  });

  it("needs a sign-in, because it opens the page to other machines", () => {
    expect(() => readConfig({ TRUSTED_PROXY: "loopback" }, platformModules)).toThrow(
      "CONSOLE_TOKEN: is missing, but TRUSTED_PROXY makes the page reachable from other machines",
    );
    expect(() =>
      readConfig({ TRUSTED_PROXY: "loopback", CONSOLE: "off", SLACK_BOT_TOKEN: "x" }, platformModules),
    ).toThrow(/^(?!.*CONSOLE_TOKEN)/);
  });
});
