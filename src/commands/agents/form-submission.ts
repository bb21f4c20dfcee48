/** Creates or edits an agent from a submitted form, tests it, reports the result and audits it. */
import type { Agent, AgentDraft } from "../../ports/agent-service.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action, FieldErrors, Inline } from "../../ports/document.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { agentFormTexts, makingSentences } from "../../presentation/sentences.ts";
import { findAgentAnywhere, writtenName } from "../find-by-name.ts";
import { checkOffer, withOffer } from "../insight/check-offer.ts";
import { manualLeft, withoutManual } from "../ledger/own-manual.ts";
import { safeName } from "../parsing/safe-name.ts";
import type { CommandPorts } from "../ports.ts";
import { formButton, privately } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { type AgentFields, changedMeanwhile, type Edit, fieldsOf, type ShownField } from "./agent-form.ts";
import {
  aloneWithAgent,
  createAgent,
  draftOf,
  qualifiedBases,
  updateAgent,
  type WriteResult,
} from "./create-or-update.ts";
import { missingData } from "./data-check.ts";
import { refOfName } from "./name-ref.ts";
import { replaceAgent } from "./replace-agent.ts";
import { editButton, tryAgent } from "./try-agent.ts";

/** A button's value holds 60 characters, of which the command takes 11 and a draft's id 18. */
const maxRefChars = 31;
/** The form is closed by now, so the service gets the time that one of its lists may take. */
const checkMs = 20_000;

/** `keepDraft` stores the submitted fields and returns their id, for a button that reopens the form. */
export function createFormSubmission(ports: CommandPorts, keepDraft: (fields: AgentFields) => string) {
  const { service, names, settings, audit } = ports;
  const { project: own } = settings;

  async function create(
    fields: AgentFields & { readonly name: string },
    context: CommandContext,
  ): Promise<CommandResult> {
    const agent = { project: fields.project ?? own, name: fields.name };
    const written = writtenName(agent, own);
    const wrong = await missingData(ports, fields, checkMs);
    if (wrong !== undefined) return notCreated(makingSentences.notMade(written), Object.values(wrong), fields);
    const result = await createAgent(service, agent.project, draftOf(fields, agent.name, own));
    await record("agent create", { agent: written }, result, context);
    switch (result.kind) {
      case "saved":
      case "already-there": {
        names.keepAgent(result.agent);
        const said = result.kind === "saved" ? makingSentences.made(written) : makingSentences.wasThere(written);
        return tryAgent(ports, result.agent, said, [useHere(written)], context);
      }
      case "taken": {
        const free = safeName(agent.name, agent.name, [agent.name, ...(await takenIn(agent.project))]);
        const why = [makingSentences.freeName(writtenName({ ...agent, name: free }, own))];
        return notCreated(makingSentences.taken(written), why, { ...fields, name: free });
      }
      case "failed":
        return notCreated(
          makingSentences.notMade(written),
          failureSentences(result.error, fields.key, result.isUnsure),
          fields,
        );
      default:
        return result satisfies never;
    }
  }

  async function takenIn(project: string): Promise<readonly string[]> {
    const agents = project === own ? names.agents() : await names.elsewhere.agentsOf(project).catch(() => []);
    return agents.map(({ name }) => name);
  }

  async function update(edit: Edit, context: CommandContext): Promise<CommandResult> {
    const { agent, changed } = edit;
    const written = writtenName(agent, own);
    const wrong = await missingData(ports, changed, checkMs);
    if (wrong !== undefined) return notChanged(written, Object.values(wrong satisfies FieldErrors));
    let isManualLeft = false;
    const { before, result } = await aloneWithAgent(ports, agent, async () => {
      const stored = await findAgentAnywhere(ports, written);
      const meanwhile = changedMeanwhile(edit, fieldsOf(stored, own));
      if (meanwhile.length > 0) return { before: stored, result: { kind: "changed", fields: meanwhile } as const };
      const changes = changesOf(stored, changed);
      const rest = withoutManual(stored, changes.knowledgeBases ?? [], settings);
      isManualLeft = rest !== undefined;
      const asked = rest === undefined ? changes : { ...changes, knowledgeBases: rest };
      return { before: stored, result: await updateAgent(service, agent.project, stored.name, asked) };
    });
    const about = { agent: written, changed: Object.keys(changed).join(", ") };
    await record(
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
            await updated(before, result.agent, changed, context),
            isManualLeft ? manualLeft(result.agent, settings) : undefined,
          ),
          await checkOffer(ports, [result.agent], context),
        );
      case "changed":
        names.keepAgent(before);
        return notOverwritten(before, result.fields, changed);
      case "taken":
        return notChanged(written, [makingSentences.taken(changed.name ?? agent.name)]);
      case "failed":
        return notChanged(written, failureSentences(result.error, changed.key, result.isUnsure));
      default:
        return result satisfies never;
    }
  }

  /** What else was entered is kept for the next try, on top of what the agent has by then. */
  function notOverwritten(stored: Agent, fields: readonly ShownField[], changed: AgentFields): CommandResult {
    const written = writtenName(stored, own);
    const labels = fields.map(labelOf);
    const has = fieldsOf(stored, own);
    const lists = fields.flatMap((field) => {
      const values = has[field];
      return typeof values === "object" ? [makingSentences.nowHas(labelOf(field), values)] : [];
    });
    const value = `agent edit ${refOfName(written, maxRefChars)} ${keepDraft(changed)}`;
    return privately(
      infoDocument(
        [
          makingSentences.changedMeanwhile(written, labels),
          ...lists,
          makingSentences.openAgain,
          ...(changed.key === undefined ? [] : [makingSentences.keyAgain]),
        ],
        { tone: "failed", actions: [formButton(agentFormTexts.openEdit(written), value)] },
      ),
    );
  }

  async function updated(before: Agent, agent: Agent, changed: AgentFields, context: CommandContext) {
    const [from, to] = [writtenName(before, own), writtenName(agent, own)];
    const isRenamed = from !== to;
    // Before the new name is cached: until the bindings move, nothing limits the renamed agent to its channels.
    if (isRenamed) await replaceAgent(ports, before, agent.name);
    names.keepAgent(agent, before.name);
    const said = isRenamed ? makingSentences.renamed(from, to) : makingSentences.changed(to);
    const isKeyLost = before.model?.hasKey === true && agent.model?.hasKey !== true && changed.key === undefined;
    if (isKeyLost)
      return privately(infoDocument([said, makingSentences.keyLost], { tone: "partial", actions: [editButton(to)] }));
    const isOtherModel = changed.provider !== undefined || changed.model !== undefined || changed.key !== undefined;
    if (!isOtherModel) return privately(infoDocument(said, { tone: "done" }));
    return tryAgent(ports, agent, said, [], context);
  }

  async function record(
    action: string,
    about: Readonly<Record<string, string>>,
    result: WriteResult | { readonly kind: "changed" },
    context: CommandContext,
  ) {
    const isDone = result.kind === "saved" || result.kind === "already-there";
    const code = result.kind === "failed" ? result.error.code : codes[result.kind];
    await audit.record(context, {
      role: "manage",
      action,
      about,
      outcome: isDone ? "done" : "failed",
      code,
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
    const whole = { ...fieldsOf(before, own), ...changed };
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
      knowledgeBases: hasNewData ? qualifiedBases(whole.knowledgeBases ?? [], own) : undefined,
      tables: hasNewData ? (whole.tables ?? []) : undefined,
      promptTemplate: changed.instructions,
    };
  }
}

/** In the audit log. */
const codes: Readonly<Record<string, string | undefined>> = { taken: "name_taken", changed: "changed_meanwhile" };

function labelOf(field: ShownField): string {
  return agentFormTexts.fields[field].label.replace(/^Advanced: /, "");
}

/** `name`: as written. */
function useHere(name: string): Action {
  return { id: "use-agent", label: makingSentences.useHere, value: refOfName(name), style: "primary" };
}
