/** Checks of status, projects, agents, and the errors that names lead to. */
import { asked, type Check, expect, expectCode } from "./check.ts";

export const statusChecks: readonly Check[] = [
  {
    id: "status",
    says: "tells its version within 5 s",
    run: async ({ service }) => {
      const profile = await service.status();
      expect(profile.version !== "", "no version in /api/status");
    },
  },
  {
    id: "projects",
    says: "lists the project",
    run: async ({ service, project }) => {
      const projects = await service.listProjects();
      expect(projects.includes(project), `${project} is not among ${projects.join(", ")}`);
    },
  },
  {
    id: "data-sources",
    says: "lists data sources",
    run: async ({ service }) => {
      await service.listDataSources();
    },
  },
  {
    id: "project-unknown",
    says: "says that an unknown project is not found",
    run: async ({ service, names }) => {
      await expectCode(() => service.listAgents(names.unknown), "project_not_found");
      await expectCode(() => service.listKnowledgeBases(names.unknown), "project_not_found");
    },
  },
];

export const agentChecks: readonly Check[] = [
  {
    id: "agent-create",
    says: "makes an agent with a knowledge base and an instruction",
    run: async ({ service, project, names }) => {
      const made = await service.createAgent(project, {
        name: names.agent,
        knowledgeBases: [names.base],
        promptTemplate: "Answer from the knowledge base about birds.",
      });
      expect(made.name === names.agent, `it came back as ${made.name}`);
      expect(made.knowledgeBases.join() === `${project}.${names.base}`, `bound to ${made.knowledgeBases.join()}`);
      expect(made.createdAt !== undefined, "without a time of creation");
    },
  },
  {
    id: "agent-create-bare",
    says: "makes an agent from a name alone",
    run: async ({ service, project, names }) => {
      const made = await service.createAgent(project, { name: names.bareAgent });
      expect(made.knowledgeBases.length === 0, "it has knowledge bases that nobody gave it");
    },
  },
  {
    id: "agent-create-taken",
    says: "refuses a name that is taken",
    run: async ({ service, project, names }) => {
      await expectCode(() => service.createAgent(project, { name: names.agent }), "name_taken");
    },
  },
  {
    id: "agent-create-name",
    says: "refuses an agent's name in capitals",
    run: async ({ service, project, names }) => {
      const name = names.unknown.toUpperCase();
      try {
        await expectCode(() => service.createAgent(project, { name }), "name_not_allowed");
      } finally {
        await service.deleteAgent(project, name);
      }
    },
  },
  {
    id: "agent-list",
    says: "lists the agents of the project",
    run: async ({ service, project, names }) => {
      const agents = (await service.listAgents(project)).map((agent) => agent.name);
      expect(agents.includes(names.agent) && agents.includes(names.bareAgent), `only ${agents.join(", ")}`);
    },
  },
  {
    id: "agent-get",
    says: "gives one agent as it was made",
    run: async ({ service, project, names }) => {
      const agent = await service.getAgent(project, names.agent);
      expect(agent.promptTemplate === "Answer from the knowledge base about birds.", "another instruction came back");
    },
  },
  {
    id: "agent-unknown",
    says: "says that an unknown agent is not found: read, change",
    run: async ({ service, project, names }) => {
      await expectCode(() => service.getAgent(project, names.unknown), "agent_not_found");
      await expectCode(() => service.updateAgent(project, names.unknown, { promptTemplate: "x" }), "agent_not_found");
    },
  },
  {
    id: "agent-update",
    says: "changes what is given and keeps the rest",
    run: async ({ service, project, names }) => {
      const promptTemplate = "Answer shortly, from the knowledge base.";
      await service.updateAgent(project, names.agent, { promptTemplate });
      const agent = await service.getAgent(project, names.agent);
      expect(agent.promptTemplate === promptTemplate, "the instruction was not changed");
      expect(agent.knowledgeBases.length === 1, "the knowledge base was lost");
    },
  },
];

/** After the questions: what they asked is renamed and deleted here. */
export const agentEndChecks: readonly Check[] = [
  {
    id: "agent-rename",
    says: "renames an agent",
    run: async ({ service, project, names }) => {
      await service.updateAgent(project, names.agent, { name: names.renamedAgent });
      const agent = await service.getAgent(project, names.renamedAgent);
      expect(agent.knowledgeBases.length === 1, "the knowledge base was lost");
      await expectCode(() => service.getAgent(project, names.agent), "agent_not_found");
    },
  },
  {
    id: "agent-rename-bare",
    says: "renames an agent that has nothing but its name",
    run: async ({ service, project, names }) => {
      await service.updateAgent(project, names.bareAgent, { name: names.otherAgent });
      const agent = await service.getAgent(project, names.otherAgent);
      expect(agent.name === names.otherAgent, `it is called ${agent.name}`);
      await expectCode(() => service.getAgent(project, names.bareAgent), "agent_not_found");
    },
  },
  {
    id: "agent-delete",
    says: "deletes an agent; a second time changes nothing",
    run: async ({ service, project, names }) => {
      await service.deleteAgent(project, names.renamedAgent);
      await service.deleteAgent(project, names.renamedAgent);
      await expectCode(() => service.getAgent(project, names.renamedAgent), "agent_not_found");
    },
  },
  {
    id: "ask-unknown",
    says: "says before the stream that an agent or a project is not found",
    run: async ({ service, project, names }) => {
      const ask = async (inProject: string, agent: string) => {
        for await (const event of service.ask(inProject, agent, asked("Is anybody there?"))) {
          expect(event.type !== "answer", "an agent that does not exist answered");
        }
      };
      await expectCode(() => ask(project, names.unknown), "agent_not_found");
      await expectCode(() => ask(names.unknown, names.agent), "project_not_found");
    },
  },
];
