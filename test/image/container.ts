/**
 * Containers of the image that is tested (IMAGE), and their volumes. They share the network of this machine (Linux): it
 * needs no network of the engine's, and Parley listens on 127.0.0.1 alone.
 */
import { freePort } from "../doubles/network/free-port.ts";
import { until } from "../doubles/until.ts";
import { type Ended, runEngine } from "./engine.ts";

/** As docs/deploy.md says. */
const graceSeconds = 45;
/** It says that a start went wrong, not how long one takes. */
const startLimitMs = 120_000;
const image = process.env["IMAGE"] ?? "parley";
const prefix = `parley-image-test-${process.pid}`;
let count = 0;
const containers: string[] = [];
const volumes: string[] = [];

export type Container = {
  readonly url: string;
  /** All that it has written. */
  readonly log: () => Promise<string>;
  readonly execute: (...command: readonly string[]) => Promise<Ended>;
  /** What the engine runs to know whether it is healthy. */
  readonly checkHealth: () => Promise<Ended>;
  readonly isReady: () => Promise<boolean>;
  /** How long after its start it was ready. */
  readonly ready: () => Promise<number>;
  /** SIGTERM, and SIGKILL when its time is over: then the exit code is 137. */
  readonly stop: () => Promise<number>;
};

function nextName(): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** An empty one, as the engine creates it. */
export async function createVolume(): Promise<string> {
  const name = nextName();
  await succeed("volume", "create", name);
  volumes.push(name);
  return name;
}

async function succeed(...words: readonly string[]): Promise<string> {
  const { code, output } = await runEngine(...words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${output}`);
  return output.trim();
}

/** `data`: a volume, or a folder of this machine, with `:ro` if it is read-only. */
function wordsOf(data: string, port: number): readonly string[] {
  return [
    ...["--network", "host", "--volume", `${data}:/data`.replace(/:ro:\/data$/, ":/data:ro"), "--tmpfs", "/tmp"],
    ...["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges"],
    ...["--env", "HOST=127.0.0.1", "--env", `PORT=${port}`],
  ];
}

/** Runs it until it ends by itself. `options`: of the engine; `words`: of `parley`. */
export async function runToEnd(
  data: string,
  { options = [], words = [] }: { readonly options?: readonly string[]; readonly words?: readonly string[] } = {},
): Promise<Ended> {
  const name = nextName();
  const port = await freePort();
  containers.push(name);
  return runEngine("run", "--rm", "--name", name, ...wordsOf(data, port), ...options, image, ...words);
}

export async function startContainer(data: string): Promise<Container> {
  const name = nextName();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAtMs = performance.now();
  containers.push(name);
  await succeed("run", "--detach", "--name", name, ...wordsOf(data, port), image);
  const log = async () => (await runEngine("logs", name)).output;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const execute = (...command: readonly string[]) => runEngine("exec", name, ...command);
  return {
    url,
    log,
    isReady,
    execute,
    checkHealth: async () => {
      const test = JSON.parse(await succeed("inspect", "--format", "{{json .Config.Healthcheck.Test}}", name));
      const [kind, ...command] = test as readonly string[];
      if (kind !== "CMD") throw new Error(`The image has no command as its health check: ${test}`);
      return execute(...command);
    },
    ready: async () => {
      try {
        await until("the start of the container", isReady, startLimitMs);
      } catch (thrown) {
        throw new Error(await log(), { cause: thrown });
      }
      return performance.now() - startedAtMs;
    },
    stop: async () => {
      await succeed("stop", "--time", String(graceSeconds), name);
      return Number(await succeed("inspect", "--format", "{{.State.ExitCode}}", name));
    },
  };
}

/** Whatever still runs, and what the tests stored. */
export async function removeAll(): Promise<void> {
  for (const name of containers.splice(0)) await runEngine("rm", "--force", name);
  for (const name of volumes.splice(0)) await runEngine("volume", "rm", "--force", name);
}
