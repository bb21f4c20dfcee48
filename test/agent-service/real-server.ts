/** A real HTTP server on a free port that plays recorded answers and faults, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { until } from "../doubles/until.ts";
import { recordedResponse } from "./recordings.ts";

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

export type RealServer = {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Resolves when a request that `matches` has arrived whole. */
  readonly arrived: (matches?: (asked: Asked) => boolean) => Promise<Asked>;
  /** Resolves when no connection is open any more. */
  readonly idle: () => Promise<void>;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export async function startServer(answer: Answer): Promise<RealServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(parts).toString("utf8");
    const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    asked.push(one);
    answer(one, response, request);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    arrived: async (matches = () => true) => {
      await until("a request", () => asked.some(matches));
      return asked.find(matches) as Asked;
    },
    idle: () => until("the end of all connections", () => sockets.size === 0),
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Answers with a recorded response, for example "25.9/status". */
export function play(response: ServerResponse, name: string): void {
  const { status, contentType, location, bodyText } = recordedResponse(name);
  response.writeHead(status, {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...(location === undefined ? {} : { location }),
  });
  response.end(bodyText);
}
