/**
 * Finds a free port for programs that can't listen on port 0 and report the result. The system never assigns it
 * automatically, so no other test takes it before that program does.
 */
import { once } from "node:events";
import { createServer } from "node:net";

const first = 20_000;
const count = 12_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
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
