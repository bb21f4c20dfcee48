/** Slack's adapter over the real Bolt and a strict local Slack, with a scripted bridge that records its events. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createSlack, type SlackPlatform } from "../../adapters/slack/index.ts";
import type { Choice, Document } from "../../src/core/document.ts";
import type { AdapterMetrics } from "../../src/core/metrics.ts";
import type { Actor } from "../../src/core/model/place.ts";
import type { CompletionQuery, Inbound } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Coordinator, KeyValue } from "../../src/core/ports/state.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { collectLines, type LogLine, memoryKeyValue, quickClock } from "../doubles/room-parts.ts";
import {
  appToken,
  botToken,
  type FakeSlack,
  type FakeSlackOptions,
  signingSecret,
  startFakeSlack,
} from "../fakes/slack/index.ts";

/** As Slack describes her. */
export const alice: Actor = {
  id: "U0ALICE",
  workspace: "T0ACME",
  name: "alice",
  isAdmin: true,
  isGuest: false,
  isExternal: false,
  isBot: false,
  roles: [],
};

export type Script = {
  /** What the bridge does with an event; by default it acknowledges. */
  readonly on?: (inbound: Inbound, platform: SlackPlatform) => Promise<void>;
  readonly complete?: (query: CompletionQuery) => Promise<readonly Choice[]>;
};

export type Room = {
  readonly slack: FakeSlack;
  readonly platform: SlackPlatform;
  readonly seen: readonly Inbound[];
  readonly log: readonly LogLine[];
  readonly keyValue: KeyValue<string>;
  readonly coordinator: Coordinator;
  /** HTTP mode: Slack's request URL. */
  readonly url: string;
};

type InstanceOptions = {
  readonly http?: boolean;
  /** Channels that an agent is bound to. */
  readonly bound?: readonly string[];
  readonly clock?: Clock;
  readonly coordinator?: Pick<Coordinator, "lease">;
  readonly metrics?: AdapterMetrics;
};

type RoomOptions = FakeSlackOptions & InstanceOptions & { readonly before?: (slack: FakeSlack) => void };

export async function openRoom(script: Script = {}, options: RoomOptions = {}): Promise<Room> {
  const slack = await startFakeSlack(options);
  options.before?.(slack);
  onTestFinished(slack.stop);
  return join(slack, memoryKeyValue(), createMemoryCoordinator({ clock: quickClock }), script, options);
}

/** One more instance over the same storage, or the next one. */
export function joinRoom(room: Room, script: Script = {}, options: InstanceOptions = {}): Promise<Room> {
  return join(room.slack, room.keyValue, room.coordinator, script, options);
}

async function join(
  slack: FakeSlack,
  keyValue: KeyValue<string>,
  coordinator: Coordinator,
  script: Script,
  options: InstanceOptions,
): Promise<Room> {
  const lines: LogLine[] = [];
  const platform = createSlack({
    botToken,
    intake: options.http === true ? { kind: "http", signingSecret } : { kind: "socket", appToken },
    apiUrl: slack.apiUrl,
    log: collectLines(lines),
    clock: options.clock ?? quickClock,
    boundChannels: async () => options.bound ?? [],
    keyValue,
    coordinator: { ...coordinator, ...options.coordinator },
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
  });
  const url = await serve(platform);
  if (options.http === true) slack.useRequestUrl(url);
  const seen: Inbound[] = [];
  onTestFinished(platform.close);
  await platform.start({
    handle: async (inbound) => {
      seen.push(inbound);
      await (script.on ?? ((event) => event.ack({ kind: "none" })))(inbound, platform);
    },
    complete: script.complete ?? (async () => []),
  });
  return { slack, platform, seen, log: lines, keyValue, coordinator, url };
}

/** Parley's own server, with Slack's listener mounted. */
async function serve(platform: SlackPlatform): Promise<string> {
  const mount = platform.httpMount;
  if (mount === undefined) return "";
  const server = createServer(mount.listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount.path}`;
}

/** The first event of that kind. */
export function first<K extends Inbound["kind"]>(seen: readonly Inbound[], kind: K): Extract<Inbound, { kind: K }> {
  const found = seen.find((inbound) => inbound.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${seen.map((inbound) => inbound.kind)}`);
  return found as Extract<Inbound, { kind: K }>;
}

export function running(title: string): Document {
  return {
    tone: "running",
    blocks: [
      { kind: "headline", text: [{ text: "guide", style: "bold" }, { text: " is looking it up" }] },
      { kind: "steps", earlier: 0, steps: [{ state: "running", title: [{ text: title }] }] },
    ],
    actions: [{ id: "stop", label: "Stop", value: "turn1", style: "plain" }],
    summary: "guide is looking it up",
  };
}

export function answered(markdown: string): Document {
  return {
    tone: "done",
    blocks: [{ kind: "markdown", text: markdown }],
    actions: [{ id: "steps", label: "Show steps", value: "turn1", style: "plain" }],
    summary: "Answer ready.",
  };
}
