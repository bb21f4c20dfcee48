/** The faults of a chaos run, each once per call, with a count of each. */
import type { ParleyProcess } from "../doubles/processes/parley-process.ts";
import type { RedisServer } from "../doubles/processes/redis-server.ts";
import type { FakeDiscord } from "../fakes/discord/index.ts";
import type { Town } from "../reliability/towns/slack-town.ts";
import type { Chance } from "./chance.ts";

export type Faults = {
  /** One of them, by chance. */
  readonly strike: () => void;
  /** Kills the instance that may die, and starts it again, unless it is dying already. */
  readonly kill: () => void;
  /** Resolves when everything that was taken away is back. */
  readonly over: () => Promise<unknown>;
  readonly counts: Readonly<Record<string, number>>;
};

export function createFaults(options: {
  readonly town: Town;
  readonly discord: FakeDiscord;
  /** Absent on SQLite, which goes away with its process. */
  readonly redis: RedisServer | undefined;
  /** Frozen at times and never killed: whether memory is flat shows on who lives long. */
  readonly steady: ParleyProcess;
  /** On SQLite the same one. */
  readonly mortal: ParleyProcess;
  readonly chance: Chance;
}): Faults {
  const { town, discord, redis, steady, mortal, chance } = options;
  const counts: Record<string, number> = {};
  let busy: Promise<unknown> = Promise.resolve();
  /** A kill is under way, or waits for another fault to be over. */
  let isDying = false;

  const pause = (fromMs: number, toMs: number) =>
    new Promise((resolve) => setTimeout(resolve, chance.between(fromMs, toMs)));
  /** Faults of one kind wait for each other: one Redis cannot be restarted twice at once. */
  const oneAfterTheOther = (work: () => Promise<unknown>) => {
    busy = busy.then(work, work);
  };

  const ofRedis = (server: RedisServer) => ({
    redisRestarts: () =>
      oneAfterTheOther(async () => {
        await server.kill();
        await pause(0, 2_000);
        await server.restart();
      }),
    /** What an instance said to people in an outage is stored nowhere when it dies before the outage is over. */
    deathsInOutages: () => {
      isDying = true;
      oneAfterTheOther(async () => {
        await server.kill();
        await pause(500, 2_000);
        await mortal.kill();
        await server.restart();
        await mortal.start("/healthz");
        isDying = false;
      });
    },
  });

  const faults: Readonly<Record<string, () => void>> = {
    kills: () => {
      isDying = true;
      oneAfterTheOther(async () => {
        await mortal.kill();
        await pause(0, 3_000);
        await mortal.start("/healthz");
        isDying = false;
      });
    },
    freezes: () => {
      const frozen = chance.pick([steady, mortal]);
      oneAfterTheOther(async () => {
        frozen.freeze();
        await pause(500, 4_000);
        frozen.thaw();
      });
    },
    ...(redis === undefined ? {} : ofRedis(redis)),
    serviceAways: () =>
      oneAfterTheOther(async () => {
        await town.service.refuseConnections();
        await pause(500, 3_000);
        await town.service.acceptConnections();
      }),
    slackCuts: () => {
      for (const socket of town.slack.deliveries.sockets) if (chance.happens(0.5)) socket.kill();
    },
    slackFaults: () => {
      const method = chance.pick(["chat.postMessage", "chat.update", "chat.update"]);
      town.slack.fail(method, chance.pick(["ratelimited", "lost", "500", "internal_error"]), { retryAfterS: 1 });
    },
    discordCuts: () => {
      if (chance.happens(0.3)) discord.gateway.refuseNext(2);
      if (chance.happens(0.5)) discord.gateway.kill();
      else discord.gateway.close(4_000);
    },
    /** Nothing is said again to whoever comes back: what was missed has to be read. */
    discordForgets: () => {
      discord.gateway.forget();
      discord.gateway.kill();
    },
    discordZombies: () =>
      oneAfterTheOther(async () => {
        discord.gateway.zombie(true);
        await pause(500, 7_000);
        discord.gateway.zombie(false);
        // What was not said on these sockets is said to whoever resumes, as the real ones do.
        discord.gateway.kill();
      }),
    discordFaults: () => {
      const route = chance.pick(["POST /channels/:c/messages", "PATCH /channels/:c/messages", "PATCH /webhooks"]);
      discord.fault(route, chance.pick(["429", "lost", "500", "503"]), 1, 1);
    },
  };
  const names = Object.keys(faults);
  for (const name of names) counts[name] = 0;

  const strike = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
    faults[name]?.();
  };

  return {
    counts,
    kill: () => {
      if (!isDying) strike("kills");
    },
    strike: () => {
      const name = chance.any(names);
      if (name !== undefined) strike(name);
    },
    over: () => busy,
  };
}
