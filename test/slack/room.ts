/**
 * Slack's adapter over the real Bolt and a strict local Slack, with a scripted bridge that notes what it is handed.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createSlack, type SlackPlatform } from "../../adapters/slack/index.ts";
import type { CompletionQuery, Inbound } from "../../src/ports/chat-platform.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Choice, Document } from "../../src/ports/document.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Coordinator, KeyValue } from "../../src/ports/state.ts";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import {
  appToken,
  botToken,
  type FakeSlack,
  type FakeSlackOptions,
  signingSecret,
  startFakeSlack,
} from "../fakes/slack/index.ts";

export type Script = {
  /** What the bridge does with an event; by default it acknowledges. */
  readonly on?: (inbound: Inbound, platform: SlackPlatform) => Promise<void>;
  readonly complete?: (query: CompletionQuery) => Promise<readonly Choice[]>;
};

export type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
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
};

type RoomOptions = FakeSlackOptions & InstanceOptions & { readonly before?: (slack: FakeSlack) => void };

/** Pauses between attempts are shortened; nothing else waits by `sleep`. */
export const quickClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) };

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
    ...(options.http === true ? { signingSecret } : { appToken }),
    apiUrl: slack.apiUrl,
    log: collect(lines),
    clock: options.clock ?? quickClock,
    boundChannels: async () => options.bound ?? [],
    keyValue,
    coordinator: options.coordinator ?? coordinator,
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

export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, found ${list.length}`);
  return first;
}

/** The first event of that kind. */
export function first<K extends Inbound["kind"]>(seen: readonly Inbound[], kind: K): Extract<Inbound, { kind: K }> {
  const found = seen.find((inbound) => inbound.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${seen.map((inbound) => inbound.kind)}`);
  return found as Extract<Inbound, { kind: K }>;
}

export function notice(text: string): Document {
  return { tone: "info", blocks: [{ kind: "text", text: [{ text }] }], actions: [], summary: text };
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
    summary: "The answer is there.",
  };
}

export function memoryKeyValue(): KeyValue<string> {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => void entries.delete(key),
    entries: async function* (prefix) {
      for (const entry of entries) if (entry[0].startsWith(prefix)) yield entry;
    },
  };
}

function collect(lines: LogLine[]): Log {
  const write = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message, fields });
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
