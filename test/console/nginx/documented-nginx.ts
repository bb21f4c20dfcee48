/** The nginx that docs/deploy.md describes, and someone who signs in through it with the token. */
import { readFile } from "node:fs/promises";

/** The address that nginx connects from, so that Parley can tell it from everyone else on this machine. */
export const nginxAddress = "127.0.0.2";

/** What the document says between the braces of `server`, for a Parley at `parleyUrl`, without encryption. */
export async function documentedNginx(parleyUrl: string): Promise<string> {
  const document = await readFile(new URL("../../../docs/deploy.md", import.meta.url), "utf8");
  const server = /```nginx\nserver \{\n([\s\S]*?)\n\}\n```/.exec(document)?.[1];
  if (server === undefined) throw new Error("docs/deploy.md has no server for nginx");
  const lines = server.split("\n").filter((line) => !/^\s*(?:listen|ssl_)/.test(line));
  return `proxy_bind ${nginxAddress}; ${lines.join("\n").replaceAll("http://127.0.0.1:3000", parleyUrl)}`;
}

/** Signs in with `token` at `url`, where the page is. */
export function signInAt(url: string, token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/`, { method: "POST", body: new URLSearchParams({ token }), redirect: "manual", headers });
}

/** As a browser sends them back. */
export function cookiesFrom(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}
