/**
 * Reads the names that this machine knows without DNS: /etc/hosts and localhost. Synchronous, because the file is small
 * and reading it must not wait for libuv's threads.
 */
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

const loopback = ["127.0.0.1", "::1"];
/** A machine's own file has a few lines; block lists of some 100,000 exist. Larger files are ignored. */
const maxBytes = 8 * 1024 * 1024;

/** Returns a function that gives the addresses of a name; undefined for one that isn't listed. */
export function createHostsFile(path = "/etc/hosts"): (hostname: string) => readonly string[] | undefined {
  let version = "";
  let known: ReadonlyMap<string, readonly string[]> = new Map();

  function refresh(): void {
    try {
      const { mtimeMs, ino, size } = statSync(path);
      if (version === `${mtimeMs}/${ino}/${size}`) return;
      known = size > maxBytes ? new Map() : parseHosts(readFileSync(path, "utf8"));
      version = `${mtimeMs}/${ino}/${size}`;
    } catch {
      // No such file, as on some small images: leave names to DNS.
      known = new Map();
      version = "";
    }
  }

  return (hostname) => {
    refresh();
    const found = known.get(hostname);
    if (found !== undefined) return found;
    // RFC 6761: these never reach a DNS server.
    return hostname === "localhost" || hostname.endsWith(".localhost") ? loopback : undefined;
  };
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      const addresses = found.get(name);
      if (addresses === undefined) found.set(name, [address]);
      else addresses.push(address);
    }
  }
  return found;
}
