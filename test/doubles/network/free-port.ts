/**
 * Finds a free port for programs that can't listen on port 0 and report the result. The system never assigns it
 * automatically, so no other test takes it before that program does.
 */
import { once } from "node:events";
import { createServer } from "node:net";

const first = 20_000;
const count = 12_000;
const groups = 16;
const groupSize = count / groups;

/**
 * A port is free again while its program starts, is restarted or is dead for a while, so each worker of the test runner
 * has ports of its own, and gives none of them twice.
 */
const firstOfWorker = first + (Number(process.env["VITEST_POOL_ID"] ?? 0) % groups) * groupSize;
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstOfWorker + Math.floor(Math.random() * groupSize);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
