/** Grades an answer once, when its run has ended. */
import type { App } from "../app.ts";
import type { Named } from "../core/access.ts";
import { gradeOf } from "../core/model/grade.ts";
import type { TurnView } from "../core/model/turn.ts";
import { splitName } from "../core/tools/split-name.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import { sharesWords } from "./overheard/shares-words.ts";

/** The lists are cached almost always. What is not known by then is unknown. */
const factsWithinMs = 300;

/**
 * An end that is stored already keeps its grade. `knows`: looked up while the agent worked. `overheard`: the line, if it was
 * said to nobody.
 */
export async function graded(
  view: TurnView,
  agent: Named | undefined,
  app: App,
  { knows, overheard }: { readonly knows?: Promise<boolean | undefined> | undefined; readonly overheard?: string } = {},
): Promise<TurnView> {
  if (view.state !== "answered" || view.grade !== undefined) return view;
  const isElsewhere = overheard !== undefined && isAboutElse(view, overheard);
  // The answer alone decides it, almost always.
  const isTold =
    gradeOf(view, { hasKnowledge: true, isElsewhere }) === gradeOf(view, { hasKnowledge: false, isElsewhere });
  if (isTold || agent === undefined) return { ...view, grade: gradeOf(view, { hasKnowledge: undefined, isElsewhere }) };
  const known = await withTimeout(knows ?? hasKnowledge(agent, app), factsWithinMs, app.clock);
  return { ...view, grade: gradeOf(view, { hasKnowledge: known, isElsewhere }) };
}

/** What a service found first needn't answer anything. Without the words of its passages there is nothing to compare. */
function isAboutElse({ answer = "", sources }: TurnView, line: string): boolean {
  if (sources.length === 0 || sources.some(({ excerpt }) => excerpt === undefined)) return false;
  const found = sources.map(({ title, excerpt = "" }) => `${title} ${excerpt}`);
  return !sharesWords(line, [answer, ...found].join("\n"));
}

/** Whether that agent can look something up. Undefined: unknown. */
export async function hasKnowledge(agent: Named, { reach, settings }: App): Promise<boolean | undefined> {
  const { projects } = settings;
  const [project = agent.project] = projects.includes(agent.project) ? [agent.project] : projects;
  const lists = reach.lists(project);
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
