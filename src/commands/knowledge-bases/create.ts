/** `/kb create`: asks for a name and, optionally, for embedding and reranking models. */

import { z } from "zod";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { FieldErrors, Form, Inline } from "../../core/document.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../core/errors.ts";
import type { KnowledgeBase, KnowledgeBaseDraft } from "../../core/ports/agent-service.ts";
import { bold, infoDocument, say } from "../../presentation/drawing.ts";
import { offerReader } from "../adding/connect-base.ts";
import { recordContribution } from "../adding/destination.ts";
import { offerToUseHere } from "../adding/use-here.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { drawForm, formHandler, secret, text } from "../form.ts";
import { isSafeName, safeName } from "../names/safe-name.ts";
import { formButton, privately, withOffer, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { agentFormTexts, makingSentences, nameSentences } from "../words.ts";
import { newName } from "./kb-words.ts";

const texts = {
  title: "New knowledge base",
  fields: {
    name: { label: "Name", hint: "Lower-case letters, digits and underscores, for example docs." },
    embedding: { label: "Embedding model", hint: "As provider/model. Leave empty for the default." },
    reranking: { label: "Reranking model", hint: "As provider/model. Leave empty for the default." },
    key: { label: "API key", hint: "API key for the models' provider. Leave empty to use the service's own." },
  },
  notAModel: "Write it as provider/model, for example openai/text-embedding-3-small.",
  openCreate: "New knowledge base",
  made: (name: string): Inline => say`Created knowledge base ${bold(name)}.`,
  taken: (name: string): Inline => say`There is already a knowledge base called ${bold(name)}.`,
} as const;

const fallback = "knowledge";
const lostAnswers: readonly ErrorCode[] = ["service_unreachable", "service_busy", "service_not_understood"];

const maxChars = 200;
const fields = z.object({
  name: text({ ...texts.fields.name, maxChars, isRequired: true }),
  embedding: text({ ...texts.fields.embedding, maxChars }),
  reranking: text({ ...texts.fields.reranking, maxChars }),
  key: secret(texts.fields.key),
});
type Filled = z.output<typeof fields>;

export const kbCreate: Command = {
  path: "kb create",
  summary: "Create a knowledge base",
  offer: "knowledge-bases",
  options: [newName],
  role: "manage",
  opensForm: true,
  examples: ["kb create docs"],
  form,
  run: async (_app, options) => {
    const name = textOption(options, "name");
    const value = name === undefined ? "kb create" : `kb create ${safeName(name, fallback).slice(0, 45)}`;
    return privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(texts.openCreate, value)] }));
  },
  forms: { "kb create": formHandler(fields, { role: "manage", check, submit }) },
};

const taken = (app: CommandApp) => app.names.knowledgeBases().map(({ name }) => name);

function form(app: CommandApp, options: OptionValues): Form {
  const given = textOption(options, "name");
  const about = { id: "kb create", title: texts.title, submitLabel: agentFormTexts.create, context: "" };
  const name = { initial: given === undefined ? undefined : safeName(given, fallback) };
  return app.names.ignored().includes("base-models")
    ? drawForm(fields, about, { name, embedding: "left out", reranking: "left out", key: "left out" })
    : drawForm(fields, about, { name });
}

async function check(app: CommandApp, values: Filled): Promise<FieldErrors | undefined> {
  const { name } = values;
  if (name === "") return { name: nameSentences.missing };
  if (!isSafeName(name)) return { name: nameSentences.notAllowed(safeName(name, fallback, taken(app))) };
  for (const field of ["embedding", "reranking"] as const) {
    const model = values[field];
    if (model !== "" && modelOf(model, undefined) === undefined) return { [field]: texts.notAModel };
  }
  return undefined;
}

async function submit(
  app: CommandApp,
  values: Filled,
  _formContext: string,
  context: CommandContext,
): Promise<CommandResult> {
  const { name } = values;
  if (!isSafeName(name)) throw new ParleyError("name_not_allowed");
  const key = values.key || undefined;
  const embeddingModel = modelOf(values.embedding, key);
  const rerankingModel = modelOf(values.reranking, key);
  const draft: KnowledgeBaseDraft = { name, embeddingModel, rerankingModel };
  const shown = infoDocument(makingSentences.making(name), { tone: "running" });
  return app.once(`create ${name}`, draft, () => working(shown, app.log, () => make(app, draft, key, context)));
}

async function make(app: CommandApp, draft: KnowledgeBaseDraft, key: string | undefined, context: CommandContext) {
  const { name } = draft;
  const note = (outcome: "done" | "failed", code?: string) =>
    app.audit.record(context, {
      role: "manage",
      action: "kb create",
      about: { knowledgeBase: name },
      outcome,
      code,
    });
  try {
    const base = await createOrFind(app, draft);
    app.names.keepKnowledgeBase(base);
    await note("done");
    await recordContribution(app, context, { project: app.settings.project, knowledgeBase: name });
    const made = { project: app.settings.project, name };
    const result = privately(infoDocument(texts.made(name), { tone: "done" }));
    return withOffer(
      withOffer(result, await offerReader(app, made, context)),
      await offerToUseHere(app, made, context.place),
    );
  } catch (failure) {
    const error = toParleyError(failure);
    await note("failed", error.code);
    if (error.code === "name_taken") return privately(infoDocument(texts.taken(name), { tone: "failed" }));
    const why = failureSentences(error, key, false);
    return privately(infoDocument([makingSentences.notMade(name), ...why], { tone: "failed" }));
  }
}

/** After a lost response, checks whether the knowledge base exists now. */
async function createOrFind(app: CommandApp, draft: KnowledgeBaseDraft): Promise<KnowledgeBase> {
  try {
    return await app.service.createKnowledgeBase(app.settings.project, draft);
  } catch (failure) {
    const error = toParleyError(failure);
    if (!lostAnswers.includes(error.code)) throw error;
    const found = await app.service.getKnowledgeBase(app.settings.project, draft.name).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** "openai/text-embedding-3-small"; the model's own name may contain slashes too. */
function modelOf(text: string, apiKey: string | undefined): KnowledgeBaseDraft["embeddingModel"] {
  const at = text.indexOf("/");
  if (at <= 0 || at === text.length - 1) return undefined;
  const model = { provider: text.slice(0, at), modelName: text.slice(at + 1) };
  return apiKey === undefined ? model : { ...model, apiKey };
}
