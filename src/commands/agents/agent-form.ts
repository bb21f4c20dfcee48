/**
 * Builds the agent form and reads what was submitted. A field that the platform didn't return, or that still has its
 * initial value, counts as unchanged. A changed one counts only if the agent still has what the form showed. So people
 * who change an agent at the same time don't undo each other.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Named } from "../../core/access.ts";
import type { Choice, Form, FormValues } from "../../core/document.ts";
import type { Agent, IgnoredField } from "../../core/ports/agent-service.ts";
import { parseJson } from "../../core/tools/parse-json.ts";

import { recentBases } from "../adding/recent-bases.ts";
import { drawForm, field, type Opening } from "../form.ts";
import type { NameCache } from "../names/name-cache.ts";
import { agentFormTexts as texts } from "../words.ts";
import type { AgentFields } from "./form-drafts.ts";

const says = {
  editTitle: "Edit agent",
  passagesFirst: "Parley sends the agent passages from these with each question.",
  quotesOnly: "The built-in agent quotes your documents. With LOCAL_MODEL_URL, a language model writes the answers.",
  defaultProvider: "The service's default",
  allKnowledgeBases: "All knowledge bases",
} as const;

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

/** As typed, trimmed. Another platform's list of one entry is a text too. */
const one = () =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === "string" ? value : value.join(" ")).trim())
    .optional();
const many = () =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => {
      const entries = [value].flat().flatMap((entry) => entry.split(/[,;\n]/));
      return [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ""))];
    })
    .optional();

const optional = { isRequired: false } as const;
const advanced = { isRequired: false, isAdvanced: true } as const;
const list = { type: "multiselect", choices: [], allowsFree: true } as const;
const fields = z.object({
  name: field(one(), { ...texts.fields.name, type: "text", maxChars: 63, isRequired: true }),
  project: field(one(), { ...texts.fields.project, ...optional, type: "select", choices: [] }),
  knowledgeBases: field(many(), { ...texts.fields.knowledgeBases, ...optional, ...list, completes: "knowledge-base" }),
  instructions: field(one(), { ...texts.fields.instructions, ...optional, type: "multiline" }),
  model: field(one(), { ...texts.fields.model, ...advanced, type: "text", maxChars: maxModelChars }),
  provider: field(one(), { ...texts.fields.provider, ...advanced, type: "text", maxChars: maxModelChars }),
  key: field(one(), { ...texts.fields.key, ...advanced, type: "secret" }),
  tables: field(many(), { ...texts.fields.tables, ...advanced, ...list, completes: "table" }),
});

const editContext = z.object({
  agent: z.string(),
  /** Absent for AGENT_PROJECT. */
  project: z.string().optional(),
  shown: z.record(z.string(), z.string()),
});

type FormOpening = NonNullable<Parameters<typeof drawForm<typeof fields>>[2]>;
const fieldNames = Object.keys(fields.shape) as readonly (keyof AgentFields)[];

/** What was submitted with an edit form. */
export type Edit = {
  readonly agent: Named;
  readonly changed: AgentFields;
  /** A digest of each field's initial value. */
  readonly shown: Readonly<Record<string, string>>;
};

/** Fields that the service ignores are left out. */
export function agentForm(
  kind: "create" | "edit",
  names: NameCache,
  project: string,
  initial: AgentFields,
  context: string,
): Form {
  // An agent that is set up elsewhere can only be told which knowledge bases to look in.
  const isSetUpHere = names.offers("agent-changes");
  const ignored = new Set(names.ignored().flatMap((part) => fieldsByPart[part]));
  const isShown = (name: keyof AgentFields) => (isSetUpHere ? !ignored.has(name) : name === "knowledgeBases");
  const basesHint = isSetUpHere ? says.quotesOnly : says.passagesFirst;
  const hasModel = isSetUpHere && !ignored.has("model");
  const of = (name: ShownField) => (initial[name]?.length === 0 ? undefined : initial[name]);
  const opening: Required<FormOpening> = {
    name: { initial: of("name") },
    project: kind === "create" ? openProject(names, initial.project ?? project) : "left out",
    knowledgeBases: {
      ...(hasModel ? {} : { hint: basesHint }),
      initial: of("knowledgeBases"),
      choices: withInitial(knowledgeBaseChoices(names, project), initial.knowledgeBases),
    },
    instructions: { initial: of("instructions") },
    model: { initial: of("model") },
    provider: { initial: of("provider"), ...openProvider(names, initial.provider) },
    key: kind === "edit" ? texts.fields.keptKey : {},
    tables: { initial: of("tables"), choices: withInitial(choicesOf(names.tables()), initial.tables) },
  };
  const hidden = fieldNames.filter((name) => !isShown(name)).map((name) => [name, "left out"]);
  const form = {
    id: `agent ${kind}`,
    title: kind === "create" ? texts.createTitle : says.editTitle,
    submitLabel: kind === "create" ? texts.create : texts.save,
    context,
  };
  return drawForm(fields, form, { ...opening, ...Object.fromEntries(hidden) });
}

/** Those that agents use already are offered; another can be typed. */
function openProvider(names: NameCache, initial: string | undefined): Opening {
  const used = names.agents().flatMap(({ model }) => model?.provider ?? []);
  const known = [...new Set(used.filter((provider) => provider !== ""))].sort().slice(0, maxProviders);
  if (known.length === 0) return {};
  const choices = [{ value: defaultProvider, label: says.defaultProvider }, ...choicesOf(known)];
  return { type: "select", choices, allowsFree: true, maxChars: undefined, initial: initial || defaultProvider };
}

/** Where there is only one project, nobody is asked. */
function openProject(names: NameCache, initial: string): Opening | "left out" {
  const projects = names.projects();
  return projects.length < 2 ? "left out" : { choices: withInitial(choicesOf(projects), [initial]), initial };
}

/** The newest knowledge base, if it is new and no agent reads it by name yet. From memory. */
export function recentBase(names: NameCache, project: string, nowMs: number): string | undefined {
  const read = new Set(names.agents().flatMap((agent) => agent.knowledgeBases));
  return recentBases(names, nowMs).find((name) => !read.has(name) && !read.has(`${project}.${name}`));
}

function knowledgeBaseChoices(names: NameCache, project: string): readonly Choice[] {
  const own = names.knowledgeBases().map(({ name }) => name);
  if (own.length === 0) return [];
  return [{ value: `${project}.*`, label: says.allKnowledgeBases }, ...choicesOf(own)];
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
  const read = fields.parse(values);
  const provider = read.provider === defaultProvider ? "" : read.provider;
  return { ...read, provider, project: read.project || undefined };
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
