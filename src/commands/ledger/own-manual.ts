/**
 * Parley's own manual leaves an agent that gets its first other knowledge base: from then on the team asks about that.
 */
import type { Named } from "../../core/access.ts";
import type { Action, Inline } from "../../core/document.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";
import { bold, say } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";
import { refOfNamed } from "../names/name-ref.ts";
import { readerSentences } from "../words.ts";

/** Which agents look in a knowledge base, and letting another one look. */
const says = {
  manualLeft: (agent: string, manual: string): Inline =>
    say`${bold(agent)} no longer looks in ${bold(manual)}, which is Parley's own manual.`,
} as const;

type Settings = Pick<CommandApp["settings"], "project" | "ownDocsBase">;

/** `bases`: what the agent is to look in. Undefined: the manual stays, or was not there. */
export function withoutManual(
  before: Pick<Agent, "project" | "knowledgeBases">,
  bases: readonly string[],
  { project: own, ownDocsBase }: Settings,
): readonly string[] | undefined {
  const isManual = (entry: string) => {
    const { project, name } = splitName(entry, before.project);
    return project === own && name === ownDocsBase;
  };
  const others = bases.filter((entry) => !isManual(entry));
  const hadOnlyManual = before.knowledgeBases.length > 0 && before.knowledgeBases.every(isManual);
  return hadOnlyManual && others.length > 0 && others.length < bases.length ? others : undefined;
}

/** Says that it left, with a button that connects it again. */
export function manualLeft(
  agent: Named,
  { project, ownDocsBase = "" }: Settings,
): { readonly sentences: readonly Inline[]; readonly actions: readonly Action[] } {
  const value = [{ project, name: ownDocsBase }, agent].map((named) => refOfNamed(named, project)).join(" ");
  const label = readerSentences.connectBase(agent.name, ownDocsBase);
  return {
    sentences: [says.manualLeft(agent.name, ownDocsBase)],
    actions: [{ id: "connect-base", label, value, style: "plain" }],
  };
}
