/**
 * A port that is free, for programs that cannot listen on port 0 and say which one they got. It is one that the system
 * gives to nobody by itself, so that no other test has it before that program does.
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
