/** The adapter as many workspaces install it, over a real store and a strict local Slack. */
import { onTestFinished } from "vitest";
import { createSlack } from "../../adapters/slack/index.ts";
import type { Inbound } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createHttpServer } from "../../src/operations/http-server.ts";
import { openState } from "../../src/state/open-state.ts";
import { freePort } from "../doubles/network/free-port.ts";
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
    /** Of PUBLIC_URL. */
    readonly path?: string;
    readonly trustedProxy?: readonly string[];
  } = {},
) {
  const { clock = systemClock, secret = stateSecret, path = "", trustedProxy } = options;
  const lines: LogLine[] = [];
  const seen: Inbound[] = [];
  const forgotten: string[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  const server = createHttpServer({ host: "127.0.0.1", port, publicUrl: url, clock: systemClock, log: silentLog });
  onTestFinished(() => server.close(0));
  const { collection, claims, works, coordinator, keyValue } = state;
  const platform = createSlack({
    oauth: {
      ...{ clientId, clientSecret, stateSecret: secret, listed: options.listed, baseUrl: url },
      ...{ collection, claims, works, coordinator, trustedProxy },
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
  const { httpMount, installPages } = platform;
  if (httpMount === undefined) throw new Error("no mount");
  for (const [path, listener] of Object.entries(installPages ?? {})) server.handleNode(path, listener);
  server.handleNode(httpMount.path, httpMount.listener);
  await server.listen();
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
