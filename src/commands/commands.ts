/**
 * Implements the Commands port: plans without I/O, runs, checks forms, presses buttons and completes names. What each
 * command does is up to its handler.
 */
import type { NamesInReach } from "../ports/access.ts";
import type { Acknowledgement, CommandInput } from "../ports/chat-platform.ts";
import {
  type ActionHandler,
  type CommandDefinition,
  type CommandHandler,
  type CommandSet,
  type OptionValues,
  textOption,
} from "../ports/command-contract.ts";
import type { AcknowledgeIn, CommandContext, CommandPlan, CommandResult, Commands } from "../ports/commands.ts";
import type { Form } from "../ports/document.ts";
import { ParleyError } from "../ports/errors.ts";
import type { Role } from "../ports/model/place.ts";
import { withTimeout } from "../ports/tools/timeout.ts";
import { infoDocument } from "../presentation/drawing.ts";
import { problemSentences } from "../presentation/sentences.ts";
import { scheduledQuestion } from "../schedules/schedules.ts";
import { addressee } from "./addressee.ts";
import { agentCommands } from "./agents/agent-commands.ts";
import { attempted } from "./contact/attempted.ts";
import { createOffered, meantBy } from "./contact/offered.ts";
import { spokenCommand } from "./contact/spoken.ts";
import { welcomeActions } from "./contact/welcome-actions.ts";
import { askDefinitions } from "./definitions.ts";
import { manages } from "./in-reach.ts";
import { knowledgeBaseCommands } from "./knowledge-bases/kb-commands.ts";
import { missingNameForm, pickedInput, pickedPath } from "./missing-name-form.ts";
import { parleyCommands } from "./parley-commands.ts";
import { matching } from "./parsing/matching.ts";
import type { IsKnown } from "./parsing/parsed.ts";
import { commandOf, parseInput } from "./parsing/parser.ts";
import { problemDocument } from "./parsing/problem-document.ts";
import type { CommandPorts } from "./ports.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { openly } from "./results.ts";

export { groupSummaries } from "./definitions.ts";

/**
 * `extra`: further command sets. Throws when two commands share a name or one has no handler, which is a bug in Parley.
 */
export function createCommands(
  ports: CommandPorts,
  extra: readonly CommandSet[] = [],
): Commands & { readonly registry: Registry } {
  const { names } = ports;
  const base: readonly CommandSet[] = [
    { definitions: askDefinitions, handlers: {} },
    agentCommands(ports),
    knowledgeBaseCommands(ports),
  ];
  const parley = parleyCommands(ports, () => registry);
  const sets = [...base, ...extra, parley];
  const registry = createRegistry(
    sets.flatMap((set) => set.definitions),
    ports.settings.commandPrefix,
    names.offers,
  );
  const offered = createOffered(ports);
  const handlers = merged(sets.map((set) => set.handlers));
  const welcome = welcomeActions({ names, registry: () => registry, plan, run });
  const forms = merged([welcome.forms, ...sets.map((set) => set.forms ?? {})]);
  const formContexts = merged(sets.map((set) => set.formContexts ?? {}));
  const actions = merged([commonActions(), welcome.actions, ...sets.map((set) => set.actions ?? {})]);
  for (const { path, asks } of registry.definitions) {
    if (asks === undefined && handlers.get(path) === undefined) throw new Error(`No handler for the command ${path}`);
  }

  names.touch();

  const isKnown: IsKnown = (completes, name) => {
    if (completes === "agent") return names.agent(name) !== undefined;
    return completes === "knowledge-base" && names.knowledgeBases().some((known) => known.name === name);
  };
  const isAmong =
    (reached: NamesInReach): IsKnown =>
    (completes, name) =>
      (completes === "agent" && reached.agents.includes(name)) ||
      (completes === "knowledge-base" && reached.knowledgeBases.includes(name));

  const parse = (input: CommandInput, reached?: NamesInReach) =>
    parseInput(input, registry, reached === undefined ? isKnown : isAmong(reached));

  function plan(input: CommandInput, reached?: NamesInReach): CommandPlan {
    const parsed = parse(input, reached);
    const meant = meantBy(parsed);
    if (meant !== undefined && offered.isKnownToLack(meant)) {
      return { acknowledgement: { kind: "defer-private" }, role: meant.role };
    }
    if (parsed.kind === "problem") {
      const form = missingNameForm(parsed.problem, names);
      return { acknowledgement: acknowledgeWith(form), role: form === undefined ? "ask" : roleOfForm(form.id) };
    }
    const { definition, options } = parsed;
    const role = roleFor(definition, options);
    if (definition.asks !== undefined) {
      const agent = textOption(options, definition.asks.agent);
      const text = textOption(options, definition.asks.question) ?? "";
      // Its asker says first whether it is a schedule.
      const isAskedLater = handlers.has(definition.path) && scheduledQuestion(text) !== undefined;
      if (isAskedLater) return { acknowledgement: { kind: "defer-private" }, role };
      return { acknowledgement: { kind: "defer" }, role, question: { text, agent } };
    }
    const form = handlers.get(definition.path)?.form?.(options);
    // Refresh the choices for the next time the form opens.
    if (form !== undefined) names.touch();
    const { formIn } = handlers.get(definition.path) ?? {};
    return { acknowledgement: acknowledgeWith(form), acknowledgeIn: openIn(formIn, options), role };
  }

  async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
    const parsed = parse(input, context.reached);
    const meant = meantBy(parsed);
    const refusal = meant === undefined ? undefined : await offered.refusal(meant);
    if (refusal !== undefined) return refusal;
    if (parsed.kind === "problem") {
      return openly(problemDocument(parsed.problem, registry));
    }
    const handler = handlers.get(parsed.definition.path);
    if (handler === undefined) throw new ParleyError("unknown_command");
    return handler.run(parsed.options, context);
  }

  function roleOfForm(formId: string): Role {
    const picked = pickedPath(formId);
    if (picked !== undefined) return registry.find(picked)?.role ?? "manage";
    if (formContexts.has(formId)) return "ask";
    return forms.get(formId)?.role ?? "manage";
  }

  /** What a button does: it opens a command's form ("agent edit sales"), or performs an action. */
  function buttonOf(action: string, value: string): Button | undefined {
    const [first = "", second = "", ...rest] = value.split(" ");
    const opened = action === "open-form" ? registry.find(`${first} ${second}`) : undefined;
    const command = opened?.opensForm === true ? handlers.get(opened.path) : undefined;
    if (opened !== undefined && command !== undefined) {
      const isLacking = offered.isKnownToLack(opened);
      const name = rest.join(" ");
      const options: OptionValues = name === "" ? {} : { name };
      return {
        role: opened.role,
        acknowledge: () => acknowledgeWith(isLacking ? undefined : command.form?.(options)),
        acknowledgeIn: isLacking ? undefined : openIn(command.formIn, options),
        press: async (context) => (await offered.refusal(opened)) ?? command.run(options, context),
      };
    }
    const particular = actions.get(`${action} ${first}`);
    const handler = particular ?? actions.get(action);
    if (handler === undefined) return undefined;
    const about = particular === undefined ? value : value.slice(first.length + 1);
    const { formIn } = handler;
    return {
      role: handler.role,
      acknowledge: () => handler.acknowledge?.(about) ?? acknowledgeWith(undefined),
      acknowledgeIn: formIn === undefined ? undefined : async (who) => acknowledgeWith(await formIn(about, who)),
      press: async (context) => (await offered.refusal({ ...handler, path: action })) ?? handler.press(about, context),
    };
  }

  return {
    registry,
    named: (input) => {
      const definition = commandOf(input, registry);
      const role = definition?.role ?? "ask";
      return definition?.asks === undefined ? { role } : { role, asks: true };
    },
    plan,
    run,
    spoken: (text, reached) =>
      spokenCommand(
        text,
        registry,
        (input) => parse(input, reached),
        ({ definition, options }) => roleFor(definition, options),
      ),
    roleOfForm,
    askedWith: async (formId, formContext, context) => formContexts.get(formId)?.(formContext, context),
    checkForm: async (formId, values, formContext, context) => forms.get(formId)?.check(values, formContext, context),
    submitForm: async (formId, values, formContext, context) => {
      const picked = pickedPath(formId);
      if (picked !== undefined) return run(pickedInput(picked, values, formContext), context);
      const form = forms.get(formId);
      if (form === undefined) throw new ParleyError("unknown_command");
      // The service may have changed since the form was opened.
      const opening = registry.find(formId);
      const refusal = opening === undefined ? undefined : await offered.refusal(opening);
      if (refusal !== undefined) return refusal;
      return form.submit(values, formContext, context);
    },
    planAction: (action, value) => {
      const button = buttonOf(action, value);
      const acknowledgement = button?.acknowledge() ?? acknowledgeWith(undefined);
      return { acknowledgement, acknowledgeIn: button?.acknowledgeIn, role: button?.role ?? "ask" };
    },
    askedByButton: async (action, value, context) => actions.get(action)?.asks?.(value, context),
    pressAction: async (action, value, context) => {
      const button = buttonOf(action, value);
      if (button !== undefined) return button.press(context);
      throw new ParleyError("unknown_command", {
        what: problemSentences.buttonGone,
        hint: problemSentences.buttonGoneHint,
      });
    },
    addressee: (text, agents) => {
      names.touch();
      return addressee(text, agents ?? names.agents().map(({ name }) => name));
    },
    refused: (attempt, role, context) =>
      ports.audit.record(context, {
        role,
        ...attempted(attempt, {
          nameOf: (input) => commandOf(input, registry)?.path ?? "",
          parse,
          isAction: (name) => actions.has(name),
        }),
        outcome: "refused",
        code: "not_allowed",
      }),
    complete: async (query) => {
      const { completes, typed, actor, place } = query;
      const other = sets.find((set) => set.completions?.[completes] !== undefined)?.completions?.[completes];
      if (other !== undefined) return other(query);
      if (completes === "command")
        return matching(typed.replace(/^\//, ""), [...registry.groups, ...registry.shown().map(({ path }) => path)]);
      if (manages(ports, query)) {
        const written =
          completes === "agent" ? await withTimeout(names.elsewhere.written(typed), completeMs, ports.clock) : [];
        if (!written?.length) return names.complete(completes, typed);
        const own = typed.includes(".") ? [] : await names.complete(completes, typed);
        return [...own, ...matching(typed, written)].slice(0, maxCompletions);
      }
      if (completes === "table" || completes === "project") return [];
      const listed = completes === "agent" ? ports.reach.agents(actor, place) : ports.reach.bases(actor, place);
      const reached = await withTimeout<readonly { readonly name: string }[]>(listed, completeMs, ports.clock);
      const offered = new Set(reached?.map(({ name }) => name));
      return names.complete(completes, typed, (name) => offered.has(name));
    },
  };
}

type Button = {
  readonly role: Role;
  readonly acknowledge: () => Acknowledgement;
  readonly acknowledgeIn?: AcknowledgeIn | undefined;
  readonly press: (context: CommandContext) => Promise<CommandResult>;
};

function acknowledgeWith(form: Form | undefined): Acknowledgement {
  return form === undefined ? { kind: "defer-private" } : { kind: "form", form };
}

function openIn(formIn: CommandHandler["formIn"], options: OptionValues): AcknowledgeIn | undefined {
  return formIn === undefined ? undefined : async (who) => acknowledgeWith(await formIn(options, who));
}

function commonActions(): Readonly<Record<string, ActionHandler>> {
  const document = infoDocument(problemSentences.leftAsItWas);
  return { dismiss: { role: "ask", press: async () => openly(document) } };
}

/** A platform waits 3 s for choices; an empty list in time beats a late one. */
const completeMs = 1_500;
const maxCompletions = 25;

const roleOrder: readonly Role[] = ["ask", "ingest", "manage"];

/** The command's role, or the highest one that a given option needs. */
function roleFor(definition: CommandDefinition, options: OptionValues): Role {
  const needed = definition.options.flatMap(({ name, needs }) =>
    needs === undefined || options[name] === undefined ? [] : [needs],
  );
  const highest = Math.max(...[definition.role, ...needed].map((role) => roleOrder.indexOf(role)));
  return roleOrder[highest] ?? definition.role;
}

function merged<T>(parts: readonly Readonly<Record<string, T>>[]): ReadonlyMap<string, T> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const map = new Map(entries);
  if (map.size !== entries.length) throw new Error("Two handlers have the same name.");
  return map;
}
