/**
 * Plans without I/O, runs, checks forms, presses buttons and completes names. What each command does is up to its file.
 */

import type { NamesInReach } from "../core/access.ts";
import type { CommandContext, CommandDefinition, CommandResult } from "../core/commands.ts";
import type { Form } from "../core/document.ts";
import { ParleyError } from "../core/errors.ts";
import type { Job } from "../core/model/job.ts";
import type { Role } from "../core/model/place.ts";
import type { Acknowledgement, CommandInput } from "../core/ports/chat-platform.ts";
import type { KnowledgeReading } from "../core/ports/platform-module.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import { type ReadAgain, scheduledQuestion } from "../insight/schedules/schedules.ts";
import type { ReaderOffer } from "../presentation/drawing.ts";
import { infoDocument } from "../presentation/drawing.ts";
import { offerUnder } from "./adding/connect-base.ts";
import type { Saving } from "./adding/save.ts";
import { savingOf } from "./adding/save.ts";
import { createFormDrafts } from "./agents/form-drafts.ts";
import { allCommands, otherInteractions } from "./all-commands.ts";
import type { CommandApp, CommandParts, OfBridge } from "./app.ts";
import { type ActionHandler, type Command, type Interactions, type OptionValues, textOption } from "./command.ts";
import { addressee } from "./contact/addressee.ts";
import { attempted } from "./contact/attempted.ts";
import { createOffered, meantBy } from "./contact/offered.ts";
import { spokenCommand } from "./contact/spoken.ts";
import type { AcknowledgeIn, CommandPlan, Commands } from "./contract.ts";
import { adoptingOf } from "./insight/adopt.ts";
import type { Adopting } from "./insight/adoption.ts";
import { readAgain } from "./knowledge-bases/read-again.ts";
import { documentsIn, readDocument, searchWhole } from "./knowledge-bases/reading.ts";
import { missingNameForm, pickedInput, pickedPath } from "./missing-name-form.ts";
import { manages } from "./names/in-reach.ts";
import { matching } from "./names/matching.ts";
import type { IsKnown } from "./parsing/parsed.ts";
import { commandOf, parseInput } from "./parsing/parser.ts";
import { problemDocument } from "./parsing/problem-document.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createOnce, openly } from "./results.ts";

/** What is wrong with what was typed or pressed. */
const problemSentences = {
  buttonGone: "This button has expired.",
  buttonGoneHint: "Run the command again.",
  leftAsItWas: "No changes made.",
} as const;

/** A platform waits 3 s for choices; an empty list in time beats a late one. */
const completeMs = 1_500;
const maxCompletions = 25;
const roleOrder: readonly Role[] = ["ask", "ingest", "manage"];

/** What the room gives to the others: the bridge's `Commands`, and what it does with messages and Jobs. */
export type CommandRoom = Commands & {
  /** Before the first command runs. */
  readonly connect: (bridge: OfBridge) => void;
  readonly registry: Registry;
  readonly saving: Saving;
  readonly adopting: Adopting;
  readonly reading: KnowledgeReading;
  /** Under a Job that added something, while no agent there looks in its knowledge base. */
  readonly offerReader: (job: Job) => Promise<ReaderOffer | undefined>;
  /** Does what a schedule of a knowledge base does. Throws ParleyError. */
  readonly readAgain: ReadAgain;
};

/** Throws when two commands or buttons share a name, which is a bug in Parley. */
export function createCommands(
  parts: CommandParts,
  given: readonly Command[] = allCommands,
  others: readonly Interactions[] = otherInteractions,
): CommandRoom {
  const { names } = parts;
  const registry = createRegistry(given, parts.settings.commandPrefix, names.offers);
  let bridge: OfBridge | undefined;
  const app: CommandApp = {
    ...parts,
    bridge: () => {
      if (bridge === undefined) throw new Error("The bridge is not connected to the commands.");
      return bridge;
    },
    registry,
    once: createOnce(),
    drafts: createFormDrafts(),
    commands: { plan, run },
  };
  const offered = createOffered(app);
  const sets: readonly Interactions[] = [...given, ...others];
  const handlers = new Map(given.map((command) => [command.path, command]));
  const forms = merged(sets.map((set) => set.forms));
  const formContexts = merged(sets.map((set) => set.formContexts));
  const actions = merged([commonActions(), ...sets.map((set) => set.actions)]);

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
      const isAskedLater = scheduledQuestion(text) !== undefined;
      if (isAskedLater) return { acknowledgement: { kind: "defer-private" }, role };
      return { acknowledgement: { kind: "defer" }, role, question: { text, agent } };
    }
    const form = handlers.get(definition.path)?.form?.(app, options);
    // Refresh the choices for the next time the form opens.
    if (form !== undefined) names.touch();
    const { formIn } = handlers.get(definition.path) ?? {};
    return { acknowledgement: acknowledgeWith(form), acknowledgeIn: openIn(app, formIn, options), role };
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
    return handler.run(app, parsed.options, context);
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
        acknowledge: () => acknowledgeWith(isLacking ? undefined : command.form?.(app, options)),
        acknowledgeIn: isLacking ? undefined : openIn(app, command.formIn, options),
        press: async (context) => (await offered.refusal(opened)) ?? command.run(app, options, context),
      };
    }
    const particular = actions.get(`${action} ${first}`);
    const handler = particular ?? actions.get(action);
    if (handler === undefined) return undefined;
    const about = particular === undefined ? value : value.slice(first.length + 1);
    const { formIn } = handler;
    return {
      role: handler.role,
      acknowledge: () => handler.acknowledge?.(app, about) ?? acknowledgeWith(undefined),
      acknowledgeIn: formIn === undefined ? undefined : async (who) => acknowledgeWith(await formIn(app, about, who)),
      press: async (context) =>
        (await offered.refusal({ ...handler, path: action })) ?? handler.press(app, about, context),
    };
  }

  return {
    connect: (built) => {
      bridge = built;
    },
    registry,
    saving: savingOf(app),
    adopting: adoptingOf(app),
    reading: {
      search: (who, query) => searchWhole(app, who, query),
      documents: (who, base, page) => documentsIn(app, who, base, page),
      read: (who, base, id) => readDocument(app, who, base, id),
    },
    offerReader: (job) => offerUnder(app, job),
    readAgain: (run) => readAgain(app, run),
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
    askedWith: async (formId, formContext, context) => formContexts.get(formId)?.(app, formContext, context),
    checkForm: async (formId, values, formContext, context) =>
      forms.get(formId)?.check(app, values, formContext, context),
    submitForm: async (formId, values, formContext, context) => {
      const picked = pickedPath(formId);
      if (picked !== undefined) return run(pickedInput(picked, values, formContext), context);
      const form = forms.get(formId);
      if (form === undefined) throw new ParleyError("unknown_command");
      // The service may have changed since the form was opened.
      const opening = registry.find(formId);
      const refusal = opening === undefined ? undefined : await offered.refusal(opening);
      if (refusal !== undefined) return refusal;
      return form.submit(app, values, formContext, context);
    },
    planAction: (action, value) => {
      const button = buttonOf(action, value);
      const acknowledgement = button?.acknowledge() ?? acknowledgeWith(undefined);
      return { acknowledgement, acknowledgeIn: button?.acknowledgeIn, role: button?.role ?? "ask" };
    },
    askedByButton: async (action, value, context) => actions.get(action)?.asks?.(app, value, context),
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
      app.audit.record(context, {
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
      if (other !== undefined) return other(app, query);
      if (completes === "command")
        return matching(typed.replace(/^\//, ""), [...registry.groups, ...registry.shown().map(({ path }) => path)]);
      if (manages(app, query)) {
        const written =
          completes === "agent" ? await withTimeout(names.elsewhere.written(typed), completeMs, app.clock) : [];
        if (!written?.length) return names.complete(completes, typed);
        const own = typed.includes(".") ? [] : await names.complete(completes, typed);
        return [...own, ...matching(typed, written)].slice(0, maxCompletions);
      }
      if (completes === "table" || completes === "project") return [];
      const listed = completes === "agent" ? app.reach.agents(actor, place) : app.reach.bases(actor, place);
      const reached = await withTimeout<readonly { readonly name: string }[]>(listed, completeMs, app.clock);
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

function openIn(app: CommandApp, formIn: Command["formIn"], options: OptionValues): AcknowledgeIn | undefined {
  return formIn === undefined ? undefined : async (who) => acknowledgeWith(await formIn(app, options, who));
}

function commonActions(): Readonly<Record<string, ActionHandler>> {
  const document = infoDocument(problemSentences.leftAsItWas);
  return { dismiss: { role: "ask", press: async () => openly(document) } };
}

/** The command's role, or the highest one that a given option needs. */
function roleFor(definition: CommandDefinition, options: OptionValues): Role {
  const needed = definition.options.flatMap(({ name, needs }) =>
    needs === undefined || options[name] === undefined ? [] : [needs],
  );
  const highest = Math.max(...[definition.role, ...needed].map((role) => roleOrder.indexOf(role)));
  return roleOrder[highest] ?? definition.role;
}

function merged<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): ReadonlyMap<string, T> {
  const entries = parts.flatMap((part) => Object.entries(part ?? {}));
  const map = new Map(entries);
  if (map.size !== entries.length) throw new Error("Two handlers have the same name.");
  return map;
}
