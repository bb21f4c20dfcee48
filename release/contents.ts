/** What a release has in it, and whether it may go out. Pure. */

/**
 * Who publishes the npm package: npm's name for a person or an organisation. Set it here, and nothing is published before.
 * A test says which documents name the package too.
 */
export const owner: string = "OWNER";
const placeholder = "OWNER";
export const packageName = `@${owner}/parley`;

type Manifest = Readonly<Record<string, unknown>>;
type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly [key: string]: unknown }>>;
  readonly [key: string]: unknown;
};

/** The package.json of the package: with its own name, and without what only a clone needs. */
export function stagedManifest(manifest: Manifest & { readonly files: readonly string[] }): Manifest {
  const { private: _, scripts: __, devDependencies: ___, ...kept } = manifest;
  const repository = { type: "git", url: `git+https://github.com/${owner}/parley.git` };
  // npm packs a shrinkwrap only if it is listed.
  return { ...kept, name: packageName, repository, files: [...manifest.files, "npm-shrinkwrap.json"] };
}

/**
 * npm installs exactly these packages, as the tests did: without it, the `overrides` of package.json would not count where
 * Parley is installed as a package, and newer packages could come.
 */
export function withoutDevelopment(lock: Lock): Lock {
  const { "": root = {}, ...others } = lock.packages;
  const { devDependencies: _, ...own } = root;
  const kept = Object.entries(others).filter(([, { dev }]) => dev !== true);
  return { ...lock, name: packageName, packages: { "": { ...own, name: packageName }, ...Object.fromEntries(kept) } };
}

const nextHeading = "## Next (not yet released)";

/** The files of a version, from those before it. Throws if there is nothing new. */
export function withVersion(
  version: string,
  today: string,
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (files["CHANGELOG.md"]?.includes(`${nextHeading}\n`) !== true)
    throw new Error(`CHANGELOG.md has no section "${nextHeading}".`);
  const changes: readonly (readonly [path: string, pattern: RegExp, text: string])[] = [
    ["CHANGELOG.md", new RegExp(`^${nextHeading.replace(/[()]/g, "\\$&")}$`, "m"), `## ${version} (${today})`],
    ["package.json", /^ {2}"version": "[^"]*"/m, `  "version": "${version}"`],
    ["package-lock.json", /^( {2}"version": )"[^"]*"/m, `$1"${version}"`],
    ["package-lock.json", /^( {6}"version": )"[^"]*"/m, `$1"${version}"`],
    ["deploy/chart/Chart.yaml", /^version: .*$/m, `version: ${version}`],
    ["deploy/chart/Chart.yaml", /^appVersion: .*$/m, `appVersion: "${version}"`],
  ];
  const changed: Record<string, string> = { ...files };
  for (const [path, pattern, text] of changes) changed[path] = (changed[path] ?? "").replace(pattern, text);
  return changed;
}

/** What CHANGELOG.md says about a version, without its heading. Empty: nothing. */
export function notesOf(version: string, changes: string): string {
  const sections = changes.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} (`)) ?? "";
  return section.slice(section.indexOf("\n") + 1).trim();
}

/** Why it can't be published; undefined if it can. */
export function refusalOf(about: {
  readonly version: string;
  readonly changes: string;
  readonly tags: readonly string[];
  readonly isClean: boolean;
  readonly owner?: string;
}): string | undefined {
  const { version, changes, tags, isClean } = about;
  if ((about.owner ?? owner) === placeholder) return "release/contents.ts has no owner yet. Set `owner` there.";
  const isDated = new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m").test(changes);
  if (!isDated || notesOf(version, changes) === "")
    return `CHANGELOG.md has no section for ${version}. Run npm run release -- version ${version}.`;
  if (!isClean) return "There are changes that aren't committed.";
  if (!tags.includes(`v${version}`)) return `This commit isn't tagged. Run git tag v${version}.`;
  return undefined;
}
