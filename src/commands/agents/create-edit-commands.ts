/** `/agent create` and `/agent edit`: their forms and checks, and a button where a form can't open directly. */
import { type CommandHandler, type FormHandler, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { FieldErrors, Form, FormValues } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { present } from "../../ports/tools/present.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { agentFormTexts, makingSentences, nameSentences } from "../../presentation/sentences.ts";
import { findAgent } from "../find-by-name.ts";
import { createOnce } from "../once.ts";
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
const nameFallback = "agent";

export function agentForms(ports: CommandPorts): {
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  readonly forms: Readonly<Record<string, FormHandler>>;
} {
  const { names, settings, log, clock } = ports;
  const { project } = settings;
  const drafts = createFormDrafts();
  const submission = createFormSubmission(ports, (fields) => drafts.keep(fields, clock.now()));
  const once = createOnce();

  const takenNames = () => names.agents().map(({ name }) => name);

  function createForm(options: OptionValues): Form {
    const name = textOption(options, "name") ?? "";
    const draft = name.startsWith(draftMark) ? drafts.get(name) : undefined;
    // The suggested name is already valid, so Create works immediately.
    const offered = name === "" || name.startsWith(draftMark) ? undefined : safeName(name, nameFallback);
    const base = recentBase(names, project, clock.now());
    const fresh: AgentFields = present({ name: offered, knowledgeBases: base === undefined ? undefined : [base] });
    return agentForm("create", names, project, draft ?? fresh, "");
  }

  function editForm(options: OptionValues): Form | undefined {
    const name = knownNameOfRef(ports, textOption(options, "name") ?? "");
    const agent = name === undefined ? undefined : names.agent(name);
    if (agent === undefined) return undefined;
    const fields = fieldsOf(agent, project);
    return agentForm("edit", names, project, fields, editContextOf(agent.name, fields));
  }

  /** Some inputs can't open a form (a message, or an agent that isn't cached yet). A button opens it instead. */
  function button(label: string, value: string): CommandResult {
    return privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(label, value)] }));
  }

  async function offerEdit(options: OptionValues): Promise<CommandResult> {
    const { name } = await findAgent(ports, await nameOfRef(ports, textOption(options, "name") ?? ""));
    return button(agentFormTexts.openEdit(name), `agent edit ${refOfName(name)}`);
  }

  function offerCreate(options: OptionValues): CommandResult {
    const name = textOption(options, "name");
    const value = name === undefined ? "agent create" : `agent create ${safeName(name, nameFallback).slice(0, 40)}`;
    return button(agentFormTexts.openCreate, value);
  }

  function nameError(name: string, taken: readonly string[]): FieldErrors | undefined {
    if (name === "") return { name: nameSentences.missing };
    if (!isSafeName(name)) return { name: nameSentences.notAllowed(safeName(name, nameFallback, taken)) };
    return undefined;
  }

  async function checkCreate(values: FormValues): Promise<FieldErrors | undefined> {
    const fields = readAgentForm(values);
    // A taken name isn't an error yet: it may be the same agent, created by a press whose response was lost.
    return nameError(fields.name ?? "", takenNames()) ?? (await missingData(ports, fields, checkMs));
  }

  async function checkEdit(values: FormValues, formContext: string): Promise<FieldErrors | undefined> {
    const edit = readEdit(formContext, readAgentForm(values));
    if (edit === undefined) return undefined;
    const { changed, agent } = edit;
    if (changed.name !== undefined) {
      const others = takenNames().filter((name) => name !== agent);
      const wrong = nameError(changed.name, others);
      if (wrong !== undefined) return wrong;
      if (others.includes(changed.name))
        return { name: nameSentences.taken(safeName(changed.name, nameFallback, others)) };
    }
    return missingData(ports, changed, checkMs);
  }

  async function submitCreate(values: FormValues, _formContext: string, context: CommandContext) {
    const fields = readAgentForm(values);
    const name = fields.name ?? "";
    if (!isSafeName(name)) throw new ParleyError("name_not_allowed");
    return once(`create ${name}`, fields, () =>
      working(infoDocument([makingSentences.making(name), makingSentences.makingLong], { tone: "running" }), log, () =>
        submission.create({ ...fields, name }, context),
      ),
    );
  }

  async function submitEdit(values: FormValues, formContext: string, context: CommandContext) {
    const fields = readAgentForm(values);
    const edit = readEdit(formContext, fields);
    if (edit === undefined) throw new ParleyError("command_invalid");
    const { agent, changed } = edit;
    if (Object.keys(changed).length === 0) return privately(infoDocument(makingSentences.nothingChanged(agent)));
    return once(`edit ${agent}`, changed, () =>
      working(infoDocument(makingSentences.changing(agent), { tone: "running" }), log, () =>
        submission.update(agent, changed, context),
      ),
    );
  }

  return {
    handlers: {
      "agent create": { form: createForm, run: async (options) => offerCreate(options) },
      "agent edit": { form: editForm, run: offerEdit },
    },
    forms: {
      "agent create": { role: "manage", check: checkCreate, submit: submitCreate },
      "agent edit": { role: "manage", check: checkEdit, submit: submitEdit },
    },
  };
}
