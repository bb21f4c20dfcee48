/**
 * A whole Parley with Slack as its only platform: the real adapter over the real Bolt, the real bridge, commands,
 * delivery and store, against a strict local Slack. The test controls only the agents.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createSlack } from "../../../adapters/slack/index.ts";
import type { Feedback } from "../../../src/core/model/insight.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Overview } from "../../../src/core/ports/overview.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { type Parley as ComposedParley, composeParley, type ParleySettings } from "../../../src/parley.ts";
import { openState } from "../../../src/state/open-state.ts";
import { visiting } from "../../console/admin/visiting.ts";
import { readingFor, settingsWith } from "../../doubles/composition.ts";
import { noMetrics } from "../../doubles/nulls/no-metrics.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import type { Delivery } from "../../fakes/slack/deliveries.ts";
import {
  appToken,
  botToken,
  type FakeSlack,
  type FakeSlackOptions,
  signingSecret,
  startFakeSlack,
} from "../../fakes/slack/index.ts";
import { install, stateSecret } from "../../fakes/slack/installing.ts";
import { clientId, clientSecret, type Decision } from "../../fakes/slack/oauth.ts";
import { bot, type Json, type StoredMessage } from "../../fakes/slack/world.ts";

export type ParleyOptions = {
  readonly slack?: FakeSlackOptions;
  readonly settings?: Partial<ParleySettings>;
  readonly commandPrefix?: string;
  readonly clock?: Clock;
  readonly service?: Partial<AgentService>;
  /** Events come as signed requests. */
  readonly http?: boolean;
  /** Workspaces install the app by OAuth. `slack.oauth` is on then. */
  readonly oauth?: { readonly listed?: "*" | readonly string[] };
};

/** Time that runs `factor` times as fast, for pauses that a person would not wait for either. */
export function fastClock(factor: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    after: (ms, callback) => systemClock.after(ms / factor, callback),
  };
}

export async function openParley(options: ParleyOptions = {}) {
  const { clock = systemClock, commandPrefix = "" } = options;
  const slack = await startFakeSlack({
    ...options.slack,
    ...(options.oauth === undefined ? {} : { oauth: { ...options.slack?.oauth } }),
  });
  const dataDir = await temporaryFolder("slack");
  const agents = createAgents();
  const service: AgentService = { ...agents, ...options.service };
  const state = await openState({ dataDir, clock, log });

  let overview: Overview | undefined;
  const servers: string[] = [];
  const start = async () => {
    const parley = await composeParley({
      ...{
        settings: { ...settingsWith(options.settings), commandPrefix },
        state,
        service,
        metrics: noMetrics,
        clock,
        log,
      },
      reading: readingFor(clock),
      platforms: [
        {
          name: "slack",
          connect: async ({ keyValue, coordinator, boundChannels, ...shared }) => {
            overview = shared.overview;
            const server = await openServer();
            const access =
              options.oauth === undefined
                ? { botToken }
                : {
                    oauth: {
                      ...shared,
                      coordinator,
                      clientId,
                      clientSecret,
                      stateSecret,
                      listed: options.oauth.listed,
                      baseUrl: server.url,
                    },
                  };
            const platform = createSlack({
              ...access,
              intake: options.http === true ? { kind: "http", signingSecret } : { kind: "socket", appToken },
              apiUrl: slack.apiUrl,
              keyValue: keyValue("slack"),
              ...{ coordinator, boundChannels, clock, log },
            });
            const { httpMount, installPages = {} } = platform;
            if (httpMount !== undefined) slack.useRequestUrl(server.url + httpMount.path);
            server.use({
              ...installPages,
              ...(httpMount === undefined ? {} : { [httpMount.path]: httpMount.listener }),
            });
            servers.push(server.url);
            return platform as ChatPlatform;
          },
        },
      ],
    });
    await parley.start();
    return parley;
  };

  const running = await start();
  const also: ComposedParley[] = [];
  onTestFinished(async () => {
    for (const parley of [running, ...also]) await parley.close();
    await state.close().catch(() => undefined);
    await slack.stop();
  });

  /** What Parley said in a thread, oldest first. */
  const replies = (thread: string, channel = "C0GENERAL") =>
    slack.world.thread(channel, thread).filter((message) => message.bot_id !== undefined);
  return {
    slack,
    agents,
    state,
    /** Parley's own server, one for each instance. */
    servers,
    /** Someone installs the app, at that instance. */
    install: (decision: Decision, url = servers[0] ?? "") => install(slack, url, decision),
    alice: slack.person("U0ALICE"),
    bob: slack.person("U0BOB"),
    bridge: () => running.bridge,
    bindings: () => running.bindings,
    votes: async (): Promise<readonly Feedback[]> =>
      (await Array.fromAsync(state.keyValue<Feedback>("feedback").entries("slack/"))).map(([, vote]) => vote),
    collection: state.collection,
    /** What is shown is recorded a moment later. */
    recorded: () => until("the end is recorded", async () => (await state.turns.recent(1))[0]?.state === "answered"),
    /** The admin pages of this Parley. */
    admin: () => {
      if (overview === undefined) throw new Error("Slack was not connected.");
      return visiting({ state, overview, port: () => running.bridge, clock, log });
    },
    replies,
    /** Resolves when nothing is being answered, and everything that Slack sent was acknowledged. */
    idle: () =>
      until("the end of all questions", () => {
        const { running: now, waiting } = running.bridge.counts();
        // What Slack gave up, since a busy machine acknowledged it too late, doesn't arrive again either.
        const isSettled = (one: Delivery) => one.isAcknowledged || slack.deliveries.lost.includes(one);
        return now + waiting === 0 && slack.deliveries.all.every(isSettled);
      }),
    /** Resolves when some message of Parley's in the thread shows these words. */
    shows: async (thread: string, words: string, channel?: string): Promise<StoredMessage> => {
      const find = () => replies(thread, channel).find((message) => wordsOf(message).includes(words));
      await until(`a message with “${words}”`, () => find() !== undefined);
      return find() as StoredMessage;
    },
    /** What only that person sees, newest last, whichever way it came. */
    seenOnlyBy: (id: string): readonly string[] =>
      [...slack.world.messages.values()].filter((one) => one.visibleTo === id).map(wordsOf),
    /** Another instance over the same store, as after a deployment. */
    another: async () => {
      also.push(await start());
    },
  };
}

export type Parley = Awaited<ReturnType<typeof openParley>>;

/** Listeners by path, as on Parley's own server. */
async function openServer() {
  let listeners: Readonly<Record<string, RequestListener>> = {};
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const listener = listeners[path];
    if (listener === undefined) response.writeHead(404).end();
    else listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (all: Readonly<Record<string, RequestListener>>) => {
      listeners = all;
    },
  };
}

/** All messages of Parley's that more than one person can see, or one in direct messages. */
export function saidBy(slack: FakeSlack): readonly StoredMessage[] {
  return [...slack.world.messages.values()].filter((one) => one.bot_id === bot.botId && one.visibleTo === undefined);
}

/** All words of a message as a person reads them. */
export function wordsOf(message: Pick<StoredMessage, "blocks">): string {
  return textOf(message.blocks);
}

export function shows(message: StoredMessage, words: RegExp | string): boolean {
  const shown = wordsOf(message);
  return typeof words === "string" ? shown.includes(words) : words.test(shown);
}

export function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join(" ").replace(/ {2,}/g, " ");
  if (typeof node !== "object" || node === null) return "";
  return Object.entries(node as Json)
    .map(([key, value]) => {
      if (typeof value !== "string") return textOf(value);
      // A date is shown in the reader's time zone; here as it would be without one.
      const isShown = key === "text" || key === "title" || (key === "fallback" && (node as Json)["type"] === "date");
      return isShown ? value : "";
    })
    .filter((part) => part !== "")
    .join(" ")
    .replace(/ {2,}/g, " ");
}

/** Buttons under a message, by their labels. The two thumbs are one element. */
export function buttonsOf(message: Pick<StoredMessage, "blocks">): readonly string[] {
  const elements = message.blocks.flatMap((block) =>
    ["actions", "context_actions"].includes(String(block["type"])) ? (block["elements"] as readonly Json[]) : [],
  );
  return elements.flatMap((element) => {
    const { text, positive_button: up, negative_button: down } = element as Readonly<Record<string, Json>>;
    return (up === undefined || down === undefined ? [text] : [up["text"], down["text"]]).map(textOf);
  });
}
