/** Limits and abilities of each server that speaks the Responses shape. Names of servers matter nowhere else. */
import type { ServiceProfile } from "../../core/ports/agent-service.ts";
import type { FoundServer } from "../dialect.ts";

type Differing = Pick<ServiceProfile, "maxRuns" | "closeStopsRun" | "cancels" | "resumes" | "offers" | "plainWorks">;

/**
 * Stateless: every request brings its history, and closing the stream stops the run. `background` would make runs
 * outlive the connection; it is not used, because OpenAI then stores each one and starts it later, and LiteLLM ignores
 * the word.
 */
function stateless(maxRuns: number): Differing {
  return { maxRuns, closeStopsRun: true, cancels: false, resumes: false, offers: [], plainWorks: true };
}

/** Runs at once: 50 were fine with LiteLLM (2026-11-22). An unknown server may be a laptop. */
const ofStandardServers: Readonly<Partial<Record<ServiceProfile["generation"], Differing>>> = {
  openai: stateless(20),
  litellm: stateless(20),
};

/** Eight open streams lock cowork-server, and the health check with them (2026-11-22): each takes two connections. */
const ofCowork: Differing = {
  maxRuns: 4,
  closeStopsRun: false,
  cancels: true,
  resumes: true,
  offers: ["projects"],
  // Without a stream nobody could stop or read on what it does.
  plainWorks: false,
};

/** AGENT_MAX_RUNS overrides `maxRuns`. */
export function profileOf(server: FoundServer | undefined, maxRuns: number | undefined): ServiceProfile {
  const { generation = "unknown", version = "" } = server ?? {};
  const differing = generation === "cowork" ? ofCowork : (ofStandardServers[generation] ?? stateless(4));
  return {
    dialect: "responses",
    generation,
    version,
    ...differing,
    maxRuns: maxRuns ?? differing.maxRuns,
    urlSourcesSurvive: true,
    ignores: [],
  };
}
