/**
 * Builds the agent form and reads what was submitted. A field that the platform didn't return, or that still has its
 * initial value, counts as unchanged. A changed one counts only if the agent still has what the form showed. So people
 * who change an agent at the same time don't undo each other.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Named } from "../../ports/access.ts";
import type { Agent, IgnoredField } from "../../ports/agent-service.ts";
import { allShown, type Choice, type Form, type FormField, type FormValues } from "../../ports/document.ts";
import { parseJson } from "../../ports/tools/parse-json.ts";
import { agentFormTexts as texts } from "../../presentation/sentences.ts";
import { recentBases } from "../knowledge-bases/recent-bases.ts";
import type { NameCache } from "../name-cache.ts";

/**
 * The submitted fields. A field is absent when the platform didn't return it; empty text and empty lists mean "none".
 */
export type AgentFields = {
  readonly name?: string;
  /** Only of a new agent. */
  readonly project?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly key?: string;
  readonly knowledgeBases?: readonly string[];
  readonly tables?: readonly string[];
  readonly instructions?: string;
};

/** Every field that an edit form shows: never the key. */
export type ShownField = Exclude<keyof AgentFields, "key" | "project">;

const shownFields: readonly ShownField[] = ["name", "knowledgeBases", "instructions", "model", "provider", "tables"];

/** Fields of the form by the field of an agent that a service may ignore. */
const fieldsByPart: Readonly<Record<IgnoredField, readonly (keyof AgentFields)[]>> = {
  model: ["model", "provider", "key"],
  provider: ["provider", "key"],
  tables: ["tables"],
  instructions: ["instructions"],
  "base-models": [],
};

/** More than a platform shows at once; typing finds the rest. */
const maxChoices = 100;
const maxModelChars = 200;
/** With the default, as many as are all shown. */
const maxProviders = 9;
/** A choice can't be empty. */
const defaultProvider = "default";

/** Fields that the service ignores are left out. */
export function agentForm(
  kind: "create" | "edit",
  names: NameCache,
  project: string,
  initial: AgentFields,
  context: string,
): Form {
  const { fields } = texts;
  const text = (name: ShownField, maxChars: number) => ({
    ...base(name),
    type: "text" as const,
    maxChars,
    isRequired: name === "name",
  });
  const base = <Name extends keyof AgentFields>(name: Name) => {
    const value = name === "key" ? undefined : initial[name];
    const initialValue = value?.length === 0 ? undefined : value;
    return { name, ...fields[name], isRequired: false, initial: initialValue };
  };
  // An agent that is set up elsewhere can only be told which knowledge bases to look in.
  const isSetUpHere = names.offers("agent-changes");
  const ignored = new Set(names.ignored().flatMap((part) => fieldsByPart[part]));
  const isShown = (name: keyof AgentFields) => (isSetUpHere ? !ignored.has(name) : name === "knowledgeBases");
  const bases = withInitial(knowledgeBaseChoices(names, project), initial.knowledgeBases);
  const tables = withInitial(choicesOf(names.tables()), initial.tables);
  const all: readonly (FormField & { readonly name: keyof AgentFields })[] = [
    text("name", 63),
    ...(kind === "create" ? projectField(names, initial.project ?? project) : []),
    {
      ...base("knowledgeBases"),
      ...(isSetUpHere && !ignored.has("model") ? {} : { hint: isSetUpHere ? texts.quotesOnly : texts.passagesFirst }),
      type: "multiselect",
      choices: bases,
      ...allShown("multiselect", bases),
      completes: "knowledge-base",
      allowsFree: true,
    },
    { ...base("instructions"), type: "multiline" },
    { ...text("model", maxModelChars), isAdvanced: true },
    providerField({ ...base("provider"), type: "text", maxChars: maxModelChars, isAdvanced: true }, names),
    { ...base("key"), ...(kind === "edit" ? fields.keptKey : {}), type: "secret", isAdvanced: true },
    {
      ...base("tables"),
      type: "multiselect",
      choices: tables,
      ...allShown("multiselect", tables),
      completes: "table",
      allowsFree: true,
      isAdvanced: true,
    },
  ];
  return {
    id: `agent ${kind}`,
    title: kind === "create" ? texts.createTitle : texts.editTitle,
    submitLabel: kind === "create" ? texts.create : texts.save,
    fields: all.filter(({ name }) => isShown(name)),
    context,
  };
}

type ProviderField = FormField & { readonly name: "provider" };

/** Those that agents use already are offered; another can be typed. */
function providerField(text: ProviderField, names: NameCache): ProviderField {
  const used = names.agents().flatMap(({ model }) => model?.provider ?? []);
  const known = [...new Set(used.filter((provider) => provider !== ""))].sort().slice(0, maxProviders);
  if (known.length === 0) return text;
  const choices = [{ value: defaultProvider, label: texts.defaultProvider }, ...choicesOf(known)];
  const { name, label, hint, isRequired, isAdvanced, initial = defaultProvider } = text;
  const about = { name, label, hint, isRequired, isAdvanced, initial };
  return { ...about, type: "select", choices, ...allShown("select", choices), allowsFree: true };
}

/** Where there is only one project, nobody is asked. */
function projectField(names: NameCache, initial: string): readonly (FormField & { readonly name: "project" })[] {
  const projects = names.projects();
  if (projects.length < 2) return [];
  const choices = withInitial(choicesOf(projects), [initial]);
  const field = {
    name: "project",
    ...texts.fields.project,
    isRequired: false,
    type: "select",
    choices,
    initial,
  } as const;
  return [{ ...field, ...allShown("select", choices) }];
}

/** The newest knowledge base, if it is new and no agent reads it by name yet. From memory. */
export function recentBase(names: NameCache, project: string, nowMs: number): string | undefined {
  const read = new Set(names.agents().flatMap((agent) => agent.knowledgeBases));
  return recentBases(names, nowMs).find((name) => !read.has(name) && !read.has(`${project}.${name}`));
}

function knowledgeBaseChoices(names: NameCache, project: string): readonly Choice[] {
  const own = names.knowledgeBases().map(({ name }) => name);
  if (own.length === 0) return [];
  return [{ value: `${project}.*`, label: texts.allKnowledgeBases(project) }, ...choicesOf(own)];
}

function choicesOf(values: readonly string[]): readonly Choice[] {
  return values.slice(0, maxChoices).map((value) => ({ value, label: value }));
}

/** Platforms refuse an initial value that isn't among the choices. */
function withInitial(choices: readonly Choice[], initial: readonly string[] = []): readonly Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choicesOf(initial.filter((value) => !known.has(value))), ...choices].slice(0, maxChoices);
}

export function readAgentForm(values: FormValues): AgentFields {
  const text = (name: keyof AgentFields) => {
    const value = values[name];
    return (typeof value === "object" ? value.join(" ") : value)?.trim();
  };
  const list = (name: keyof AgentFields) => {
    const value = values[name];
    if (value === undefined) return undefined;
    const entries = (typeof value === "string" ? [value] : value).flatMap((entry) => entry.split(/[,;\n]/));
    return [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ""))];
  };
  return {
    name: text("name"),
    project: text("project") || undefined,
    provider: text("provider") === defaultProvider ? "" : text("provider"),
    model: text("model"),
    key: text("key"),
    knowledgeBases: list("knowledgeBases"),
    tables: list("tables"),
    instructions: text("instructions"),
  };
}

/** The fields of an existing agent. Knowledge bases of AGENT_PROJECT appear without the project's name. */
export function fieldsOf(agent: Agent, project: string): AgentFields {
  const own = `${project}.`;
  return {
    name: agent.name,
    provider: agent.model?.provider ?? "",
    model: agent.model?.name ?? "",
    knowledgeBases: agent.knowledgeBases.map((name) =>
      name.startsWith(own) && name !== `${own}*` ? name.slice(own.length) : name,
    ),
    tables: agent.tables,
    instructions: agent.promptTemplate ?? "",
  };
}

const editContext = z.object({
  agent: z.string(),
  /** Absent for AGENT_PROJECT. */
  project: z.string().optional(),
  shown: z.record(z.string(), z.string()),
});

/** What was submitted with an edit form. */
export type Edit = {
  readonly agent: Named;
  readonly changed: AgentFields;
  /** A digest of each field's initial value. */
  readonly shown: Readonly<Record<string, string>>;
};

/** The context of an edit form: the agent, and a digest of what it has in each field. `own`: AGENT_PROJECT. */
export function editContextOf({ project, name }: Named, stored: AgentFields, own: string): string {
  const shown = Object.fromEntries(shownFields.map((field) => [field, digest(stored[field])]));
  const elsewhere = project === own ? {} : { project };
  return JSON.stringify({ agent: name, ...elsewhere, shown } satisfies z.infer<typeof editContext>);
}

/** The edited agent and its changed fields; undefined when the context isn't one of ours. */
export function readEdit(formContext: string, fields: AgentFields, own: string): Edit | undefined {
  const parsed = editContext.safeParse(parseJson(formContext));
  if (!parsed.success) return undefined;
  const { agent, project = own, shown } = parsed.data;
  const changed = Object.fromEntries(
    shownFields
      .filter((field) => fields[field] !== undefined && digest(fields[field]) !== shown[field])
      .map((field) => [field, fields[field]]),
  );
  return {
    agent: { project, name: agent },
    changed: fields.key ? { ...changed, key: fields.key } : changed,
    shown,
  };
}

/** The changed fields in which the agent has neither what the form showed nor what was entered. */
export function changedMeanwhile({ changed, shown }: Edit, stored: AgentFields): readonly ShownField[] {
  return shownFields.filter(
    (field) =>
      changed[field] !== undefined &&
      digest(stored[field]) !== shown[field] &&
      digest(stored[field]) !== digest(changed[field]),
  );
}

function digest(value: string | readonly string[] | undefined): string {
  const text = typeof value === "object" ? [...value].sort().join("\n") : (value ?? "").replace(/\r\n/g, "\n").trim();
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
