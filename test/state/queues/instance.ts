/**
 * One instance of the simulation: a coordinator on a connection that can be cut, go silent and stand still. Its clock
 * stands still with it, as in a process that is stopped: what was due meanwhile happens first when it continues.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../../src/state/redis/coordinator.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";

/** How much faster a connection tries and gives up; the times of queues are shorter still. */
const speed = 2;
export const times = { leaseMs: 3_000, renewEveryMs: 1_000, retryMs: 200, unattendedMs: 4_000 };
/** Above the longest pause between two connection attempts, which the client of Redis makes in real time. */
export const settleMs = 1_500;

type Fault = { readonly fromMs: number; toMs: number };

export type Instance = {
  readonly name: string;
  readonly coordinator: Coordinator;
  /** Times in which it could not reach Redis; the last one may not be over. */
  readonly faults: readonly Fault[];
  readonly isDead: () => boolean;
  /** Neither cut off nor stopped. */
  readonly isWell: () => boolean;
  readonly cut: (isCut: boolean) => void;
  /** What is connected stays so, and hears nothing again. */
  readonly silence: () => void;
  /** Ends that silence. */
  readonly reset: () => void;
  readonly stop: (isStopped: boolean) => void;
  /** Nothing is given back. */
  readonly kill: () => void;
  readonly close: () => Promise<void>;
};

type Link = { readonly client: Socket; readonly target: Socket; isSilent: boolean };

/** Between an instance and Redis. */
async function startProxy(targetPort: number) {
  const links = new Set<Link>();
  let isCut = false;
  let isStopped = false;
  const server = createServer({ pauseOnConnect: false }, (client) => {
    client.on("error", () => {});
    if (isCut) return void client.destroy();
    const target = connect(targetPort, "127.0.0.1");
    target.on("error", () => {});
    const link: Link = { client, target, isSilent: false };
    links.add(link);
    client.on("data", (bytes) => link.isSilent || target.write(bytes));
    target.on("data", (bytes) => link.isSilent || client.write(bytes));
    if (isStopped) target.pause();
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy());
    target.on("close", () => links.delete(link));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return {
    port: address.port,
    cut: (nowCut: boolean) => {
      isCut = nowCut;
      if (isCut) for (const { client } of links) client.destroy();
    },
    silence: () => {
      for (const link of links) link.isSilent = true;
    },
    stop: (nowStopped: boolean) => {
      isStopped = nowStopped;
      for (const { target } of links) isStopped ? target.pause() : target.resume();
    },
    close: () => {
      server.close();
      for (const { client } of links) client.destroy();
    },
  };
}

/** `factor`: how much faster than real time. */
function createStoppableClock(factor: number) {
  let isStopped = false;
  let due: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() * factor,
    after: (ms, callback) => {
      let isCancelled = false;
      const act = () => {
        if (!isCancelled) callback();
      };
      const cancel = systemClock.after(ms / factor, () => (isStopped ? void due.push(act) : act()));
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
  const stop = (nowStopped: boolean) => {
    isStopped = nowStopped;
    if (isStopped) return;
    const acts = due;
    due = [];
    for (const act of acts) act();
  };
  return { clock, stop };
}

export async function startInstance(name: string, redisPort: number): Promise<Instance> {
  const proxy = await startProxy(redisPort);
  const [ofConnection, ofCoordinator] = [createStoppableClock(speed), createStoppableClock(1)];
  const url = `redis://127.0.0.1:${proxy.port}`;
  const connection = await connectRedis({ url, clock: ofConnection.clock, log, settleMs });
  const coordinator = createRedisCoordinator({ connection, clock: ofCoordinator.clock, log, times });
  const faults: Fault[] = [];
  let [isDead, isCut, isStopped] = [false, false, false];

  function begin(): void {
    faults.push({ fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY });
  }
  function end(): void {
    for (const fault of faults) fault.toMs = Math.min(fault.toMs, Date.now());
  }
  function stop(nowStopped: boolean): void {
    isStopped = nowStopped;
    if (isStopped) begin();
    for (const clock of [ofConnection, ofCoordinator]) clock.stop(isStopped);
    proxy.stop(isStopped);
    if (!isStopped && !isCut) end();
  }

  return {
    name,
    coordinator,
    faults,
    isDead: () => isDead,
    isWell: () => !isDead && !isCut && !isStopped,
    cut: (nowCut) => {
      isCut = nowCut;
      if (isCut) begin();
      proxy.cut(isCut);
      if (!isCut && !isStopped) end();
    },
    silence: () => {
      isCut = true;
      begin();
      proxy.silence();
    },
    reset: () => {
      proxy.cut(true);
      proxy.cut(false);
      isCut = false;
      if (!isStopped) end();
    },
    stop,
    kill: () => {
      isDead = true;
      begin();
      for (const clock of [ofConnection, ofCoordinator]) clock.stop(true);
      proxy.cut(true);
    },
    close: async () => {
      for (const clock of [ofConnection, ofCoordinator]) clock.stop(false);
      await coordinator.close();
      await connection.close();
      proxy.close();
    },
  };
}
