/**
 * Limits and quirks of each generation of the service. Versions matter nowhere else. The numbers were measured: 25.x has
 * 40 request threads, half of which are left to other clients; in 26.x, three or more runs at once break each other.
 */
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
