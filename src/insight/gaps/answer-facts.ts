/** Gathers what deciding about an answer needs: whether its agent has knowledge bases, and the service's floor. */
import type { Lists } from "../../ports/access.ts";
import type { AgentService } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GapScope } from "../../ports/model/insight.ts";
import { soon } from "../../ports/tools/soon.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import type { AnswerFacts } from "./signals.ts";

/** Both are cached almost always. What is not known by then is unknown. */
const factsWithinMs = 300;

export function createAnswerFacts(deps: {
  readonly lists: Pick<Lists, "agents" | "knowledgeBases" | "agentElsewhere">;
  readonly service: Pick<AgentService, "profile">;
  readonly isSmallTalk: AnswerFacts["isSmallTalk"];
  readonly project: string;
  readonly clock: Pick<Clock, "after">;
}): (agent: GapScope["agent"]) => Promise<AnswerFacts> {
  const { lists, service, isSmallTalk, project, clock } = deps;

  async function hasBases(agent: GapScope["agent"]): Promise<boolean | undefined> {
    const found =
      agent.project === project
        ? (await lists.agents()).find(({ name }) => name === agent.name)
        : await lists.agentElsewhere(`${agent.project}.${agent.name}`);
    if (found === undefined) return undefined;
    const entries = found.knowledgeBases.map((entry) => splitName(entry, found.project));
    if (entries.some(({ name, ...of }) => name !== "*" || of.project !== project)) return true;
    // "*" stands for every knowledge base of the project, and there may be none.
    return entries.length > 0 && (await lists.knowledgeBases()).length > 0;
  }

  return async (agent) => {
    const [bases, profile] = await Promise.all([
      soon(hasBases(agent), factsWithinMs, clock),
      soon(service.profile(), factsWithinMs, clock),
    ]);
    return { hasBases: bases, floor: profile?.relevanceFloor, isSmallTalk };
  };
}
