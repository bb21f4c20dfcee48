/**
 * Limits and quirks of each generation of the service. Versions matter nowhere else. The numbers were measured: 25.x has
 * 40 request threads, half of which are left to other clients; in 26.x, three or more runs at once break each other.
 */
import type { ServiceProfile } from "../../ports/agent-service.ts";

type Generation = "25.x" | "26.x" | "local" | "unknown";

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
  local: {
    maxRuns: 50,
    closeStopsRun: true,
    plainWorks: true,
    urlSourcesSurvive: true,
    // Without a model it quotes.
    ignores: ["model", "tables", "instructions", "base-models"],
  },
  unknown: { maxRuns: 4, closeStopsRun: true, plainWorks: true, urlSourcesSurvive: true, ignores: [] },
};

/**
 * The built-in service with LOCAL_MODEL_URL: it reads no tables, all its models are of that endpoint, and a model takes
 * fewer questions at once.
 */
const withModel: Omit<ServiceProfile, Shared> = {
  ...profiles.local,
  maxRuns: 20,
  ignores: ["provider", "tables", "base-models"],
};

/** The profile for a body of `/api/status`. AGENT_MAX_RUNS overrides its `maxRuns`. */
export function profileOf(status: unknown, maxRuns: number | undefined): ServiceProfile {
  const version = versionOf(status);
  const generation = generationOf(version);
  const profile = generation === "local" && hasModel(status) ? withModel : profiles[generation];
  return { ...shared, generation, version, ...profile, maxRuns: maxRuns ?? profile.maxRuns };
}

function versionOf(status: unknown): string {
  if (typeof status !== "object" || status === null) return "";
  const fields = status as Readonly<Record<string, unknown>>;
  const version = fields["mindsdb_version"] ?? fields["version"];
  return typeof version === "string" ? version : "";
}

function hasModel(status: unknown): boolean {
  return typeof status === "object" && status !== null && "model" in status;
}

function generationOf(version: string): Generation {
  if (/^25\./.test(version)) return "25.x";
  if (/^26\./.test(version)) return "26.x";
  return /^(?:local|parley)\b/i.test(version) ? "local" : "unknown";
}
