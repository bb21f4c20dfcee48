/** Counts what a Redis did, as it says itself. */
import { createClient } from "@redis/client";

export type Counted = {
  /** With those inside scripts. */
  readonly commands: number;
  readonly scripts: number;
  readonly cpuMs: number;
};

export async function openCounter(url: string) {
  const client = createClient({ url });
  await client.connect();
  const figure = (info: string, name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1]);

  async function count(): Promise<Counted> {
    const info = await client.info();
    const scripts = /^cmdstat_evalsha:calls=(\d+)/m.exec(await client.info("commandstats"))?.[1];
    return {
      commands: figure(info, "total_commands_processed"),
      scripts: Number(scripts ?? 0),
      cpuMs: (figure(info, "used_cpu_user") + figure(info, "used_cpu_sys")) * 1_000,
    };
  }

  return { count, close: () => client.close() };
}

export function since(now: Counted, then: Counted): Counted {
  return {
    commands: now.commands - then.commands,
    scripts: now.scripts - then.scripts,
    cpuMs: now.cpuMs - then.cpuMs,
  };
}
