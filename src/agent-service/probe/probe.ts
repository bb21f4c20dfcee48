/** Finds out which dialect the service speaks, and which server it is, unless a setting fixes the dialect. */

import { ParleyError } from "../../core/errors.ts";
import type { Dialect } from "../../core/ports/agent-service.ts";
import { type DialectOptions, defaultLimits } from "../dialect.ts";
import { createHttp, type Http, type HttpRequest, type Looked } from "../http/request.ts";
import {
  type Finder,
  type Found,
  findBareMindsdb,
  findCowork,
  findMindsdb,
  findModelList,
  findOpenAiLike,
  type Look,
  unknownServer,
} from "./finders.ts";
import { type Places, placesOf } from "./places.ts";

export type { Found } from "./finders.ts";

export type ProbeOptions = Omit<DialectOptions, "server"> & {
  /** AGENT_SERVICE_KIND. */
  readonly kind?: Dialect;
};

export type Probe = {
  /** What was found before is looked for first. Throws what `AgentService.status` throws. */
  readonly find: (before?: Found, signal?: AbortSignal) => Promise<Found>;
  readonly close: () => Promise<void>;
};

const maxTriedChars = 600;

export function createProbe(options: ProbeOptions): Probe {
  const kind = options.kind ?? (options.user === undefined ? undefined : "mindsdb");
  // No other dialect has a login with a user.
  const setting = options.kind === undefined ? "AGENT_SERVICE_USER" : "AGENT_SERVICE_KIND";
  const places = placesOf(options.baseUrl);
  const http = openHttp(options);

  async function find(before?: Found, signal?: AbortSignal): Promise<Found> {
    const tried: string[] = [];
    const look = createLook(http, signal, (path, status) => tried.push(`${path} (${status})`));
    if (kind !== undefined) return { ...(await fixedAs(kind, look, places)), foundBy: setting };
    for (const finder of findersAfter(before)) {
      const found = await finder(look, places);
      if (found !== undefined) return found;
    }
    throw new ParleyError("service_not_understood", {
      what: "The agent service speaks no API that Parley knows.",
      hint: `Check AGENT_SERVICE_URL, or set AGENT_SERVICE_KIND. Tried: ${tried.join(", ").slice(0, maxTriedChars)}.`,
    });
  }

  return { find, close: http.close };
}

function findersAfter(before: Found | undefined): readonly Finder[] {
  // Last, because it believes more than the others.
  const others = [findMindsdb, findCowork, findOpenAiLike, findBareMindsdb];
  if (before === undefined) return others;
  const first = finderOf(before);
  return [first, ...others.filter((finder) => finder !== first)];
}

function finderOf({ dialect, server, foundBy }: Found): Finder {
  if (dialect === "mindsdb") return foundBy === "/api/status" ? findMindsdb : findBareMindsdb;
  return server.generation === "cowork" ? findCowork : findOpenAiLike;
}

/** The setting is believed. Only where the API begins is looked for, and which server it is. */
async function fixedAs(kind: Dialect, look: Look, places: Places): Promise<Omit<Found, "foundBy">> {
  const { root, apis } = places;
  if (kind === "mindsdb") return { dialect: kind, baseUrl: root, server: unknownServer };
  const cowork = kind === "responses" ? await findCowork(look, places) : undefined;
  if (cowork !== undefined) return cowork;
  const listing = await findModelList(look, places).catch((thrown: unknown) => {
    // It is the dialect's to say what a refused key means.
    if (thrown instanceof ParleyError && thrown.code === "not_authorised") return undefined;
    throw thrown;
  });
  const [likeliest] = apis;
  const { baseUrl, server } = listing ?? { baseUrl: likeliest, server: unknownServer };
  return { dialect: kind, baseUrl, server };
}

function createLook(
  http: Http,
  signal: AbortSignal | undefined,
  onLooked: (path: string, status: number) => void,
): Look {
  async function look(request: HttpRequest): Promise<Looked> {
    const looked = await http.look(request);
    onLooked(request.path, looked.status);
    // A proxy whose service is down, and a service that has no time: what it is can be found out later.
    if (looked.status >= 502 && looked.status <= 504) throw new ParleyError("service_unreachable");
    if (looked.status === 429) throw new ParleyError("service_busy");
    return looked;
  }
  const shared = { subject: "status", signal } as const;
  return {
    get: (url) => look({ ...shared, method: "GET", path: new URL(url).pathname }),
    postUnreadable: (url) => look({ ...shared, method: "POST", path: new URL(url).pathname, text: "{" }),
  };
}

function openHttp({ baseUrl, token, proxy, clock, limits }: ProbeOptions): Http {
  const { connectMs, statusMs } = { ...defaultLimits, ...limits };
  const errorOf = () => new ParleyError("service_not_understood");
  const { origin } = new URL(baseUrl);
  return createHttp({ baseUrl: origin, token, proxy, connectMs, requestMs: statusMs, clock, errorOf });
}
