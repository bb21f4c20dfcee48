/** `/agent create` and `/agent edit`: their forms and checks, and a button where a form can't open directly. */
import type { Agent } from "../../ports/agent-service.ts";
import { type CommandHandler, type FormHandler, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { FieldErrors, Form, FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { agentFormTexts, makingSentences, nameSentences } from "../../presentation/sentences.ts";
import { elsewhereOf, findAgentAnywhere, writtenName } from "../find-by-name.ts";
import { createOnce } from "../once.ts";
import { nearest } from "../parsing/nearest.ts";
import { isSafeName, safeName } from "../parsing/safe-name.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately, working } from "../results.ts";
import {
  type AgentFields,
  agentForm,
  editContextOf,
  fieldsOf,
  readAgentForm,
  readEdit,
  recentBase,
} from "./agent-form.ts";
import { missingData } from "./data-check.ts";
import { createFormDrafts, draftMark } from "./form-drafts.ts";
import { createFormSubmission } from "./form-submission.ts";
import { knownNameOfRef, nameOfRef, refOfName } from "./name-ref.ts";

/**
 * A platform shows a form as broken when its check takes longer than 3 s. Whatever isn't known by then is checked after
 * submission.
 */
const checkMs = 1_500;
/** A form must open within 1 s. */
const openMs = 800;
/** A button's value holds 60 characters, of which "agent create " takes 13. */
const maxOfferedChars = 45;
const nameFallback = "agent";

export function agentForms(ports: CommandPorts): {
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  readonly forms: Readonly<Record<string, FormHandler>>;
} {
  const { names, settings, log, clock } = ports;
  const { project: own } = settings;
  const drafts = createFormDrafts();
  const submission = createFormSubmission(ports, (fields) => drafts.keep(fields, clock.now()));
  const once = createOnce();

  /** The names of another project's agents aren't in memory. Undefined when they don't come in time. */
  async function takenIn(project: string): Promise<readonly string[] | undefined> {
    const agents =
      project === own ? names.agents() : await withTimeout(names.elsewhere.agentsOf(project), checkMs, clock);
    return agents?.map(({ name }) => name);
  }

  /** "shop.helper" typed as the name means the project shop, if there is one. */
  function withProject(fields: AgentFields): AgentFields & { readonly name: string } {
    const { name = "", project } = fields;
    const split = project === undefined || project === own ? names.elsewhere.split(name) : undefined;
    return { ...fields, ...(split ?? { name }) };
  }

  function createForm(options: OptionValues): Form {
    const typed = textOption(options, "name") ?? "";
    const draft = typed.startsWith(draftMark) ? drafts.get(typed) : undefined;
    const { project, name } = names.elsewhere.split(typed) ?? { project: undefined, name: typed };
    // The suggested name is already valid, so Create works immediately.
    const offered = name === "" || name.startsWith(draftMark) ? undefined : safeName(name, nameFallback);
    const base = recentBase(names, own, clock.now());
    const knowledgeBases = base === undefined ? undefined : [base];
    const fresh: AgentFields = { name: offered, project, knowledgeBases };
    return agentForm("create", names, own, draft ?? fresh, "");
  }

  /** A button may name what was entered before: "sales #draft". */
  function editedIn(options: OptionValues): { readonly ref: string; readonly draft: AgentFields } {
    const [, ref = "", id] = /^(.*?)(?: (#\w+))?$/s.exec(textOption(options, "name") ?? "") ?? [];
    return { ref, draft: (id === undefined ? undefined : drafts.get(id)) ?? {} };
  }

  /** Filled with what the agent has now, and on top of it with what was entered before. */
  function editForm(agent: Agent, draft: AgentFields): Form {
    const stored = fieldsOf(agent, own);
    return agentForm("edit", names, own, { ...stored, ...draft }, editContextOf(agent, stored, own));
  }

  function knownAgent(written: string | undefined): Agent | undefined {
    if (written === undefined) return undefined;
    const elsewhere = elsewhereOf(ports, written);
    if (elsewhere === undefined) return names.agent(written);
    return names.elsewhere
      .known()
      .find(({ project, name }) => project === elsewhere.project && name === elsewhere.name);
  }

  /** From memory. */
  function knownEditForm(options: OptionValues): Form | undefined {
    const { ref, draft } = editedIn(options);
    const agent = knownAgent(knownNameOfRef(ports, ref));
    return agent === undefined ? undefined : editForm(agent, draft);
  }

  /** With what the agent has now if the service says so in time: an older form could not be saved. */
  async function newestEditForm(options: OptionValues): Promise<Form | undefined> {
    const { ref, draft } = editedIn(options);
    const find = async () => findAgentAnywhere(ports, await nameOfRef(ports, ref));
    const agent = await withTimeout(find(), openMs, clock);
    return agent === undefined ? knownEditForm(options) : editForm(agent, draft);
  }

  /** Some inputs can't open a form (a message, or an agent that isn't cached yet). A button opens it instead. */
  function button(label: string, value: string): CommandResult {
    return privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(label, value)] }));
  }

  async function offerEdit(options: OptionValues): Promise<CommandResult> {
    const agent = await findAgentAnywhere(ports, await nameOfRef(ports, editedIn(options).ref));
    const written = writtenName(agent, own);
    return button(agentFormTexts.openEdit(written), `agent edit ${refOfName(written)}`);
  }

  function offerCreate(options: OptionValues): CommandResult {
    const typed = textOption(options, "name");
    if (typed === undefined) return button(agentFormTexts.openCreate, "agent create");
    const { project, name } = names.elsewhere.split(typed) ?? { project: own, name: typed };
    const written = writtenName({ project, name: safeName(name, nameFallback) }, own);
    const isFitting = written.length <= maxOfferedChars;
    const value = isFitting ? written : drafts.keep({ project, name: safeName(name, nameFallback) }, clock.now());
    return button(agentFormTexts.openCreate, `agent create ${value}`);
  }

  function nameError(name: string, taken: readonly string[]): FieldErrors | undefined {
    if (name === "") return { name: nameSentences.missing };
    if (!isSafeName(name)) return { name: nameSentences.notAllowed(safeName(name, nameFallback, taken)) };
    return undefined;
  }

  function projectError({ project = own }: AgentFields): FieldErrors | undefined {
    const projects = names.projects();
    if (project === own || projects.length === 0 || projects.includes(project)) return undefined;
    return { project: nameSentences.noProject(project, nearest(project, projects)) };
  }

  async function checkCreate(values: FormValues): Promise<FieldErrors | undefined> {
    const fields = withProject(readAgentForm(values));
    const wrong = projectError(fields);
    if (wrong !== undefined) return wrong;
    // A taken name isn't an error yet: it may be the same agent, created by a press whose response was lost.
    const taken = isSafeName(fields.name) ? [] : await takenIn(fields.project ?? own);
    return nameError(fields.name, taken ?? []) ?? (await missingData(ports, fields, checkMs));
  }

  async function checkEdit(values: FormValues, formContext: string): Promise<FieldErrors | undefined> {
    const edit = readEdit(formContext, readAgentForm(values), own);
    if (edit === undefined) return undefined;
    const { changed, agent } = edit;
    if (changed.name !== undefined) {
      const others = ((await takenIn(agent.project)) ?? []).filter((name) => name !== agent.name);
      const wrong = nameError(changed.name, others);
      if (wrong !== undefined) return wrong;
      if (others.includes(changed.name))
        return { name: nameSentences.taken(safeName(changed.name, nameFallback, others)) };
    }
    return missingData(ports, changed, checkMs);
  }

  async function submitCreate(values: FormValues, _formContext: string, context: CommandContext) {
    const fields = withProject(readAgentForm(values));
    if (!isSafeName(fields.name)) throw new ParleyError("name_not_allowed");
    if (projectError(fields) !== undefined) throw new ParleyError("project_not_found");
    const written = writtenName({ project: fields.project ?? own, name: fields.name }, own);
    const shown = infoDocument([makingSentences.making(written), makingSentences.makingLong], { tone: "running" });
    return once(`create ${written}`, fields, () => working(shown, log, () => submission.create(fields, context)));
  }

  async function submitEdit(values: FormValues, formContext: string, context: CommandContext) {
    const edit = readEdit(formContext, readAgentForm(values), own);
    if (edit === undefined) throw new ParleyError("command_invalid");
    const { agent, changed } = edit;
    const written = writtenName(agent, own);
    if (Object.keys(changed).length === 0) return privately(infoDocument(makingSentences.nothingChanged(written)));
    const shown = infoDocument(makingSentences.changing(written), { tone: "running" });
    return once(`edit ${written}`, edit, () => working(shown, log, () => submission.update(edit, context)));
  }

  return {
    handlers: {
      "agent create": { form: createForm, run: async (options) => offerCreate(options) },
      "agent edit": { form: knownEditForm, formIn: newestEditForm, run: offerEdit },
    },
    forms: {
      "agent create": { role: "manage", check: checkCreate, submit: submitCreate },
      "agent edit": { role: "manage", check: checkEdit, submit: submitEdit },
    },
  };
}
