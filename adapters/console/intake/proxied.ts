/**
 * Detects requests that came through a proxy. A proxy on this machine makes every visitor look local, and the plainest
 * ones (`proxy_pass http://127.0.0.1:3000`) add no header but still leave traces.
 */

export type SeenRequest = {
  readonly header: (name: string) => string | undefined;
  /** "1.1"; undefined if unknown. */
  readonly httpVersion: string | undefined;
  /** The Host header. */
  readonly host: string;
};

/** Headers that proxies add. */
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

/** "proxy": proven, and no web page can fake it. "maybe": no browser sends such a request itself. */
export function proxyMark({ header, httpVersion, host }: SeenRequest): "proxy" | "maybe" | "none" {
  // Browsers send Sec-Fetch-Site, and pages can't set it. A same-origin request names the same host everywhere, unless a
  // proxy has changed the Host header.
  const from = header("origin") ?? header("referer");
  if (header("sec-fetch-site") === "same-origin" && from !== undefined && hostOf(from) !== hostOf(`http://${host}`)) {
    return "proxy";
  }
  // By default nginx speaks HTTP/1.0 to its upstream; browsers have not for 25 years.
  if (httpVersion === "1.0") return "maybe";
  return proxyHeaders.some((name) => header(name) !== undefined) ? "maybe" : "none";
}

function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
