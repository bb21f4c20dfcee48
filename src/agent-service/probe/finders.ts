/** Looks for one kind of server each, by requests that never start a run. */

import { ParleyError } from "../../core/errors.ts";
import type { Dialect } from "../../core/ports/agent-service.ts";
import type { FoundServer } from "../dialect.ts";
import type { Looked } from "../http/request.ts";
import type { Places } from "./places.ts";
import * as signs from "./signs.ts";

export type Found = {
  readonly dialect: Dialect;
  /** As in DialectOptions. */
  readonly baseUrl: string;
  readonly server: FoundServer;
  /** The path whose answer told, or the setting. */
  readonly foundBy: string;
};

export type Look = {
  readonly get: (url: string) => Promise<Looked>;
  /** Posts a body that no server can read, so none can run it. */
  readonly postUnreadable: (url: string) => Promise<Looked>;
};

export type Finder = (look: Look, places: Places) => Promise<Found | undefined>;

export const unknownServer: FoundServer = { generation: "unknown", version: "" };

/** Its own client reads the generation, from the same answer. */
export const findMindsdb: Finder = async (look, { root }) => {
  const version = signs.mindsdbVersion(await look.get(`${root}/api/status`));
  if (version === undefined) return undefined;
  return mindsdbAt(root, "/api/status");
};

/** A service with the API of mindsdb, but not its undocumented `/api/status`. */
export const findBareMindsdb: Finder = async (look, { root }) => {
  const path = "/api/projects/";
  return signs.isProjectList(await look.get(`${root}${path}`)) ? mindsdbAt(root, path) : undefined;
};

export const findCowork: Finder = async (look, { root }) => {
  const version = signs.coworkVersion(await look.get(`${root}/api/v1/health/`));
  if (version === undefined) return undefined;
  const server = { generation: "cowork", version } as const;
  return { dialect: "responses", baseUrl: `${root}/api/v1`, server, foundBy: "/api/v1/health/" };
};

/** Whatever has the Responses API, else Chat Completions. */
export const findOpenAiLike: Finder = async (look, places) => {
  const listing = await findModelList(look, places);
  const apis = listing === undefined ? places.apis : [listing.baseUrl];
  const server = listing?.server ?? unknownServer;
  for (const baseUrl of apis) {
    if (!(await isRoute(look, baseUrl, "/responses"))) continue;
    const path = `${baseUrl}/responses`;
    return { dialect: "responses", baseUrl, server, foundBy: pathOf(listing?.path ?? path) };
  }
  if (listing !== undefined) {
    return { dialect: "chat", baseUrl: listing.baseUrl, server, foundBy: pathOf(listing.path) };
  }
  for (const baseUrl of apis) {
    const path = `${baseUrl}/chat/completions`;
    if (await isRoute(look, baseUrl, "/chat/completions"))
      return { dialect: "chat", baseUrl, server, foundBy: pathOf(path) };
  }
  return undefined;
};

/** The server that lists models, and where. Throws not_authorised if it shows them to no one without a key. */
export async function findModelList(
  look: Look,
  { root, apis }: Places,
): Promise<{ readonly baseUrl: string; readonly path: string; readonly server: FoundServer } | undefined> {
  for (const baseUrl of apis) {
    const path = `${baseUrl}/models`;
    const listed = await look.get(path);
    if (signs.isModelList(listed)) return { baseUrl, path, server: await serverOf(look, root, baseUrl, listed) };
    const isRefused = signs.wantsLogin(listed) || (listed.status === 500 && (await isLitellm(look, root)));
    if (isRefused) throw new ParleyError("not_authorised", { cause: new Error(`${pathOf(path)}: ${listed.status}`) });
  }
  return undefined;
}

/** Some servers refuse the body before they look at the path: what they say of a path that nobody has tells. */
async function isRoute(look: Look, baseUrl: string, path: string): Promise<boolean> {
  if (!signs.isRoute(await look.postUnreadable(`${baseUrl}${path}`))) return false;
  return !signs.isRoute(await look.postUnreadable(`${baseUrl}/none`));
}

async function serverOf(look: Look, root: string, baseUrl: string, listed: Looked): Promise<FoundServer> {
  if (signs.isOpenAi(listed) || new URL(root).hostname === "api.openai.com")
    return { generation: "openai", version: "" };
  if (!(await isLitellm(look, root))) return unknownServer;
  // It tells its version with responses only. There is none with that id.
  const version = signs.litellmVersion(await look.get(`${baseUrl}/responses/none`));
  return { generation: "litellm", version };
}

async function isLitellm(look: Look, root: string): Promise<boolean> {
  return signs.isAliveLitellm(await look.get(`${root}/health/liveliness`));
}

function mindsdbAt(baseUrl: string, foundBy: string): Found {
  return { dialect: "mindsdb", baseUrl, server: unknownServer, foundBy };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
