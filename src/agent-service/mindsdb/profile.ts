/**
 * Limits and quirks of each generation of the service. Versions matter nowhere else. The numbers were measured: 25.x has
 * 40 request threads, half of which are left to other clients; in 26.x, three or more runs at once break each other.
 */
import { ParleyError } from "../../core/errors.ts";
import type { ServiceProfile } from "../../core/ports/agent-service.ts";

type Generation = "25.x" | "26.x" | "unknown";

type Shared = "dialect" | "generation" | "version" | "cancels" | "resumes" | "offers";

/** What all generations have in common. */
const shared: Pick<ServiceProfile, "dialect" | "cancels" | "resumes" | "offers"> = {
  dialect: "mindsdb",
  cancels: false,
  resumes: false,
  offers: ["agent-changes", "agent-bases", "knowledge-bases", "files", "sql", "projects"],
};

const profiles: Readonly<Record<Generation, Omit<ServiceProfile, Shared>>> = {
  "25.x": { maxRuns: 20, closeStopsRun: false, plainWorks: true, urlSourcesSurvive: true, ignores: [] },
  "26.x": { maxRuns: 2, closeStopsRun: false, plainWorks: false, urlSourcesSurvive: false, ignores: [] },
  unknown: { maxRuns: 4, closeStopsRun: true, plainWorks: true, urlSourcesSurvive: true, ignores: [] },
};

/** The profile for a body of `/api/status`. AGENT_MAX_RUNS overrides its `maxRuns`. */
export function profileOf(status: unknown, maxRuns: number | undefined): ServiceProfile {
  const version = versionOf(status);
  const generation = generationOf(version);
  const profile = profiles[generation];
  return { ...shared, generation, version, ...profile, maxRuns: maxRuns ?? profile.maxRuns };
}

function versionOf(status: unknown): string {
  if (typeof status !== "object" || status === null) return "";
  const fields = status as Readonly<Record<string, unknown>>;
  const version = fields["mindsdb_version"] ?? fields["version"];
  return typeof version === "string" ? version : "";
}

function generationOf(version: string): Generation {
  if (/^25\./.test(version)) return "25.x";
  return /^26\./.test(version) ? "26.x" : "unknown";
}

/**
 * The profile of now. It is read again after failures, because a restarted service may be of another generation. While
 * the service is too busy to answer, the cached profile stays valid.
 */
type ProfileCache = {
  readonly profile: () => Promise<ServiceProfile>;
  readonly refresh: (signal?: AbortSignal) => Promise<ServiceProfile>;
  /** Marks the profile for a new read if the failure is the service's. */
  readonly noteFailure: (thrown: unknown) => void;
};

/** Failures after which another service may be running at the URL. */
const doubtful = new Set(["service_unreachable", "service_failed", "service_not_understood", "stream_cut"]);

export function createProfileCache(read: (signal?: AbortSignal) => Promise<ServiceProfile>): ProfileCache {
  let known: ServiceProfile | undefined;
  let isInDoubt = true;
  let reading: Promise<ServiceProfile> | undefined;

  async function refresh(signal?: AbortSignal): Promise<ServiceProfile> {
    const profile = await read(signal);
    known = profile;
    isInDoubt = false;
    return profile;
  }

  return {
    profile: async () => {
      if (known !== undefined && !isInDoubt) return known;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      try {
        return await reading;
      } catch (thrown) {
        if (known !== undefined) return known;
        throw thrown;
      }
    },
    refresh,
    noteFailure: (thrown) => {
      if (thrown instanceof ParleyError && doubtful.has(thrown.code)) isInDoubt = true;
    },
  };
}
