/** `/kb create`: asks for a name and, optionally, for embedding and reranking models. */
import type { KnowledgeBase, KnowledgeBaseDraft } from "../../ports/agent-service.ts";
import {
  type CommandHandler,
  type FormHandler,
  fieldText,
  type OptionValues,
  textOption,
} from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action, FieldErrors, Form, FormField, FormValues } from "../../ports/document.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../ports/errors.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import {
  agentFormTexts,
  makingSentences,
  nameSentences,
  knowledgeBaseFormTexts as texts,
} from "../../presentation/sentences.ts";
import { createOnce } from "../once.ts";
import { isSafeName, safeName } from "../parsing/safe-name.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { recordContribution } from "./destination.ts";
import type { LetLook } from "./let-look.ts";

const fallback = "knowledge";
/** What fits into a button's value after "kb-use ". */
const maxButtonNameChars = 50;
const lostAnswers: readonly ErrorCode[] = ["service_unreachable", "service_busy", "service_not_understood"];

/** `letLook`: offers to connect what was created to an agent. */
export function knowledgeBaseForm(
  ports: CommandPorts,
  letLook: Pick<LetLook, "offer">,
): {
  readonly handler: CommandHandler;
  readonly form: FormHandler;
} {
  const { service, names, settings, audit, log } = ports;
  const { project } = settings;
  const once = createOnce();
  const taken = () => names.knowledgeBases().map(({ name }) => name);

  function form(options: OptionValues): Form {
    const given = textOption(options, "name");
    const { fields } = texts;
    const text = (name: "name" | "embedding" | "reranking"): FormField => ({
      name,
      ...fields[name],
      type: "text",
      maxChars: 200,
      isRequired: name === "name",
      initial: name === "name" && given !== undefined ? safeName(given, fallback) : undefined,
    });
    const models: readonly FormField[] = [
      text("embedding"),
      text("reranking"),
      { name: "key", ...fields.key, type: "secret", isRequired: false },
    ];
    return {
      id: "kb create",
      title: texts.title,
      submitLabel: agentFormTexts.create,
      fields: [text("name"), ...(names.ignored().includes("base-models") ? [] : models)],
      context: "",
    };
  }

  async function check(values: FormValues): Promise<FieldErrors | undefined> {
    const name = fieldText(values, "name");
    if (name === "") return { name: nameSentences.missing };
    if (!isSafeName(name)) return { name: nameSentences.notAllowed(safeName(name, fallback, taken())) };
    for (const field of ["embedding", "reranking"] as const) {
      const model = fieldText(values, field);
      if (model !== "" && modelOf(model, undefined) === undefined) return { [field]: texts.notAModel };
    }
    return undefined;
  }

  async function submit(values: FormValues, _formContext: string, context: CommandContext): Promise<CommandResult> {
    const name = fieldText(values, "name");
    if (!isSafeName(name)) throw new ParleyError("name_not_allowed");
    const key = fieldText(values, "key") || undefined;
    const embeddingModel = modelOf(fieldText(values, "embedding"), key);
    const rerankingModel = modelOf(fieldText(values, "reranking"), key);
    const draft: KnowledgeBaseDraft = { name, embeddingModel, rerankingModel };
    const shown = infoDocument(makingSentences.making(name), { tone: "running" });
    return once(`create ${name}`, draft, () => working(shown, log, () => make(draft, key, context)));
  }

  async function make(draft: KnowledgeBaseDraft, key: string | undefined, context: CommandContext) {
    const { name } = draft;
    const note = (outcome: "done" | "failed", code?: string) =>
      audit.record(context, {
        role: "manage",
        action: "kb create",
        about: { knowledgeBase: name },
        outcome,
        code,
      });
    try {
      const base = await createOrFind(draft);
      names.keepKnowledgeBase(base);
      await note("done");
      await recordContribution(ports, context, { project, knowledgeBase: name });
      const offer = await letLook.offer({ project, name }, context);
      const useHere: Action = {
        id: "confirm",
        label: texts.useHere,
        value: `kb-use ${name}`,
        style: offer?.action === undefined ? "primary" : "plain",
      };
      const actions = [
        ...(offer?.action === undefined ? [] : [offer.action]),
        ...(name.length > maxButtonNameChars ? [] : [useHere]),
      ];
      const said = [texts.made(name), ...(offer?.sentences ?? []), texts.useHereQuestion];
      return privately(infoDocument(said, { tone: "done", actions }));
    } catch (failure) {
      const error = toParleyError(failure);
      await note("failed", error.code);
      if (error.code === "name_taken") return privately(infoDocument(texts.taken(name), { tone: "failed" }));
      const why = failureSentences(error, key, false);
      return privately(infoDocument([makingSentences.notMade(name), ...why], { tone: "failed" }));
    }
  }

  /** After a lost response, checks whether the knowledge base exists now. */
  async function createOrFind(draft: KnowledgeBaseDraft): Promise<KnowledgeBase> {
    try {
      return await service.createKnowledgeBase(project, draft);
    } catch (failure) {
      const error = toParleyError(failure);
      if (!lostAnswers.includes(error.code)) throw error;
      const found = await service.getKnowledgeBase(project, draft.name).catch(() => undefined);
      if (found === undefined) throw error;
      return found;
    }
  }

  return {
    handler: {
      form,
      run: async (options) => {
        const name = textOption(options, "name");
        const value = name === undefined ? "kb create" : `kb create ${safeName(name, fallback).slice(0, 45)}`;
        return privately(infoDocument(agentFormTexts.openHere, { actions: [formButton(texts.openCreate, value)] }));
      },
    },
    form: { role: "manage", check, submit },
  };
}

/** "openai/text-embedding-3-small"; the model's own name may contain slashes too. */
function modelOf(text: string, apiKey: string | undefined): KnowledgeBaseDraft["embeddingModel"] {
  const at = text.indexOf("/");
  if (at <= 0 || at === text.length - 1) return undefined;
  const model = { provider: text.slice(0, at), modelName: text.slice(at + 1) };
  return apiKey === undefined ? model : { ...model, apiKey };
}
