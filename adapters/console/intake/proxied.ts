/**
 * Whether a request came through a proxy. A proxy on this machine makes everybody look like somebody on this machine,
 * and the plainest ones (`proxy_pass http://127.0.0.1:3000`) say so in no header, but still leave their marks.
 */

export type SeenRequest = {
  readonly header: (name: string) => string | undefined;
  /** "1.1"; undefined when it is not known. */
  readonly httpVersion: string | undefined;
  /** The Host header. */
  readonly host: string;
};

/** What proxies add, by one name or another. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-real-ip",
  "x-client-ip",
  "x-original-host",
  "cf-connecting-ip",
  "true-client-ip",
];

/** "proxy": proven, and no web page can fake it. "maybe": no browser sends such a request on its own. */
export function proxyMark({ header, httpVersion, host }: SeenRequest): "proxy" | "maybe" | "none" {
  // Browsers alone send Sec-Fetch-Site, and pages cannot: who is on the same site names the same host, unless a proxy
  // has put another one in its place.
  const from = header("origin") ?? header("referer");
  if (header("sec-fetch-site") === "same-origin" && from !== undefined && hostOf(from) !== hostOf(`http://${host}`)) {
    return "proxy";
  }
  // nginx speaks HTTP/1.0 to what is behind it unless it is told otherwise; browsers have not for 25 years.
  if (httpVersion === "1.0") return "maybe";
  return proxyHeaders.some((name) => header(name) !== undefined) ? "maybe" : "none";
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host;
}
