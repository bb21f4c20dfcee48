/** The adapter as many workspaces install it, over a real store and a strict local Slack. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createSlack } from "../../adapters/slack/index.ts";
import type { Inbound } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { collectLines, type LogLine } from "../doubles/room-parts.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { type FakeSlack, signingSecret, startFakeSlack } from "../fakes/slack/index.ts";
import { stateSecret } from "../fakes/slack/installing.ts";
import { clientId, clientSecret, type OAuthOptions } from "../fakes/slack/oauth.ts";

/** A clock that goes wrong by so much; it can be changed. */
export type WrongClock = Clock & { offsetMs: number };

export function wrongClock(offsetMs = 0): WrongClock {
  const clock: WrongClock = { ...systemClock, offsetMs, now: () => Date.now() + clock.offsetMs };
  return clock;
}

export async function openSlack(oauth: OAuthOptions = {}): Promise<FakeSlack> {
  const slack = await startFakeSlack({ oauth });
  onTestFinished(slack.stop);
  return slack;
}

export async function openStore(redisUrl?: string): Promise<State> {
  const dataDir = redisUrl === undefined ? await temporaryFolder("installs") : "";
  const state = await openState({ dataDir, redisUrl, clock: systemClock, log: silentLog });
  onTestFinished(() => state.close().catch(() => undefined));
  return state;
}

/** One instance of Parley's adapter, with a scripted bridge that acknowledges. */
export async function openInstance(
  slack: FakeSlack,
  state: State,
  options: {
    readonly listed?: "*" | readonly string[];
    readonly clock?: Clock;
    readonly secret?: string;
    /** Called before it starts. */
    readonly before?: (platform: ReturnType<typeof createSlack>) => Promise<void>;
  } = {},
) {
  const { clock = systemClock, secret = stateSecret } = options;
  const lines: LogLine[] = [];
  const seen: Inbound[] = [];
  const forgotten: string[] = [];
  let listeners: Readonly<Record<string, RequestListener>> = {};
  const server = createServer((request, response) => {
    const listener = listeners[(request.url ?? "").split("?", 1)[0] ?? ""];
    if (listener === undefined) response.writeHead(404).end();
    else listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { collection, claims, works, coordinator, keyValue } = state;
  const platform = createSlack({
    oauth: {
      ...{ clientId, clientSecret, stateSecret: secret, listed: options.listed, baseUrl: url },
      ...{ collection, claims, works, coordinator },
      forgetWorkspace: async (workspace) => void forgotten.push(workspace),
    },
    intake: { kind: "http", signingSecret },
    apiUrl: slack.apiUrl,
    keyValue: keyValue("slack"),
    coordinator,
    boundChannels: async () => [],
    log: collectLines(lines),
    clock,
  });
  const { httpMount, installPages = {} } = platform;
  if (httpMount === undefined) throw new Error("no mount");
  listeners = { ...installPages, [httpMount.path]: httpMount.listener };
  slack.useRequestUrl(url + httpMount.path);
  onTestFinished(platform.close);
  await works.start();
  await options.before?.(platform);
  await platform.start({
    handle: async (inbound) => {
      seen.push(inbound);
      await inbound.ack({ kind: "none" });
    },
    complete: async () => [],
  });
  return { platform, url, seen, forgotten, log: lines };
}

/** Ids of the workspaces that have the app, as they are stored. */
export async function storedIn(state: State): Promise<readonly string[]> {
  const stored = state.collections().find(({ name }) => name === "slack-installations");
  const ids = await Array.fromAsync(stored?.entries() ?? [], ({ id }) => id);
  return ids.sort();
}
