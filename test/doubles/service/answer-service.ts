/**
 * An agent service whose agent looks in one knowledge base, which takes rows: for tests that add answers. An answer
 * without a source is a gap there.
 */
import type { AgentService, Insert } from "../../../src/core/ports/agent-service.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { until } from "../until.ts";

export function takesAnswers(): { readonly service: Partial<AgentService>; readonly rows: () => string } {
  const inserted: Insert[] = [];
  return {
    service: {
      listAgents: async (project) => [agentIn(project)],
      getAgent: async (project) => agentIn(project),
      listKnowledgeBases: async (project) => [{ name: "handbook", project }],
      getKnowledgeBase: async (project, name) => ({ name, project }),
      insert: async (_project, _knowledgeBase, what) => void inserted.push(what),
      deleteRows: async () => undefined,
    },
    rows: () => JSON.stringify(inserted),
  };
}

const agentIn = (project: string) => ({ name: "guide", project, tables: [], knowledgeBases: ["handbook"] });

export async function untilGap(collection: CollectionFactory): Promise<void> {
  await until("a gap", async () => {
    for await (const _gap of gapsIn({ collection }).entries()) return true;
    return false;
  });
}
