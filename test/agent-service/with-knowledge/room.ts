/** A service that has agents only, beside a real built-in service with knowledge bases, composed as the program does. */
import { createServiceWithKnowledge, type Knowledge } from "../../../src/agent-service/agent-service.ts";
import { searchText } from "../../../src/agent-service/built-in/answering/question.ts";
import type { StoredBases } from "../../../src/agent-service/with-knowledge/agent-bases.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { AskOptions, ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { project } from "../../doubles/people.ts";
import { createAgentsOnly } from "../../doubles/service/agents-only.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { running } from "../built-in/running.ts";

export const model = "openai/gpt-4o:free";

export function keptBases(): KeyValue<StoredBases> {
  const kept = new Map<string, StoredBases>();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
    entries: async function* (prefix) {
      for (const entry of kept) if (entry[0].startsWith(prefix)) yield entry;
    },
  };
}

export async function openRoom(changes: { readonly store?: KeyValue<StoredBases> } = {}) {
  const main = createAgentsOnly();
  const local = await running();
  const counts = { starts: 0 };
  const service = createServiceWithKnowledge({
    main: main.service,
    knowledge: async (): Promise<Knowledge> => {
      counts.starts += 1;
      return { service: local.client, searchText, covers: local.client.coversIn };
    },
    store: changes.store ?? keptBases(),
    log: silentLog,
  });

  return {
    service,
    main,
    local,
    counts,
    /** A knowledge base with one row for each text; its title is the text's first line. */
    fill: async (name: string, texts: readonly string[]) => {
      await service.createKnowledgeBase(project, { name });
      const rows = texts.map((content, index) => ({
        id: `${name}-${index}`,
        content,
        title: content.split("\n")[0] ?? "",
        url: `https://example.com/${name}/${index}`,
      }));
      await service.insert(project, name, { rows });
    },
    look: (knowledgeBases: readonly string[]) => service.updateAgent(project, model, { knowledgeBases }),
    ask: async (question: string, before: readonly ServiceMessage[] = [], options: AskOptions = {}) => {
      const events: AgentEvent[] = [];
      const messages = [...before, { question, answer: "" }];
      for await (const event of service.ask(project, model, messages, options)) events.push(event);
      const sent = main.runs.at(-1);
      const sources = events.flatMap((event) => (event.type === "step-finished" ? event.sources : []));
      return { events, sent: sent?.question ?? "", messages: sent?.messages ?? [], sources };
    },
  };
}
