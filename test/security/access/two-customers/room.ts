/**
 * Two customers in one Parley, each with a Slack workspace and a Discord server. Their channels, threads and people have
 * the same ids and names, and their agents and knowledge bases too; only WORKSPACE_PROJECTS tells them apart.
 */
import type { Visitor } from "../../../../adapters/console/people/visitor.ts";
import { startLocalService } from "../../../../src/agent-service/built-in/local-service.ts";
import type { Document, Form } from "../../../../src/core/document.ts";
import type { Actor, Place } from "../../../../src/core/model/place.ts";
import type { AgentService } from "../../../../src/core/ports/agent-service.ts";
import type {
  Acknowledgement,
  ChatPlatform,
  CompletionQuery,
  Inbound,
} from "../../../../src/core/ports/chat-platform.ts";
import type { Overview } from "../../../../src/core/ports/overview.ts";
import { systemClock as clock } from "../../../../src/core/tools/system-clock.ts";
import { createPageReading } from "../../../../src/knowledge/knowledge.ts";
import { composeParley, type ParleySettings, type SharedParts } from "../../../../src/parley.ts";
import { documentText } from "../../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../../src/state/open-state.ts";
import { visiting } from "../../../console/admin/visiting.ts";
import { settingsWith } from "../../../doubles/composition.ts";
import { createMemoryPlatform } from "../../../doubles/memory-platform.ts";
import { noMetrics } from "../../../doubles/nulls/no-metrics.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { temporaryFolder } from "../../../doubles/temporary-folder.ts";
import { until } from "../../../doubles/until.ts";

/** What only that customer knows. */
export const secretOf = { acme: "heliotrope", globex: "vermilion" } as const;
export type Customer = keyof typeof secretOf;

export const acme: Place = { platform: "slack", workspace: "T1", channel: "C1" };
export const globex: Place = { platform: "slack", workspace: "T2", channel: "C1" };
export const acmeServer: Place = { platform: "discord", workspace: "11111", channel: "C1" };
export const globexServer: Place = { platform: "discord", workspace: "22222", channel: "C1" };
/** It has no line in WORKSPACE_PROJECTS. */
export const stranger: Place = { platform: "slack", workspace: "T3", channel: "C1" };

const workspaceProjects: NonNullable<ParleySettings["workspaceProjects"]> = [
  { platform: "slack", id: "T1", project: "acme" },
  { platform: "slack", id: "T2", project: "globex" },
  { platform: "discord", id: "11111", project: "acme" },
  { platform: "discord", id: "22222", project: "globex" },
];

/** Manages in each of the workspaces. */
const boss: Omit<Actor, "workspace"> = {
  id: "U1",
  name: "Robin",
  isAdmin: true,
  isGuest: false,
  isExternal: false,
  isBot: false,
  roles: [],
};

async function openService(): Promise<AgentService> {
  const folder = await temporaryFolder("customers");
  const open = async (project: string) => {
    const service = await startLocalService({ dataDir: `${folder}/${project}`, project, clock, log, stepDelayMs: 0 });
    const secret = secretOf[project as Customer] ?? "nothing";
    await service.createKnowledgeBase(project, { name: "handbook" });
    await service.createKnowledgeBase(project, { name: `${project}-notes` });
    const rows = [{ id: "r1", title: "The code word", content: `The code word of the vault is ${secret}.` }];
    await service.insert(project, "handbook", { rows });
    const own = { knowledgeBases: ["handbook"], tables: [] };
    await service.createAgent(project, { name: "helper", ...own });
    await service.createAgent(project, { name: `${project}-only`, ...own });
    return service;
  };
  const services = new Map(
    await Promise.all(["acme", "globex"].map(async (name) => [name, await open(name)] as const)),
  );
  const [first] = services.values();
  if (first === undefined) throw new Error("There is no service.");
  const withProjects = async () => {
    const profile = await first.profile();
    return { ...profile, offers: [...profile.offers, "projects" as const, "sql" as const] };
  };
  const shared: Partial<AgentService> = {
    profile: withProjects,
    status: withProjects,
    listProjects: async () => [...services.keys()],
    listDataSources: async () => ["globex_sales"],
    close: async () => {
      for (const service of services.values()) await service.close();
    },
  };
  // Everything else has the project first.
  return new Proxy(first, {
    get: (_target, name: keyof AgentService) => {
      if (shared[name] !== undefined || typeof first[name] !== "function") return shared[name];
      return (project: string, ...given: readonly unknown[]) => {
        const service = services.get(project) ?? first;
        return (service[name] as (...all: readonly unknown[]) => unknown)(project, ...given);
      };
    },
  });
}

export async function openCustomers(changes: Partial<ParleySettings> = {}) {
  const state = await openState({ dataDir: await temporaryFolder("two-customers"), clock, log });
  const service = await openService();
  const reading = createPageReading({ allowsPrivate: true, version: "test", clock, log });
  const platforms = ["slack", "discord"].map((name) => {
    const memory = createMemoryPlatform({ clock, name });
    const platform: ChatPlatform = { ...memory, visibility: async () => "public", isMember: async () => true };
    return { name, memory, platform };
  });
  let overview: Overview | undefined;
  const parley = await composeParley({
    settings: settingsWith({ workspaceProjects, commandsPerPersonPerMinute: 10_000, ...changes }),
    ...{ state, service, clock, log, reading, metrics: noMetrics },
    platforms: platforms.map(({ name, platform }) => ({
      name,
      connect: async (parts: SharedParts) => {
        overview = parts.overview;
        return platform;
      },
    })),
  });
  await parley.start();
  if (overview === undefined) throw new Error("No platform was connected.");
  const visit = visiting({ state, overview, port: () => parley.bridge, clock, log });
  const memoryOf = ({ platform }: Place) => {
    const found = platforms.find(({ name }) => name === platform);
    if (found === undefined) throw new Error(`No platform is called ${platform}.`);
    return found.memory;
  };
  const actorIn = ({ workspace }: Place, person: Partial<Actor> = {}): Actor => ({ ...boss, workspace, ...person });
  let events = 0;

  async function send(place: Place, inbound: Record<string, unknown>, person: Partial<Actor> = {}) {
    events += 1;
    const sent: Document[] = [];
    let form: Form | undefined;
    await memoryOf(place).emit({
      eventKey: `${place.platform}/${place.workspace}/${events}`,
      order: String(events).padStart(10, "0"),
      actor: actorIn(place, person),
      conversation: { ...place, thread: `asked-${events}` },
      attachments: [],
      ack: async (ack: Acknowledgement) => {
        if (ack.kind === "form") form = ack.form;
      },
      reply: { send: async (document: Document) => void sent.push(document) },
      place,
      ...inbound,
    } as unknown as Inbound);
    return { sent, form, text: () => sent.map((one) => `${documentText(one)}\n${JSON.stringify(one)}`).join("\n") };
  }

  return {
    ...{ state, service, parley, send, actorIn },
    /** What a visitor of the pages at /admin gets. */
    read: async (visitor: Partial<Visitor>, path: string) => {
      const response = await visit.pagesFor(visitor).request(path);
      return { status: response.status, text: await response.text() };
    },
    act: visit.act,
    command: (place: Place, text: string, person?: Partial<Actor>) =>
      send(place, { kind: "command", input: { kind: "typed", text } }, person),
    press: (place: Place, action: string, value: string, person?: Partial<Actor>) =>
      send(place, { kind: "action", action, value }, person),
    submit: (place: Place, formId: string, values: Record<string, unknown>, context = "") =>
      send(place, { kind: "form", formId, values, context }),
    complete: async (place: Place, completes: CompletionQuery["completes"], typed = "") => {
      const query = { completes, typed, place, actor: actorIn(place) } as CompletionQuery;
      return (await parley.bridge.complete(query)).map(({ label }) => label);
    },
    /** Asks, and waits for the end of the answer. Returns what is shown. */
    ask: async (place: Place, text: string, person?: Partial<Actor>): Promise<string> => {
      const thread = `asked-${events + 1}`;
      const reply = await send(place, { kind: "command", input: { kind: "typed", text: `/ask ${text}` } }, person);
      const shown = () =>
        memoryOf(place)
          .thread({ ...place, thread })
          .at(-1)?.payload;
      await until(
        "the question has its end",
        () =>
          reply.sent.length > 0 ||
          ["done", "failed"].includes(shown()?.tone ?? "") ||
          shown()?.actions.some(({ id }) => id === "choose-agent") === true,
      );
      return shown()?.text ?? reply.text();
    },
    /** All that Parley has posted there. */
    posted: (place: Place) =>
      memoryOf(place)
        .writes.filter((write) => write.place.workspace === place.workspace)
        .map(({ payload }) => payload?.text ?? "")
        .join("\n"),
    close: async () => {
      await parley.drain(0);
      await parley.close();
      await service.close();
      await reading.close();
      await state.close();
    },
  };
}

export type Customers = Awaited<ReturnType<typeof openCustomers>>;
