/** Composes the bridge with delivery and SQLite, over a service and a platform that the bench chooses. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingsSchema } from "../src/config/settings.ts";
import type { Gap } from "../src/core/model/insight.ts";
import type { AgentService } from "../src/core/ports/agent-service.ts";
import type { ChatPlatform, Inbound } from "../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { createGapStore } from "../src/insight/gaps/gap-store.ts";
import { createPageReading } from "../src/knowledge/knowledge.ts";
import { composeParley, type ParleySettings } from "../src/parley.ts";
import { openState } from "../src/state/open-state.ts";
import { noMetrics } from "../test/doubles/nulls/no-metrics.ts";
import { silentLog as log } from "../test/doubles/silent-log.ts";

const maxGaps = 1_000;

export async function openParley(
  service: AgentService,
  platform: ChatPlatform,
  options: { readonly redisUrl?: string; readonly dataDir?: string; readonly settings?: Partial<ParleySettings> } = {},
) {
  const { redisUrl, dataDir = await mkdtemp(join(tmpdir(), "parley-bench-")) } = options;
  const state = await openState({ dataDir, clock, log, ...(redisUrl === undefined ? {} : { redisUrl }) });
  // One person asks everything here.
  const questionLimits = { questionsPerPersonPerMinute: 1_000_000, questionsPerChannelPerMinute: 1_000_000 };
  const waiting = { perPerson: 1_000_000, inAll: 1_000_000 };
  const limits = { questionLimits, waiting, recoveryIntervalMs: 0, laneSettleMs: 0 };
  const reading = createPageReading({ allowsPrivate: true, version: "bench", clock, log });
  const parley = await composeParley({
    settings: { ...settingsSchema.parse({}), secrets: [], version: "bench", ...limits, ...options.settings },
    state,
    service,
    platforms: [{ name: platform.name, connect: async () => platform }],
    reading,
    metrics: noMetrics,
    clock,
    log,
  });
  const { bridge, bindings } = parley;
  await platform.start(bridge);
  return {
    bindings,
    /** A mention in a channel and thread of its own; resolves when it is journaled. */
    ask: (index: number, asked?: Asked) => bridge.handle(question(platform.name, index, asked)),
    /** Looks for what is unfinished, now and from then on. */
    recover: () => bridge.recover(),
    /** Open ones of all workspaces, once everything that was noted is grouped. */
    gaps: async (): Promise<readonly Gap[]> => {
      await parley.drain(0);
      const gaps = createGapStore(state);
      return (await gaps.everywhere("open", "all", maxGaps)).gaps.map(({ gap }) => gap);
    },
    unfinished: () => bridge.counts().running + bridge.counts().waiting,
    close: async () => {
      await reading.close();
      await state.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Parley = Awaited<ReturnType<typeof openParley>>;

type Asked = {
  readonly actorId: string;
  readonly text: string;
  /** Default: T1, and a channel of its own. */
  readonly workspace?: string;
  readonly channel?: string;
};

function question(
  platform: string,
  index: number,
  { actorId, text, workspace = "T1", channel = `c${index}` }: Asked = {
    actorId: "U1",
    text: "When does the backup run?",
  },
): Inbound {
  const place = { platform, workspace, channel };
  const id = String(index);
  return {
    kind: "message",
    eventKey: `memory/${workspace}/${id}`,
    order: id.padStart(10, "0"),
    place,
    conversation: { ...place, thread: id },
    actor: {
      ...{ id: actorId, workspace, name: "Bench", roles: [] },
      ...{ isAdmin: false, isGuest: false, isExternal: false, isBot: false },
    },
    messageId: id,
    text,
    attachments: [],
    mentionsParley: true,
    addressesOthers: false,
    isDirect: false,
    ack: async () => {},
    reply: { send: async () => {} },
  };
}
