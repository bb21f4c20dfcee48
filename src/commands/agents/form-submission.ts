/** Creates or edits an agent from a submitted form, tests it, reports the result and audits it. */
import type { Agent, AgentDraft } from "../../ports/agent-service.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action, FieldErrors, Inline } from "../../ports/document.ts";
import { present } from "../../ports/tools/present.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { makingSentences } from "../../presentation/sentences.ts";
import { findAgent } from "../find-by-name.ts";
import { safeName } from "../parsing/safe-name.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { type AgentFields, fieldsOf } from "./agent-form.ts";
import { createAgent, draftOf, updateAgent, type WriteResult } from "./create-or-update.ts";
import { missingData } from "./data-check.ts";
import { refOfName } from "./name-ref.ts";
import { replaceAgent } from "./replace-agent.ts";
import { editButton, tryAgent } from "./try-agent.ts";

/** The form is closed by now, so the service gets the time that one of its lists may take. */
const checkMs = 20_000;

/** `keepDraft` stores the submitted fields and returns their id, for a button that reopens the form. */
export function createFormSubmission(ports: CommandPorts, keepDraft: (fields: AgentFields) => string) {
  const { service, names, settings, audit } = ports;
  const { project } = settings;

  async function create(
    fields: AgentFields & { readonly name: string },
    context: CommandContext,
  ): Promise<CommandResult> {
    const { name } = fields;
    const wrong = await missingData(ports, fields, checkMs);
    if (wrong !== undefined) return notCreated(makingSentences.notMade(name), Object.values(wrong), fields);
    const result = await createAgent(service, project, draftOf(fields, name));
    await record("agent create", { agent: name }, result, context);
    switch (result.kind) {
      case "saved":
      case "already-there": {
        names.keepAgent(result.agent);
        const said = result.kind === "saved" ? makingSentences.made(name) : makingSentences.wasThere(name);
        return tryAgent(ports, result.agent, said, [useHere(name)], context);
      }
      case "taken": {
        const free = safeName(name, name, [name, ...names.agents().map((agent) => agent.name)]);
        return notCreated(makingSentences.taken(name), [makingSentences.freeName(free)], { ...fields, name: free });
      }
      case "failed":
        return notCreated(
          makingSentences.notMade(name),
          failureSentences(result.error, fields.key, result.isUnsure),
          fields,
        );
      default:
        return result satisfies never;
    }
  }

  async function update(agent: string, changed: AgentFields, context: CommandContext): Promise<CommandResult> {
    const before = await findAgent(ports, agent);
    const wrong = await missingData(ports, changed, checkMs);
    if (wrong !== undefined) return notChanged(agent, Object.values(wrong satisfies FieldErrors));
    const result = await updateAgent(service, project, agent, changesOf(before, changed));
    const about = { agent, changed: Object.keys(changed).join(", ") };
    await record(
      "agent edit",
      changed.name === undefined ? about : { ...about, newName: changed.name },
      result,
      context,
    );
    switch (result.kind) {
      case "saved":
      case "already-there":
        return updated(before, result.agent, changed, context);
      case "taken":
        return notChanged(agent, [makingSentences.taken(changed.name ?? agent)]);
      case "failed":
        return notChanged(agent, failureSentences(result.error, changed.key, result.isUnsure));
      default:
        return result satisfies never;
    }
  }

  async function updated(before: Agent, agent: Agent, changed: AgentFields, context: CommandContext) {
    const isRenamed = agent.name !== before.name;
    // Before the new name is cached: until the bindings move, nothing limits the renamed agent to its channels.
    if (isRenamed) await replaceAgent(ports, before.name, agent.name);
    names.keepAgent(agent, before.name);
    const said = isRenamed ? makingSentences.renamed(before.name, agent.name) : makingSentences.changed(agent.name);
    const isKeyLost = before.model?.hasKey === true && agent.model?.hasKey !== true && changed.key === undefined;
    if (isKeyLost)
      return privately(
        infoDocument([said, makingSentences.keyLost], { tone: "partial", actions: [editButton(agent.name)] }),
      );
    const isOtherModel = changed.provider !== undefined || changed.model !== undefined || changed.key !== undefined;
    if (!isOtherModel) return privately(infoDocument(said, { tone: "done" }));
    return tryAgent(ports, agent, said, [], context);
  }

  async function record(
    action: string,
    about: Readonly<Record<string, string>>,
    result: WriteResult,
    context: CommandContext,
  ) {
    const isDone = result.kind === "saved" || result.kind === "already-there";
    const code = result.kind === "taken" ? "name_taken" : result.kind === "failed" ? result.error.code : undefined;
    await audit.record(context, {
      role: "manage",
      action,
      about,
      outcome: isDone ? "done" : "failed",
      ...present({ code }),
    });
  }

  /** Offers a button that reopens the form as it was, without the key. */
  function notCreated(said: Inline, why: readonly (string | Inline)[], fields: AgentFields): CommandResult {
    const action = formButton(makingSentences.tryAgainInForm, `agent create ${keepDraft(fields)}`);
    return privately(infoDocument([said, ...why], { tone: "failed", actions: [action] }));
  }

  function notChanged(agent: string, why: readonly (string | Inline)[]): CommandResult {
    return privately(
      infoDocument([makingSentences.notChanged(agent), ...why], { tone: "failed", actions: [editButton(agent)] }),
    );
  }

  return { create, update };

  /** Sends model and data complete, because a service that replaces them would lose the untouched parts. */
  function changesOf(before: Agent, changed: AgentFields): Partial<AgentDraft> {
    const whole = { ...fieldsOf(before, project), ...changed };
    const has = (...fields: readonly (keyof AgentFields)[]) => fields.some((field) => changed[field] !== undefined);
    const model = present({
      provider: changed.provider ?? (whole.provider || undefined),
      name: changed.model ?? (whole.model || undefined),
      apiKey: changed.key,
    });
    const hasNewData = has("knowledgeBases", "tables");
    return present({
      name: changed.name,
      model: has("provider", "model", "key") ? model : undefined,
      knowledgeBases: hasNewData ? (whole.knowledgeBases ?? []) : undefined,
      tables: hasNewData ? (whole.tables ?? []) : undefined,
      promptTemplate: changed.instructions,
    });
  }
}

function useHere(name: string): Action {
  return { id: "use-agent", label: makingSentences.useHere, value: refOfName(name), style: "primary" };
}
