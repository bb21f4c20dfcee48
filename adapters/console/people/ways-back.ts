/** Where a sign-in leads back to: always a page of this server. */
import { maxLandingChars } from "../limits.ts";

const here = "http://here.invalid";
/** They would lead back to the sign-in. */
const ofSignIn = /^\/(?:login|sign-in|sign-out|signed-out|api)(?:\/|$)/;

/** Untrusted: another site's address, however it is written, becomes "/". */
export function localPath(to: string | undefined): string {
  const url = to === undefined || to.length > maxLandingChars ? null : URL.parse(to, here);
  if (url === null || url.origin !== here) return "/";
  // Two leading slashes would name another host.
  const path = `/${url.pathname.replace(/^[/\\]+/, "")}`;
  return ofSignIn.test(path) ? "/" : `${path}${url.search}${url.hash}`;
}
