/** What the built-in service can do. */
import type { ServiceProfile } from "../../core/ports/agent-service.ts";

/** `maxRuns`: AGENT_MAX_RUNS. With a language model (LOCAL_MODEL_URL) it takes fewer questions at once; all its models are of that endpoint. */
export function localProfile(hasModel: boolean, maxRuns = hasModel ? 20 : 50, failing?: string): ServiceProfile {
  return {
    dialect: "mindsdb",
    generation: "local",
    version: "local",
    closeStopsRun: true,
    cancels: false,
    resumes: false,
    offers: ["agent-changes", "agent-bases", "knowledge-bases", "files"],
    plainWorks: true,
    urlSourcesSurvive: true,
    maxRuns,
    failing,
    takesPictures: hasModel ? true : undefined,
    // Without a model it quotes.
    ignores: hasModel ? ["provider", "tables", "base-models"] : ["model", "tables", "instructions", "base-models"],
  };
}
