/** `/agent create`: its form, what is wrong with it, and the agent that comes of it. */
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, FieldErrors, Form, FormValues, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { bold, code, infoDocument, say } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { newName } from "../knowledge-bases/kb-words.ts";
import { writtenName } from "../names/find-by-name.ts";
import { refOfName } from "../names/name-ref.ts";
import { nearest } from "../names/nearest.ts";
import { isSafeName, safeName } from "../names/safe-name.ts";
import { formButton, privately, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { agentFormTexts, makingSentences, nameSentences } from "../words.ts";
import { agentForm, readAgentForm, recentBase } from "./agent-form.ts";
import { checkMs, nameError, nameFallback, openButton, recordChange, submitCheckMs } from "./agent-words.ts";
import { missingData } from "./data-check.ts";
import type { AgentFields } from "./form-drafts.ts";
import { draftMark } from "./form-drafts.ts";
import { tryAgent } from "./try-agent.ts";
import { createAgent, draftOf } from "./write-agent.ts";

/** Creating and editing, from the first word to the result. */
const says = {
  makingLong: "The service may test its model first, which can take a minute.",
  made: (name: string): Inline => say`Created ${bold(name)}.`,
  wasThere: (name: string): Inline => say`${bold(name)} already exists with these settings.`,
  useHere: "Use it here",
  freeName: (name: string): Inline => say`Try ${code(name)} instead.`,
  tryAgainInForm: "Edit and retry",
} as const;

/** A button's value holds 60 characters, of which "agent create " takes 13. */
const maxOfferedChars = 45;

export const agentCreate: Command = {
  path: "agent create",
  summary: "Create an agent",
  options: [newName],
  role: "manage",
  opensForm: true,
  offer: "agent-changes",
  examples: ["agent create", "agent create sales"],
  moreExamples: { offer: "projects", examples: ["agent create shop.helper"] },
  form: createForm,
  run: async (app, options) => offerCreate(app, options),
  forms: { "agent create": { role: "manage", check: checkCreate, submit: submitCreate } },
};

/** The names of another project's agents aren't in memory. Undefined when they don't come in time. */
export async function takenIn(app: CommandApp, project: string): Promise<readonly string[] | undefined> {
  const agents =
    project === app.settings.project
      ? app.names.agents()
      : await withTimeout(app.names.elsewhere.agentsOf(project), checkMs, app.clock);
  return agents?.map(({ name }) => name);
}

/** "shop.helper" typed as the name means the project shop, if there is one. */
function withProject(app: CommandApp, fields: AgentFields): AgentFields & { readonly name: string } {
  const { name = "", project } = fields;
  const split = project === undefined || project === app.settings.project ? app.names.elsewhere.split(name) : undefined;
  return { ...fields, ...(split ?? { name }) };
}

function createForm(app: CommandApp, options: OptionValues): Form {
  const typed = textOption(options, "name") ?? "";
  const draft = typed.startsWith(draftMark) ? app.drafts.get(typed) : undefined;
  const { project, name } = app.names.elsewhere.split(typed) ?? { project: undefined, name: typed };
  // The suggested name is already valid, so Create works immediately.
  const offered = name === "" || name.startsWith(draftMark) ? undefined : safeName(name, nameFallback);
  const base = recentBase(app.names, app.settings.project, app.clock.now());
  const knowledgeBases = base === undefined ? undefined : [base];
  const fresh: AgentFields = { name: offered, project, knowledgeBases };
  return agentForm("create", app.names, app.settings.project, draft ?? fresh, "");
}

function offerCreate(app: CommandApp, options: OptionValues): CommandResult {
  const typed = textOption(options, "name");
  if (typed === undefined) return openButton(agentFormTexts.openCreate, "agent create");
  const { project, name } = app.names.elsewhere.split(typed) ?? { project: app.settings.project, name: typed };
  const written = writtenName({ project, name: safeName(name, nameFallback) }, app.settings.project);
  const isFitting = written.length <= maxOfferedChars;
  const value = isFitting ? written : app.drafts.keep({ project, name: safeName(name, nameFallback) }, app.clock.now());
  return openButton(agentFormTexts.openCreate, `agent create ${value}`);
}

function projectError(app: CommandApp, { project = app.settings.project }: AgentFields): FieldErrors | undefined {
  const projects = app.names.projects();
  if (project === app.settings.project || projects.length === 0 || projects.includes(project)) return undefined;
  return { project: nameSentences.noProject(project, nearest(project, projects)) };
}

async function checkCreate(app: CommandApp, values: FormValues): Promise<FieldErrors | undefined> {
  const fields = withProject(app, readAgentForm(values));
  const wrong = projectError(app, fields);
  if (wrong !== undefined) return wrong;
  // A taken name isn't an error yet: it may be the same agent, created by a press whose response was lost.
  const taken = isSafeName(fields.name) ? [] : await takenIn(app, fields.project ?? app.settings.project);
  return nameError(fields.name, taken ?? []) ?? (await missingData(app, fields, checkMs));
}

async function submitCreate(app: CommandApp, values: FormValues, _formContext: string, context: CommandContext) {
  const fields = withProject(app, readAgentForm(values));
  if (!isSafeName(fields.name)) throw new ParleyError("name_not_allowed");
  if (projectError(app, fields) !== undefined) throw new ParleyError("project_not_found");
  const written = writtenName(
    { project: fields.project ?? app.settings.project, name: fields.name },
    app.settings.project,
  );
  const shown = infoDocument([makingSentences.making(written), says.makingLong], { tone: "running" });
  return app.once(`create ${written}`, fields, () =>
    working(shown, app.log, () => createFromForm(app, fields, context)),
  );
}

async function createFromForm(
  app: CommandApp,
  fields: AgentFields & { readonly name: string },
  context: CommandContext,
): Promise<CommandResult> {
  const agent = { project: fields.project ?? app.settings.project, name: fields.name };
  const written = writtenName(agent, app.settings.project);
  const wrong = await missingData(app, fields, submitCheckMs);
  if (wrong !== undefined) return notCreated(app, makingSentences.notMade(written), Object.values(wrong), fields);
  const result = await createAgent(app.service, agent.project, draftOf(fields, agent.name, app.settings.project));
  await recordChange(app, "agent create", { agent: written }, result, context);
  switch (result.kind) {
    case "saved":
    case "already-there": {
      app.names.keepAgent(result.agent);
      const said = result.kind === "saved" ? says.made(written) : says.wasThere(written);
      return tryAgent(app, result.agent, said, [useHere(written)], context);
    }
    case "taken": {
      const free = safeName(agent.name, agent.name, [agent.name, ...(await namesIn(app, agent.project))]);
      const why = [says.freeName(writtenName({ ...agent, name: free }, app.settings.project))];
      return notCreated(app, makingSentences.taken(written), why, { ...fields, name: free });
    }
    case "failed":
      return notCreated(
        app,
        makingSentences.notMade(written),
        failureSentences(result.error, fields.key, result.isUnsure),
        fields,
      );
    default:
      return result satisfies never;
  }
}

async function namesIn(app: CommandApp, project: string): Promise<readonly string[]> {
  const agents =
    project === app.settings.project ? app.names.agents() : await app.names.elsewhere.agentsOf(project).catch(() => []);
  return agents.map(({ name }) => name);
}

/** Offers a button that reopens the form as it was, without the key. */
function notCreated(
  app: CommandApp,
  said: Inline,
  why: readonly (string | Inline)[],
  fields: AgentFields,
): CommandResult {
  const action = formButton(says.tryAgainInForm, `agent create ${app.drafts.keep(fields, app.clock.now())}`);
  return privately(infoDocument([said, ...why], { tone: "failed", actions: [action] }));
}

/** `name`: as written. */
function useHere(name: string): Action {
  return { id: "use-agent", label: says.useHere, value: refOfName(name), style: "primary" };
}
