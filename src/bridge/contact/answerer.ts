/** Finds out who answers in a place: which agent, and what it looks in. */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import { toParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";

export type WhoAnswers =
  | { readonly kind: "agent"; readonly agent: Named; readonly bases: readonly Named[] }
  | { readonly kind: "gone"; readonly agent: Named }
  | { readonly kind: "choose" }
  | { readonly kind: "none" };

/** Undefined: it doesn't exist. */
async function agentOf(app: App, { project, name }: Named): Promise<Agent | undefined> {
  const { reach, service, settings } = app;
  if (project !== settings.project) {
    return service.getAgent(project, name).catch((failure: unknown) => {
      const { code } = toParleyError(failure);
      if (code === "agent_not_found" || code === "project_not_found") return undefined;
      throw failure;
    });
  }
  const listed = async () => (await reach.lists.agents()).find((agent) => agent.name === name);
  const known = await listed();
  if (known !== undefined) return known;
  // It may be newer than the list.
  await reach.lists.renew();
  return listed();
}

/** "*" stands for every knowledge base of a project. */
async function basesOf(app: App, { knowledgeBases, project }: Agent): Promise<readonly Named[]> {
  const { reach, service, settings } = app;
  const named = await Promise.all(
    knowledgeBases.map(async (entry): Promise<readonly Named[]> => {
      const base = splitName(entry, project);
      if (base.name !== "*") return [base];
      return base.project === settings.project
        ? reach.lists.knowledgeBases()
        : service.listKnowledgeBases(base.project);
    }),
  );
  const all = named.flat().map((base): [string, Named] => [`${base.project}.${base.name}`, base]);
  return [...new Map(all).values()];
}

export async function findAnswerer(app: App, actor: Actor, place: Place): Promise<WhoAnswers> {
  const { reach } = app;
  const resolved = await reach.resolve(actor, place);
  if (resolved.kind !== "bound") return { kind: resolved.kind };
  const agent = { project: resolved.binding.project, name: resolved.binding.agent };
  try {
    const found = await agentOf(app, agent);
    return found === undefined ? { kind: "gone", agent } : { kind: "agent", agent, bases: await basesOf(app, found) };
  } catch {
    // The service is down, but the choice is known.
    return { kind: "agent", agent, bases: [] };
  }
}
