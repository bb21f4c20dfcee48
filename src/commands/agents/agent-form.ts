/**
 * The form of an agent, and what was filled in. A field that a platform did not hand back was not changed; one that is
 * as it was shown was not changed either, so that two people who edit different fields do not undo each other.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Agent } from "../../ports/agent-service.ts";
import type { Choice, Form, FormField, FormValues } from "../../ports/document.ts";
import { agentFormTexts as texts } from "../../presentation/sentences.ts";
import type { NameCache } from "../name-cache.ts";

/** What was filled in; absent where the platform did not hand the field back. Blank text and empty lists stand for "none". */
export type AgentFields = {
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly key?: string;
  readonly knowledgeBases?: readonly string[];
  readonly tables?: readonly string[];
  readonly instructions?: string;
};

/** Everything but the key, which is never shown. */
export type ShownField = Exclude<keyof AgentFields, "key">;

const shownFields: readonly ShownField[] = ["name", "provider", "model", "knowledgeBases", "tables", "instructions"];

/** More than a platform shows at once; the rest is found by typing. */
const maxChoices = 100;
const maxModelChars = 200;

export function agentForm(
  kind: "create" | "edit",
  names: NameCache,
  project: string,
  initial: AgentFields,
  context: string,
): Form {
  const { fields } = texts;
  const text = (name: ShownField, maxChars: number): FormField => ({
    ...base(name),
    type: "text",
    maxChars,
    isRequired: name === "name",
  });
  const base = (name: keyof AgentFields) => {
    const value = name === "key" ? undefined : initial[name];
    const isEmpty = value === undefined || value.length === 0;
    return { name, ...fields[name], isRequired: false, ...(isEmpty ? {} : { initial: value }) };
  };
  return {
    id: `agent ${kind}`,
    title: kind === "create" ? texts.createTitle : texts.editTitle,
    submitLabel: kind === "create" ? texts.create : texts.save,
    fields: [
      text("name", 63),
      text("provider", maxModelChars),
      text("model", maxModelChars),
      { ...base("key"), ...(kind === "edit" ? fields.keptKey : {}), type: "secret" },
      {
        ...base("knowledgeBases"),
        type: "multiselect",
        choices: withInitial(knowledgeBaseChoices(names, project), initial.knowledgeBases),
        completes: "knowledge-base",
        allowsFree: true,
      },
      {
        ...base("tables"),
        type: "multiselect",
        choices: withInitial(choicesOf(names.tables()), initial.tables),
        completes: "table",
        allowsFree: true,
      },
      { ...base("instructions"), type: "multiline" },
    ],
    context,
  };
}

function knowledgeBaseChoices(names: NameCache, project: string): readonly Choice[] {
  const own = names.knowledgeBases().map(({ name }) => name);
  if (own.length === 0) return [];
  return [{ value: `${project}.*`, label: texts.allKnowledgeBases(project) }, ...choicesOf(own)];
}

function choicesOf(values: readonly string[]): readonly Choice[] {
  return values.slice(0, maxChoices).map((value) => ({ value, label: value }));
}

/** What is chosen already must be among the choices, or a platform refuses to show it as chosen. */
function withInitial(choices: readonly Choice[], initial: readonly string[] = []): readonly Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choicesOf(initial.filter((value) => !known.has(value))), ...choices].slice(0, maxChoices);
}

export function readAgentForm(values: FormValues): AgentFields {
  const text = (name: keyof AgentFields) => {
    const value = values[name];
    return value === undefined ? {} : { [name]: (typeof value === "string" ? value : value.join(" ")).trim() };
  };
  const list = (name: keyof AgentFields) => {
    const value = values[name];
    if (value === undefined) return {};
    const entries = (typeof value === "string" ? [value] : value).flatMap((entry) => entry.split(/[,;\n]/));
    return { [name]: [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ""))] };
  };
  return {
    ...text("name"),
    ...text("provider"),
    ...text("model"),
    ...text("key"),
    ...list("knowledgeBases"),
    ...list("tables"),
    ...text("instructions"),
  };
}

/** An agent as its form shows it; knowledge bases of the own project without the project's name. */
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

const editContext = z.object({ agent: z.string(), shown: z.record(z.string(), z.string()) });

/** What an edit form is about: the agent, and a digest of each field as it was shown. */
export function editContextOf(name: string, shown: AgentFields): string {
  const digests = Object.fromEntries(shownFields.map((field) => [field, digest(shown[field])]));
  return JSON.stringify({ agent: name, shown: digests } satisfies z.infer<typeof editContext>);
}

/** The agent that was edited and what was changed; undefined when the context is none of ours. */
export function readEdit(
  formContext: string,
  fields: AgentFields,
): { readonly agent: string; readonly changed: AgentFields } | undefined {
  const parsed = editContext.safeParse(parseJson(formContext));
  if (!parsed.success) return undefined;
  const { agent, shown } = parsed.data;
  const changed = Object.fromEntries(
    shownFields
      .filter((field) => fields[field] !== undefined && digest(fields[field]) !== shown[field])
      .map((field) => [field, fields[field]]),
  );
  return { agent, changed: { ...changed, ...(fields.key ? { key: fields.key } : {}) } };
}

function digest(value: string | readonly string[] | undefined): string {
  const text = typeof value === "object" ? [...value].sort().join("\n") : (value ?? "").replace(/\r\n/g, "\n").trim();
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
