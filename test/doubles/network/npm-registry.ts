/**
 * A registry for npm on this machine: Parley's package as a tarball, and the packages that it needs as `npm ci` has left
 * them in npm's cache, which has them by their checksums. Nothing else is there.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { packageFolder } from "../../../src/core/tools/package-folder.ts";

type Locked = { readonly name?: string; readonly version: string; readonly integrity?: string };
type Lock = { readonly packages: Readonly<Record<string, Locked>> };
type Manifest = { readonly name: string; readonly version: string };
type Release = { readonly manifest: Manifest; readonly integrity?: string; readonly tarball: () => Buffer };

export type NpmRegistry = {
  readonly url: string;
  readonly close: () => void;
};

/** `own`: Parley's package, with what its package.json says. */
export async function startNpmRegistry(own: Omit<Release, "integrity">): Promise<NpmRegistry> {
  const lock = JSON.parse(readFileSync(join(packageFolder, "package-lock.json"), "utf8")) as Lock;
  const releases = new Map<string, Release[]>();
  for (const release of [own, ...cachedReleases(lock)]) {
    const { name } = release.manifest;
    releases.set(name, [...(releases.get(name) ?? []), release]);
  }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const [name = "", version] = path.split("/-/");
    const found = releases.get(name) ?? [];
    const asked = found.find(({ manifest }) => `${manifest.version}.tgz` === version);
    if (asked !== undefined) return void response.end(asked.tarball());
    if (found.length === 0 || version !== undefined) return void response.writeHead(404).end("{}");
    const tarballUrl = (of: string) => `http://${request.headers.host}/${name}/-/${of}.tgz`;
    const versions = found.map(({ manifest, integrity }) => {
      const dist = { integrity, tarball: tarballUrl(manifest.version) };
      // A registry says it of each package that has one, and npm looks into those alone.
      const _hasShrinkwrap = manifest === own.manifest;
      return [manifest.version, { ...manifest, dist, _hasShrinkwrap }];
    });
    const tags = { latest: found[0]?.manifest.version };
    response.end(JSON.stringify({ name, "dist-tags": tags, versions: Object.fromEntries(versions) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function cachedReleases(lock: Lock): readonly Release[] {
  const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
  return Object.entries(lock.packages).flatMap(([path, locked]) => {
    const { name = path.replace(/^.*node_modules\//, ""), version, integrity } = locked;
    if (integrity === undefined) return [];
    // https://github.com/npm/cacache: content is in folders named by its checksum.
    const hex = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    const content = join(cache, "_cacache/content-v2/sha512", hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    return [{ manifest: { name, version }, integrity, tarball: () => readFileSync(content) }];
  });
}
