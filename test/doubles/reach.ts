/** Access for tests that compose their own parts: real bindings and a real store, with the service's current lists. */
import { createContributions } from "../../src/access/contributions.ts";
import { createReach } from "../../src/access/reach.ts";
import type { AppSettings } from "../../src/app.ts";
import type { Bindings, Lists } from "../../src/core/access.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { KeyValueFactory } from "../../src/core/ports/state.ts";
import { splitName } from "../../src/core/tools/split-name.ts";
import { appOf } from "./app.ts";
import { defaultSettings } from "./composition.ts";

export function reachOver(parts: {
  readonly bindings: Bindings;
  readonly service: Pick<AgentService, "listAgents" | "listKnowledgeBases">;
  readonly keyValue: KeyValueFactory;
  readonly clock: Partial<Clock>;
  readonly settings?: Partial<AppSettings>;
  readonly platform?: Pick<ChatPlatform, "isDirect" | "memberships" | "visibility">;
  readonly lists?: Lists;
}) {
  const { bindings, service, keyValue, clock, platform } = parts;
  const settings = { ...defaultSettings, ...parts.settings };
  const siteOf = platform === undefined ? undefined : () => ({ platform });
  const app = appOf({ keyValue, service, clock, settings, siteOf });
  const contributions = createContributions(app);
  const [project = ""] = settings.projects;
  const lists = parts.lists ?? {
    agents: () => service.listAgents(project),
    knowledgeBases: () => service.listKnowledgeBases(project),
    agentElsewhere: async (written: string) => {
      const { project: of, name } = splitName(written, project);
      const agents = of === project ? [] : await service.listAgents(of);
      return agents.find((agent) => agent.name === name);
    },
    renew: async () => undefined,
  };
  const reach = createReach(app, { bindings, lists: () => lists, contributions });
  return { reach, contributions };
}
