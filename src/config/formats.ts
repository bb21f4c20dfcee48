/**
 * Formats of settings: parsers with a sentence for values that don't fit.
 * The sentences follow the variable's name ("PORT: must be …") and never repeat the value, which may be a secret.
 */
import { isIP } from "node:net";
import { isAbsolute, normalize } from "node:path";
import { z } from "zod";
import type { PlatformEntry, RoleEntry, WorkspaceProject } from "../core/access.ts";
import type { TokenPrice } from "../core/model/tokens.ts";

export const anyText = z.string();

export function oneOf<const T extends readonly [string, ...string[]]>(choices: T) {
  const sentence = `must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  return z.string().toLowerCase().pipe(z.enum(choices, sentence));
}

export const onOrOff = oneOf(["on", "off"]).transform((text) => text === "on");
export const trueOrFalse = oneOf(["true", "false"]).transform((text) => text === "true");

export function wholeNumber(from: number, to: number) {
  const sentence = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .refine((number) => number >= from && number <= to, sentence);
}

export const seconds = wholeNumber(1, 86_400).transform((count) => count * 1000);

/** Given in days, used in ms. */
export const days = (min: number, max: number) => wholeNumber(min, max).transform((count) => count * 86_400_000);

/** Tokens are pasted. Usual mistakes are a space, a quotation mark or the wrong token. */
export const token = z.string().regex(/^[^\s"']+$/, "must be a single token without spaces or quotation marks");

/** The page allows ten attempts a minute in all, so a short token could be guessed. */
const minConsoleTokenChars = 16;
export const consoleToken = token.refine(
  (text) => text.length >= minConsoleTokenChars,
  `must have at least ${minConsoleTokenChars} characters`,
);

export function tokenWith(prefix: string) {
  return token.refine((text) => text.startsWith(prefix) && text.length > prefix.length, `must begin with ${prefix}`);
}

export const snowflake = z.string().regex(/^\d{5,20}$/, "must be an ID of 5 to 20 digits");

const webSentence = "must be a URL that begins with http:// or https://";

/** An http or https URL, without its trailing slash. */
export const webUrl = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) return refuse(context, webSentence);
  if (url.username !== "" || url.password !== "") return refuse(context, "must not contain a user name or password");
  if (url.search !== "" || url.hash !== "") return refuse(context, "must not contain a ? or a #");
  return url.href.replace(/\/+$/, "");
});

/** First folders of Parley's own paths. */
const ownFolders = [
  "admin",
  "api",
  "docs",
  "favicon.ico",
  "files",
  "healthz",
  "login",
  "metrics",
  "page",
  "readyz",
  "sign-in",
  "sign-in.js",
  "sign-out",
  "signed-out",
  "slack",
  "vendor",
];

/**
 * Where people reach Parley. Whether a proxy strips the path or passes it on must be visible in each request, so it
 * can't begin like a path of Parley's own.
 */
export const publicUrl = webUrl.transform((text, context) => {
  const { pathname } = new URL(text);
  const [first = "", ...more] = pathname.slice(1).split("/");
  if (first === "" && more.length === 0) return text;
  if (more.length > 4 || ![first, ...more].every((folder) => /^[\w~-][\w.~-]{0,99}$/.test(folder))) {
    return refuse(context, "must have a path of letters, digits and - _ . ~ only, and of at most five folders");
  }
  if (ownFolders.includes(first)) return refuse(context, `must not have the path /${first}, which Parley uses itself`);
  return text;
});

/** The URL of a proxy. It may contain a login, and is often given without a scheme, which every client reads as http. */
export const proxyUrl = z.string().transform((text, context) => {
  const url = /^\d*$/.test(text) ? null : URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return refuse(context, webSentence);
  if (`${url.pathname}${url.search}${url.hash}` !== "/") return refuse(context, "must not contain a path, a ? or a #");
  return url.href;
});

/**
 * Addresses of proxies, as CIDRs: "127.0.0.1/32". Names are refused, because what they resolve to can change; so is every
 * address at once, because then anyone could claim to be anyone.
 */
export const proxyAddresses = z.string().transform((text, context): readonly string[] => {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const ranges = entries.map(addressRange);
  const wrong = ranges.indexOf(undefined);
  if (wrong >= 0) {
    return refuse(context, `entry ${wrong + 1} must be loopback, an IP address or a range such as 10.0.0.0/8`);
  }
  if (ranges.length === 0) return refuse(context, "must have at least one entry");
  return ranges.flatMap((range) => range ?? []);
});

function addressRange(entry: string): readonly string[] | undefined {
  if (entry === "loopback") return ["127.0.0.0/8", "::1/128"];
  const [address = "", bits, ...more] = entry.split("/");
  const all = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (all === 0 || address.includes("%") || more.length > 0) return undefined;
  if (bits === undefined) return [`${address}/${all}`];
  const isRange = /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= all;
  return isRange ? [`${address}/${bits}`] : undefined;
}

/** A name of the service: it must fit into one segment of a URL path. */
export const serviceName = z
  .string()
  .regex(/^(?!\.{1,2}$)[^/\\"'`\p{Cc}]+$/u, "must be a name without / \\ or quotation marks");

export const redisUrl = z.string().transform((text, context) => {
  const url = /^rediss?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === "") {
    return refuse(context, "must be a URL that begins with redis:// or rediss://");
  }
  return text;
});

export const hostName = z.string().transform((text, context) => {
  const host = text.replace(/^\[(.+)\]$/, "$1");
  const isAddress = isIP(host) !== 0 || /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(host);
  // Parley's own address has it: 999.1.1.1 is a host name by its letters, and no address.
  if (!isAddress || !URL.canParse(`http://${host.includes(":") ? `[${host}]` : host}`)) {
    return refuse(context, "must be an IP address or a host name, without a scheme or a port");
  }
  return host;
});

/** "Europe/Berlin", "UTC". */
export const timeZone = z.string().refine((name) => {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}, "must be a time zone such as Europe/Berlin or UTC");

export const commandPrefix = z.string().regex(/^[a-z\d_-]{1,20}$/, "must be 1 to 20 lowercase letters, digits, - or _");

export const roleList = listOf<RoleEntry>("*, platform:id or platform:role:id", (entry) => {
  const [, platform, workspace, role, id] = /^([a-z][a-z\d-]*):(?:([^\s/:]+)\/)?(role:)?([^\s/]+)$/.exec(entry) ?? [];
  if (platform === undefined || id === undefined) return undefined;
  const where = workspace === undefined ? { platform } : { platform, workspace };
  return { ...where, kind: role === undefined ? "user" : "role", id };
});

export const platformList = listOf<PlatformEntry>("* or platform:id", (entry) => {
  const [, platform, id] = /^([a-z][a-z\d-]*):(\S+)$/.exec(entry) ?? [];
  return platform === undefined || id === undefined ? undefined : { platform, id };
});

const entryOfProject = (entry: string): WorkspaceProject | undefined => {
  const [, platform, id, project] = /^([a-z][a-z\d-]*):([^\s=]+)\s*=(.+)$/.exec(entry) ?? [];
  const name = serviceName.safeParse(project?.trim());
  return platform === undefined || id === undefined || !name.success ? undefined : { platform, id, project: name.data };
};

/** Workspaces with their project of the agent service: `slack:T123=acme`. Each has one only. */
export const workspaceProjects = listOf<WorkspaceProject>("platform:id=project", entryOfProject)
  .refine((entries) => !entries.includes("*"), "must name each workspace as platform:id=project")
  .refine(
    (entries) =>
      new Set(entries.map((entry) => entry === "*" || `${entry.platform}:${entry.id}`)).size === entries.length,
    "names a workspace twice",
  )
  .transform((entries) => entries.filter((entry) => entry !== "*"));

const entryOfPrice = (entry: string): TokenPrice | undefined => {
  const [, agent = "", input, output] =
    /^([^=]+)=\s*(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(entry) ?? [];
  return input === undefined ? undefined : { agent: agent.trim(), input: Number(input), output: Number(output) };
};

/** US dollars for a million tokens, in and out: `support=2.5/10`; `*` for every other agent. Each has one only. */
export const tokenPrices = listOf<TokenPrice>("agent=in/out", entryOfPrice)
  .refine((entries) => !entries.includes("*"), "must name each price as agent=in/out")
  .transform((entries) => entries.filter((entry) => entry !== "*"))
  .refine((prices) => new Set(prices.map(({ agent }) => agent)).size === prices.length, "names an agent twice");

/** Whole paths of folders. They needn't exist yet. */
export const folderList = listOf("a whole path such as /srv/handbook", (entry) =>
  isAbsolute(entry) && normalize(entry) !== "/" ? normalize(entry) : undefined,
)
  .refine((entries) => !entries.includes("*"), "must name each folder by its whole path")
  .transform((entries) => entries.filter((entry) => entry !== "*"));

const gitToken = (entry: string) => {
  const [, host, path = "", file = ""] = /^([a-z\d.-]+(?::\d{1,5})?)(\/[^=\s]+)?\s*=\s*(\S.*)$/i.exec(entry) ?? [];
  if (host === undefined || !isAbsolute(file)) return undefined;
  return { where: `${host.toLowerCase()}${path.replace(/\/$/, "")}`, file };
};

/** Tokens of git servers: `github.com/acme=/run/secrets/github-token`. */
export const gitTokens = listOf("host/path=/path/to/file", gitToken)
  .refine((entries) => !entries.includes("*"), "must name each server as host/path=/path/to/file")
  .transform((entries) => entries.filter((entry) => entry !== "*"));

/** A comma-separated list. Problems name an entry by its position, not by its text. */
export function listOf<T>(forms: string, parse: (entry: string) => T | undefined) {
  return z.string().transform((text, context): readonly (T | "*")[] => {
    const entries = text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
    const parsed = entries.map((entry) => (entry === "*" ? "*" : parse(entry)));
    const wrong = parsed.indexOf(undefined);
    if (wrong >= 0) return refuse(context, `entry ${wrong + 1} must be ${forms}`);
    if (parsed.length === 0) return refuse(context, "must have at least one entry");
    return parsed.filter((entry) => entry !== undefined);
  });
}

function refuse(context: z.core.$RefinementCtx<string>, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
