/** `/agent edit`: its form, what is wrong with it, and what it changes. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { FieldErrors, Form, FormValues, Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Agent, AgentDraft } from "../../core/ports/agent-service.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { checkOffer } from "../insight/check-offer.ts";
import { manualLeft, withoutManual } from "../ledger/own-manual.ts";
import { elsewhereOf, findAgentAnywhere, writtenName } from "../names/find-by-name.ts";
import { knownNameOfRef, nameOfRef, refOfName } from "../names/name-ref.ts";
import { safeName } from "../names/safe-name.ts";
import { formButton, privately, withOffer, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { agentFormTexts, makingSentences } from "../words.ts";
import {
  agentForm,
  changedMeanwhile,
  type Edit,
  editContextOf,
  fieldsOf,
  readAgentForm,
  readEdit,
  type ShownField,
} from "./agent-form.ts";
import { agentName, checkMs, nameError, nameFallback, openButton, recordChange, submitCheckMs } from "./agent-words.ts";
import { takenIn } from "./create.ts";
import { missingData } from "./data-check.ts";
import type { AgentFields } from "./form-drafts.ts";
import { editButton, tryAgent } from "./try-agent.ts";
import { aloneWithAgent, qualifiedBases, replaceAgent, updateAgent } from "./write-agent.ts";

/** What is wrong with a name in a form. */
const nameSentences = {
  taken: (suggestion: string): string => `That name is taken. Try ${suggestion}.`,
} as const;

/** Creating and editing, from the first word to the result. */
const says = {
  notChanged: (name: string): Inline => say`Couldn't update ${bold(name)}.`,
  changing: (name: string): Inline => say`Updating ${bold(name)}…`,
  changed: (name: string): Inline => say`Updated ${bold(name)}.`,
  renamed: (from: string, to: string): Inline => say`Renamed ${bold(from)} to ${bold(to)}.`,
  /** `labels`: of the fields, as the form shows them. */
  changedMeanwhile: (name: string, labels: readonly string[]): Inline =>
    say`Someone else changed ${bold(name)} while your form was open (${labels.join(", ")}). Nothing was saved.`,
  nowHas: (label: string, values: readonly string[]): string =>
    `${label} now: ${values.length === 0 ? "none" : values.join(", ")}`,
  openAgain: "Open the form again and check your changes before you save.",
  keyAgain: "Enter the API key again, too.",
  nothingChanged: (name: string): Inline => say`${bold(name)} is unchanged.`,
  keyLost: "The service didn't save the API key. Please enter it again.",
} as const;

/** A form must open within 1 s. */
const openMs = 800;
/** A button's value holds 60 characters, of which the command takes 11 and a draft's id 18. */
const maxRefChars = 31;

export const agentEdit: Command = {
  path: "agent edit",
  summary: "Edit an agent's model, knowledge and instructions",
  options: [agentName(true, "The agent")],
  role: "manage",
  opensForm: true,
  offer: "agent-bases",
  reduced: { without: "agent-changes", summary: "Choose the knowledge bases that an agent looks in" },
  examples: ["agent edit sales"],
  moreExamples: { offer: "projects", examples: ["agent edit shop.helper"] },
  form: knownEditForm,
  formIn: newestEditForm,
  run: offerEdit,
  forms: { "agent edit": { role: "manage", check: checkEdit, submit: submitEdit } },
};

/** A button may name what was entered before: "sales #draft". */
function editedIn(app: CommandApp, options: OptionValues): { readonly ref: string; readonly draft: AgentFields } {
  const [, ref = "", id] = /^(.*?)(?: (#\w+))?$/s.exec(textOption(options, "name") ?? "") ?? [];
  return { ref, draft: (id === undefined ? undefined : app.drafts.get(id)) ?? {} };
}

/** Filled with what the agent has now, and on top of it with what was entered before. */
function editForm(app: CommandApp, agent: Agent, draft: AgentFields): Form {
  const stored = fieldsOf(agent, app.settings.project);
  return agentForm(
    "edit",
    app.names,
    app.settings.project,
    { ...stored, ...draft },
    editContextOf(agent, stored, app.settings.project),
  );
}

function knownAgent(app: CommandApp, written: string | undefined): Agent | undefined {
  if (written === undefined) return undefined;
  const elsewhere = elsewhereOf(app, written);
  if (elsewhere === undefined) return app.names.agent(written);
  return app.names.elsewhere
    .known()
    .find(({ project, name }) => project === elsewhere.project && name === elsewhere.name);
}

/** From memory. */
function knownEditForm(app: CommandApp, options: OptionValues): Form | undefined {
  const { ref, draft } = editedIn(app, options);
  const agent = knownAgent(app, knownNameOfRef(app, ref));
  return agent === undefined ? undefined : editForm(app, agent, draft);
}

/** With what the agent has now if the service says so in time: an older form could not be saved. */
async function newestEditForm(app: CommandApp, options: OptionValues): Promise<Form | undefined> {
  const { ref, draft } = editedIn(app, options);
  const find = async () => findAgentAnywhere(app, await nameOfRef(app, ref));
  const agent = await withTimeout(find(), openMs, app.clock);
  return agent === undefined ? knownEditForm(app, options) : editForm(app, agent, draft);
}

async function offerEdit(app: CommandApp, options: OptionValues): Promise<CommandResult> {
  const agent = await findAgentAnywhere(app, await nameOfRef(app, editedIn(app, options).ref));
  const written = writtenName(agent, app.settings.project);
  return openButton(agentFormTexts.openEdit(written), `agent edit ${refOfName(written)}`);
}

async function checkEdit(app: CommandApp, values: FormValues, formContext: string): Promise<FieldErrors | undefined> {
  const edit = readEdit(formContext, readAgentForm(values), app.settings.project);
  if (edit === undefined) return undefined;
  const { changed, agent } = edit;
  if (changed.name !== undefined) {
    const others = ((await takenIn(app, agent.project)) ?? []).filter((name) => name !== agent.name);
    const wrong = nameError(changed.name, others);
    if (wrong !== undefined) return wrong;
    if (others.includes(changed.name))
      return { name: nameSentences.taken(safeName(changed.name, nameFallback, others)) };
  }
  return missingData(app, changed, checkMs);
}

async function submitEdit(app: CommandApp, values: FormValues, formContext: string, context: CommandContext) {
  const edit = readEdit(formContext, readAgentForm(values), app.settings.project);
  if (edit === undefined) throw new ParleyError("command_invalid");
  const { agent, changed } = edit;
  const written = writtenName(agent, app.settings.project);
  if (Object.keys(changed).length === 0) return privately(infoDocument(says.nothingChanged(written)));
  const shown = infoDocument(says.changing(written), { tone: "running" });
  return app.once(`edit ${written}`, edit, () => working(shown, app.log, () => updateFromForm(app, edit, context)));
}

async function updateFromForm(app: CommandApp, edit: Edit, context: CommandContext): Promise<CommandResult> {
  const { agent, changed } = edit;
  const written = writtenName(agent, app.settings.project);
  const wrong = await missingData(app, changed, submitCheckMs);
  if (wrong !== undefined) return notChanged(written, Object.values(wrong satisfies FieldErrors));
  let isManualLeft = false;
  const { before, result } = await aloneWithAgent(app, agent, async () => {
    const stored = await findAgentAnywhere(app, written);
    const meanwhile = changedMeanwhile(edit, fieldsOf(stored, app.settings.project));
    if (meanwhile.length > 0) return { before: stored, result: { kind: "changed", fields: meanwhile } as const };
    const changes = changesOf(app, stored, changed);
    const rest = withoutManual(stored, changes.knowledgeBases ?? [], app.settings);
    isManualLeft = rest !== undefined;
    const asked = rest === undefined ? changes : { ...changes, knowledgeBases: rest };
    return { before: stored, result: await updateAgent(app.service, agent.project, stored.name, asked) };
  });
  const about = { agent: written, changed: Object.keys(changed).join(", ") };
  await recordChange(
    app,
    "agent edit",
    changed.name === undefined ? about : { ...about, newName: changed.name },
    result,
    context,
  );
  switch (result.kind) {
    case "saved":
    case "already-there":
      return withOffer(
        withOffer(
          await updated(app, before, result.agent, changed, context),
          isManualLeft ? manualLeft(result.agent, app.settings) : undefined,
        ),
        await checkOffer(app, [result.agent], context),
      );
    case "changed":
      app.names.keepAgent(before);
      return notOverwritten(app, before, result.fields, changed);
    case "taken":
      return notChanged(written, [makingSentences.taken(changed.name ?? agent.name)]);
    case "failed":
      return notChanged(written, failureSentences(result.error, changed.key, result.isUnsure));
    default:
      return result satisfies never;
  }
}

/** What else was entered is kept for the next try, on top of what the agent has by then. */
function notOverwritten(
  app: CommandApp,
  stored: Agent,
  fields: readonly ShownField[],
  changed: AgentFields,
): CommandResult {
  const written = writtenName(stored, app.settings.project);
  const labels = fields.map(labelOf);
  const has = fieldsOf(stored, app.settings.project);
  const lists = fields.flatMap((field) => {
    const values = has[field];
    return typeof values === "object" ? [says.nowHas(labelOf(field), values)] : [];
  });
  const value = `agent edit ${refOfName(written, maxRefChars)} ${app.drafts.keep(changed, app.clock.now())}`;
  return privately(
    infoDocument(
      [
        says.changedMeanwhile(written, labels),
        ...lists,
        says.openAgain,
        ...(changed.key === undefined ? [] : [says.keyAgain]),
      ],
      { tone: "failed", actions: [formButton(agentFormTexts.openEdit(written), value)] },
    ),
  );
}

async function updated(app: CommandApp, before: Agent, agent: Agent, changed: AgentFields, context: CommandContext) {
  const [from, to] = [writtenName(before, app.settings.project), writtenName(agent, app.settings.project)];
  const isRenamed = from !== to;
  // Before the new name is cached: until the bindings move, nothing limits the renamed agent to its channels.
  if (isRenamed) await replaceAgent(app, before, agent.name);
  app.names.keepAgent(agent, before.name);
  const said = isRenamed ? says.renamed(from, to) : says.changed(to);
  const isKeyLost = before.model?.hasKey === true && agent.model?.hasKey !== true && changed.key === undefined;
  if (isKeyLost) return privately(infoDocument([said, says.keyLost], { tone: "partial", actions: [editButton(to)] }));
  const isOtherModel = changed.provider !== undefined || changed.model !== undefined || changed.key !== undefined;
  if (!isOtherModel) return privately(infoDocument(said, { tone: "done" }));
  return tryAgent(app, agent, said, [], context);
}

function notChanged(agent: string, why: readonly (string | Inline)[]): CommandResult {
  return privately(infoDocument([says.notChanged(agent), ...why], { tone: "failed", actions: [editButton(agent)] }));
}

/** Sends model and data complete, because a service that replaces them would lose the untouched parts. */
function changesOf(app: CommandApp, before: Agent, changed: AgentFields): Partial<AgentDraft> {
  const whole = { ...fieldsOf(before, app.settings.project), ...changed };
  const has = (...fields: readonly (keyof AgentFields)[]) => fields.some((field) => changed[field] !== undefined);
  const model = {
    provider: changed.provider ?? (whole.provider || undefined),
    name: changed.model ?? (whole.model || undefined),
    apiKey: changed.key,
  };
  const hasNewData = has("knowledgeBases", "tables");
  return {
    name: changed.name,
    model: has("provider", "model", "key") ? model : undefined,
    knowledgeBases: hasNewData ? qualifiedBases(whole.knowledgeBases ?? [], app.settings.project) : undefined,
    tables: hasNewData ? (whole.tables ?? []) : undefined,
    promptTemplate: changed.instructions,
  };
}

function labelOf(field: ShownField): string {
  return agentFormTexts.fields[field].label.replace(/^Advanced: /, "");
}
