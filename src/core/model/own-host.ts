/** Whether a request's Host can be Parley's own, or one that only another web site has. */
import { isIP } from "node:net";

/**
 * A web site can let its own name lead to Parley (DNS rebinding), and its scripts then send any header. They can't send
 * another Host. An address and a name without a dot are no web site's. `publicUrl`: PUBLIC_URL.
 */
export function isOwnHost(host: string | undefined, publicUrl: string | undefined): boolean {
  const { hostname } = URL.parse(`http://${host}`) ?? { hostname: "" };
  const isSite = hostname.includes(".") && isIP(hostname) === 0;
  return hostname !== "" && (!isSite || (publicUrl !== undefined && hostname === new URL(publicUrl).hostname));
}
