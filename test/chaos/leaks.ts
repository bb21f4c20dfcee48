/** Checks that nothing leaked, that no rejection was unhandled, and that memory stayed flat. */
import { readdirSync, readFileSync } from "node:fs";
import type { ParleyProcess } from "../doubles/processes/parley-process.ts";

/** A process at rest has some twenty: its listeners, Redis, the platforms, the service. */
const maxSockets = 40;
/** A connection that nobody uses is closed within this time. */
const idleMs = 30_000;

/** `memory`: bytes of the first instance, one after the other, in even steps. */
export async function findLeaks(
  instances: readonly ParleyProcess[],
  memory: readonly number[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [index, instance] of instances.entries()) {
    if (/[Uu]nhandled|out of memory/.test(instance.output())) wrong.push(`instance ${index} met something unhandled`);
    const sockets = await openSockets(instance);
    if (sockets > maxSockets) wrong.push(`instance ${index} has ${sockets} sockets open`);
  }
  // The first third warms up; later the median may not grow by more than a third and 30 MB.
  const third = Math.floor(memory.length / 3);
  const [before, after] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
  if (third >= 20 && after > before * 1.33 + 30 * 2 ** 20) wrong.push(`memory grew from ${before} to ${after} bytes`);
  return wrong;
}

export function residentBytes(instance: ParleyProcess): number {
  const status = readFileSync(`/proc/${instance.pid()}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** After the last burst connections are kept for some seconds; what leaked stays. */
async function openSockets(instance: ParleyProcess): Promise<number> {
  const count = () => readdirSync(`/proc/${instance.pid()}/fd`).length;
  for (let waitedMs = 0; waitedMs < idleMs && count() > maxSockets; waitedMs += 500)
    await new Promise((resolve) => setTimeout(resolve, 500));
  return count();
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
