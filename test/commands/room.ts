/**
 * The commands over real parts: the built-in agent service, SQLite, real bindings. A test injects
 * faults into single calls.
 */

import { createAudit } from "../../src/access/audit.ts";
import { createBindings } from "../../src/access/bindings.ts";
import { rolesOf } from "../../src/access/roles.ts";
import { createServiceWithKnowledge } from "../../src/agent-service/agent-service.ts";
import { searchText } from "../../src/agent-service/built-in/answering/question.ts";
import { startLocalService } from "../../src/agent-service/built-in/local-service.ts";
import { profileOf } from "../../src/agent-service/mindsdb/profile.ts";
import { createConversations } from "../../src/bridge/conversation/conversations.ts";
import type { IntakeApp } from "../../src/bridge/intake/app.ts";
import { forgetConversation } from "../../src/bridge/intake/forgetting.ts";
import type { CommandParts, HeardCounts } from "../../src/commands/app.ts";
import type { Command } from "../../src/commands/command.ts";
import { createCommands } from "../../src/commands/commands.ts";
import { createNameCache } from "../../src/commands/names/name-cache.ts";
import type { RoleSettings } from "../../src/core/access.ts";
import { type AuditEntry, auditEntriesIn } from "../../src/core/audit.ts";
import type { CommandContext, CommandResult } from "../../src/core/commands.ts";
import type { Block, Document, FormValues } from "../../src/core/document.ts";
import type { Actor, Place } from "../../src/core/model/place.ts";
import type { AgentService, ServiceProfile } from "../../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { State } from "../../src/core/ports/state.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { defaultSettings } from "../doubles/composition.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { keptNotices } from "../doubles/notices.ts";
import { admin, project } from "../doubles/people.ts";
import { watchForKeys } from "../doubles/planted-keys.ts";
import { reachOver } from "../doubles/reach.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

export const general: Place = { platform: "slack", workspace: "T1", channel: "C1" };

export const providerKey = "sk-verysecret-0123456789abcdef";

/** The form of a new agent, filled in. */
export const filled = {
  name: "sales",
  provider: "openai",
  model: "gpt-4o",
  key: providerKey,
  knowledgeBases: ["docs"],
  tables: [],
  instructions: "Answer from the docs.",
};

export type Shown = { readonly text: string; readonly document: Document };

export async function openRoom(
  options: {
    readonly prefix?: string;
    readonly defaultAgent?: string;
    readonly heard?: HeardCounts;
    /** Holds Parley's own manual. */
    readonly ownDocsBase?: string;
    /** Default: all. */
    readonly given?: readonly Command[];
    /** Has the agents, beside the local service's knowledge bases. Default: the local service has both. */
    readonly main?: AgentService;
    /** What it says on every platform. */
    readonly platform?: Partial<ChatPlatform>;
    /** More parts, over the same state. A command that needs another one fails. */
    readonly over?: (parts: CommandParts, state: State) => Partial<CommandParts>;
  } = {},
) {
  const clock = createFakeClock();
  const dataDir = await temporaryFolder("commands");
  const logged: string[] = [];
  const write = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    const plain = (_key: string, value: unknown) =>
      value instanceof Error ? { message: value.message, cause: String(value.cause) } : value;
    const line = `${level} ${message} ${JSON.stringify(fields, plain)}`;
    watchForKeys("the log", line);
    logged.push(line);
  };
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const client = await startLocalService({ dataDir, clock, log, stepDelayMs: 0 });
  const faults: { -readonly [K in keyof AgentService]?: AgentService[K] } = {};
  const calls: string[] = [];
  const state = await openState({ dataDir, clock, log });
  const { keyValue } = state;
  const { main } = options;
  const knowledge = async () => ({ service: client, searchText, covers: client.coversIn });
  const composed =
    main === undefined ? client : createServiceWithKnowledge({ main, knowledge, store: keyValue("agent-bases"), log });
  const service = faulty(composed, faults, calls);
  const settings = {
    ...defaultSettings,
    ...{ project, defaultAgent: options.defaultAgent, ownDocsBase: options.ownDocsBase },
    ...{ commandPrefix: options.prefix ?? "", version: "1.2.3", saveEmoji: "off" },
  };
  const runtime = { ...state, service, settings, clock, log };
  const names = createNameCache(appOf(runtime), project);
  const bindings = createBindings(appOf(runtime));
  const conversations = createConversations(appOf(runtime));
  /** As it is now. */
  const platform = (): Partial<ChatPlatform> => ({
    isDirect: ({ channel }) => channel.startsWith("D"),
    directPlace: async () => undefined,
    health: () => ({ isConnected: true }),
    ...options.platform,
  });
  const { reach, contributions } = reachOver({
    ...{ bindings, service, keyValue, clock, lists: names.current, settings },
    platform: { isDirect: ({ channel }) => channel.startsWith("D") },
  });
  const notices = keptNotices();
  const audit = createAudit(appOf(runtime));
  const app = appOf({ ...runtime, bindings, reach, audit, notices, siteOf: () => ({ platform: platform() }) });
  const base = {
    ...{ ...app, names, contributions, conversations },
    checks: { of: async () => [], total: async () => 0, count: async () => 0 },
  } as unknown as CommandParts;
  const parts: CommandParts = { ...base, ...options.over?.(base, state) };
  const commands = options.given === undefined ? createCommands(parts) : createCommands(parts, options.given, []);
  const forgetting = {
    ...app,
    conversations,
    living: { interrupt: async () => {} },
    talk: { forget: async () => {} },
    topics: { at: async () => [], forget: async () => {} },
  } as unknown as IntakeApp;
  commands.connect({
    forget: (conversation, by, mayForgetOthers) => forgetConversation(forgetting, conversation, by, mayForgetOthers),
    counts: () => ({ waiting: 1, running: 2 }),
    heard: async () => options.heard ?? { answered: 0, quiet: 0, notForYou: 0, personBelow: 0 },
  });
  // What was read at the start is there before a test puts anything in the way.
  await names.refresh();
  let events = 0;

  function context(changes: Partial<CommandContext> = {}, roles: RoleSettings = { trustedPlatforms: [] }) {
    events += 1;
    const actor = changes.actor ?? admin;
    const place = changes.place ?? general;
    return {
      ...{ actor, place, conversation: place, attachments: [], eventKey: `slack/T1/${events}` },
      roles: rolesOf(actor, place, roles),
      ...changes,
    };
  }

  /** Follows a working result to its end; what was shown on the way stands in `shown`. */
  async function end(result: CommandResult, shown: Shown[] = []): Promise<Shown> {
    switch (result.kind) {
      case "document": {
        const last = { text: documentText(result.document), document: result.document };
        shown.push(last);
        return last;
      }
      case "working":
        shown.push({ text: documentText(result.document), document: result.document });
        return end(await result.result, shown);
      default:
        throw new Error(`A document was expected, not ${result.kind}`);
    }
  }

  return {
    ...{ clock, service, client, faults, calls, state, names, bindings, conversations, commands, logged, context, end },
    notices: notices.kept,
    say: async (text: string, changes: Partial<CommandContext> = {}) =>
      end(await commands.run({ kind: "typed", text }, context(changes))),
    press: async (action: string, value: string, changes: Partial<CommandContext> = {}, shown: Shown[] = []) =>
      end(await commands.pressAction(action, value, context(changes)), shown),
    submit: async (formId: string, values: FormValues, formContext = "", shown: Shown[] = []) =>
      end(await commands.submitForm(formId, values, formContext, context()), shown),
    check: (formId: string, values: FormValues, formContext = "") =>
      commands.checkForm(formId, values, formContext, context()),
    formOf: (text: string) => {
      const { acknowledgement } = commands.plan({ kind: "typed", text });
      if (acknowledgement.kind !== "form") throw new Error(`No form but ${acknowledgement.kind}`);
      return acknowledgement.form;
    },
    /** The form that a button opens. */
    opened: async (action: string, value: string, actor: Actor = admin) => {
      const plan = commands.planAction(action, value);
      const acknowledgement = (await plan.acknowledgeIn?.({ actor, place: general })) ?? plan.acknowledgement;
      if (acknowledgement.kind !== "form") throw new Error(`No form but ${acknowledgement.kind}`);
      return acknowledgement.form;
    },
    audit: async (action?: string) => {
      const entries: AuditEntry[] = [];
      for await (const { record } of auditEntriesIn(state).entries()) entries.push(record);
      return entries.filter((entry) => action === undefined || entry.action === action);
    },
    close: async () => {
      await client.close();
      await state.close();
    },
  };
}

export type Room = Awaited<ReturnType<typeof openRoom>>;

/** The same service, but for the calls that a test puts something in the way of. */
function faulty(client: AgentService, faults: Partial<AgentService>, calls: string[]): AgentService {
  return new Proxy(client, {
    get: (target, name: keyof AgentService) => {
      calls.push(name);
      return faults[name] ?? target[name];
    },
  });
}

/** The older generation: takes any model, so that Parley has to try it. */
export const olderProfile: ServiceProfile = profileOf({ mindsdb_version: "25.9.1.2" }, undefined);

/** The words of a document and of its buttons, one line a block. */
function documentText(document: Document): string {
  const actions = document.actions.map(({ id, label, value }) => `[${label}: ${id} ${value}]`);
  return [...document.blocks.map(blockText), ...actions].join("\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "headline":
    case "text":
    case "quiet":
      return block.text.map(({ text }) => text).join("");
    case "markdown":
    case "code":
      return block.text;
    case "list":
      return block.items.map(({ mark, text }) => `${mark ?? ""} ${text.map((span) => span.text).join("")}`).join("\n");
    default:
      return JSON.stringify(block);
  }
}
