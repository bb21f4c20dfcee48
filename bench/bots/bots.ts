/**
 * Starts the bot that a bench measures in a process of its own: Parley as by `npm start`, or a naive bot from
 * bench/rivals, with the same options of Node.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { memoryOf } from "./memory.ts";
import type { Probed } from "./probe.ts";

export type BotName = "parley" | "naive";

export type BotOptions = {
  readonly bot: BotName;
  readonly platform: "slack" | "discord";
  readonly settings: Readonly<Record<string, string>>;
  /** Loaded before the bot; counts inside its process. */
  readonly probe: URL;
};

export type Bot = {
  readonly output: () => string;
  /** The most that it has held, in bytes. */
  readonly peakMemory: () => Promise<number>;
  /** Ends it in order, and gives what was counted inside. */
  readonly end: () => Promise<Probed>;
  readonly close: () => Promise<void>;
};

export async function startBot({ bot, platform, settings, probe }: BotOptions): Promise<Bot> {
  const env = { ...settings, NODE_OPTIONS: `--import=${probe.href}` };
  const running = bot === "parley" ? await startParley(env) : await startNaive(platform, env);
  return {
    output: running.output,
    peakMemory: async () => (await memoryOf(running.pid())).peakBytes,
    end: async () => {
      await running.end();
      const line = [...running.output().matchAll(/^probed (.*)$/gm)].at(-1)?.[1];
      if (line === undefined) throw new Error(`the bot did not end in order: ${running.output()}`);
      return JSON.parse(line) as Probed;
    },
    close: running.close,
  };
}

type Running = Pick<Bot, "output" | "close"> & {
  readonly pid: () => number | undefined;
  readonly end: () => Promise<unknown>;
};

async function startParley(settings: Readonly<Record<string, string>>): Promise<Running> {
  const parley = await createParleyProcess({ ...settings, AGENT_MAX_RUNS: "1000" });
  // The first start after a change fills Node's code cache, which takes 20 MB more.
  await parley.start();
  await parley.end();
  await parley.start();
  return parley;
}

async function startNaive(platform: string, settings: Readonly<Record<string, string>>): Promise<Running> {
  const file = fileURLToPath(new URL(`../rivals/${platform}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const isOnline = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
      if (/^online$/m.test(output)) isOnline.resolve();
    });
  }
  const gone = once(child, "exit").then(() => isOnline.reject(new Error(`the naive bot ended: ${output}`)));
  await isOnline.promise;
  return {
    output: () => output,
    pid: () => child.pid,
    end: async () => {
      child.kill("SIGTERM");
      await gone;
    },
    close: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
