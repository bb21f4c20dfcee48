/**
 * The console on a real server on 127.0.0.1, with a bridge that follows the test's script. Storage outlives a restart
 * when the test passes it to the next server.
 */
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { type Console, type ConsoleOptions, createConsole } from "../../adapters/console/index.ts";
import type { Document } from "../../src/core/document.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { Acknowledgement, Inbound, InboundPort } from "../../src/core/ports/chat-platform.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { noKnowledge } from "../doubles/nulls/no-knowledge.ts";
import { noOverview } from "../doubles/nulls/no-overview.ts";
import { noPictures } from "../doubles/nulls/no-pictures.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { firstView } from "./documents.ts";

const commands: ReturnType<ConsoleOptions["commands"]> = [
  {
    name: "/ask",
    group: "ask",
    description: "Ask a question",
    options: [{ name: "question", description: "What to ask", isRequired: true }],
  },
  { name: "/agent list", group: "agent", description: "List the agents", options: [] },
  {
    name: "/agent use",
    group: "agent",
    description: "Choose who answers in this channel",
    options: [
      { name: "name", description: "Which agent", isRequired: true, completes: "agent" },
      { name: "scope", description: "Where", isRequired: false, choices: ["channel", "workspace"] },
    ],
  },
  { name: "/agent create", group: "agent", description: "Make an agent", options: [] },
  { name: "/kb list", group: "kb", description: "List the knowledge bases", options: [] },
  { name: "/parley help", group: "parley", description: "Show every command", options: [] },
];

type Script = (inbound: Inbound, scripted: ScriptedConsole) => Promise<void>;

export type ScriptedConsole = {
  readonly console: Console;
  readonly url: string;
  readonly port: number;
  /** Everything that was handed to the bridge, in order. */
  readonly state: State;
  readonly inbounds: Inbound[];
  /** Shows a document as part 0 of a Reply, as the Reply writer does: posts it, or edits what stands there. */
  readonly show: (place: Place, replyId: string, document: Document) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const none: Acknowledgement = { kind: "none" };

/** `script` runs for each inbound; the default acknowledges and does nothing. */
export async function startScriptedConsole(
  options: Partial<ConsoleOptions> & {
    readonly script?: Script;
    readonly listenOn?: number;
    readonly dataDir?: string;
  } = {},
): Promise<ScriptedConsole> {
  const { script = (inbound) => inbound.ack(none), listenOn = 0, dataDir, ...rest } = options;
  const state = await openState({
    dataDir: dataDir ?? (await temporaryFolder("console")),
    clock: systemClock,
    log: silentLog,
  });
  const console = createConsole({
    keyValue: state.keyValue,
    collection: state.collection,
    works: state.works,
    coordinator: state.coordinator,
    forget: async () => 0,
    checkAskedAlone: async () => {},
    unbind: async () => {},
    clock: systemClock,
    log: silentLog,
    host: "127.0.0.1",
    baseUrl: "http://127.0.0.1:3000",
    projectFolder: new URL("../..", import.meta.url).pathname.replace(/\/$/, ""),
    commands: () => commands,
    firstView: async () => firstView,
    ownVote: async () => undefined,
    turnOf: async () => undefined,
    readKnowledge: noKnowledge,
    pictures: noPictures,
    overview: noOverview,
    audit: { record: async () => {} },
    version: "test",
    notifyAfterMs: 60_000,
    ...rest,
  });
  const app = new Hono();
  app.get("/healthz", (context) => context.text("ok"));
  await console.mount(app);

  const inbounds: Inbound[] = [];
  const port: InboundPort = {
    handle: async (inbound) => {
      inbounds.push(inbound);
      await script(inbound, scripted);
    },
    complete: async ({ typed }) =>
      ["guide", "sales", "support_agent"]
        .filter((name) => name.startsWith(typed))
        .map((name) => ({ value: name, label: name })),
  };
  await console.start(port);
  await state.works.start();

  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: listenOn }, () => resolve(started));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");

  const scripted: ScriptedConsole = {
    console,
    state,
    inbounds,
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    show: async (place, replyId, document) => {
      const [payload] = console.render(document);
      if (payload === undefined) throw new Error("render is never empty");
      const [own] = await console.findOwn(place, replyId, 0);
      const write = { urgency: "progress" } as const;
      if (own === undefined) await console.post(place, payload, { replyId, part: 0, generation: 0 }, write);
      else await console.edit({ place, messageId: own.messageId }, payload, write);
    },
    stop: async () => {
      await console.stopIntake();
      await console.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
      await state.close();
    },
  };
  return scripted;
}
