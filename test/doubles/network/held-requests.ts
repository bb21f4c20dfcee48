/**
 * An HTTP proxy on which a test holds a request at a chosen moment: before it reaches the server, or after the server
 * handled it and before anyone gets the response. So a process can be killed exactly between a post and its record.
 *
 *   const way = await startHeldRequests(slack.apiUrl);
 *   const held = way.hold({ path: "chat.postMessage", moment: "after" });
 *   await held.reached;            // it stands there
 *   held.release();                // or the process is killed meanwhile
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

export type Hold = {
  /** What the address ends with. */
  readonly path: string;
  /** What the body must contain. */
  readonly containing?: string;
  readonly moment: "before" | "after";
};

export type Held = {
  readonly reached: Promise<void>;
  readonly release: () => void;
};

type Waiting = Hold & { readonly onReached: () => void; readonly released: Promise<void> };

export type HeldRequests = {
  readonly url: string;
  /** The next request of that kind. */
  readonly hold: (what: Hold) => Held;
  readonly stop: () => Promise<void>;
};

export async function startHeldRequests(target: string): Promise<HeldRequests> {
  const waiting: Waiting[] = [];
  const to = new URL(target);
  const server = createServer((incoming, response) => {
    // Whoever is killed meanwhile leaves nobody to answer.
    pass(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");

  function take(path: string, body: string, moment: Hold["moment"]): Waiting | undefined {
    const at = waiting.findIndex(
      (hold) => hold.moment === moment && path.endsWith(hold.path) && body.includes(hold.containing ?? ""),
    );
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  async function stand(hold: Waiting | undefined): Promise<void> {
    hold?.onReached();
    await hold?.released;
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const path = incoming.url ?? "/";
    // Form-encoded bodies are looked at as they were meant.
    const readable = decodeURIComponent(
      body
        .toString()
        .replaceAll("+", " ")
        .replaceAll(/%(?![0-9a-f]{2})/gi, "%25"),
    );
    await stand(take(path, readable, "before"));
    const outgoing = request({
      ...{ host: to.hostname, port: to.port, path, method: incoming.method },
      headers: { ...incoming.headers, host: to.host },
      // A kept connection could be closed by the server just when it is used again.
      agent: false,
    });
    // `once` no longer listens after the response, and the connection may still break then.
    outgoing.on("error", () => response.destroy());
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    outgoing.end(body);
    const [answer] = await answered;
    const content = Buffer.concat(await answer.toArray());
    await stand(take(path, readable, "after"));
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    hold: (what) => {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      waiting.push({ ...what, onReached: reached.resolve, released: released.promise });
      return { reached: reached.promise, release: released.resolve };
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
