/**
 * HTTP: Slack's signed requests, on Parley's own server. The library checks signatures and ages; it never listens itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { HTTPReceiver } from "@slack/bolt";
import type { Log } from "../../../src/ports/log.ts";
import { libraryLog } from "./clients.ts";
import type { Transport } from "./transport.ts";

/** What Parley's own server mounts. */
export type HttpMount = {
  readonly method: "POST";
  readonly path: "/slack/events";
  /** Answers the request itself, whole. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
};

export function httpTransport(options: { readonly signingSecret: string; readonly log: Log }): {
  readonly transport: Transport;
  readonly mount: HttpMount;
} {
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret,
    endpoints: ["/slack/events"],
    logger: libraryLog(options.log),
    customPropertiesExtractor: (request) => ({ signature: request.headers["x-slack-signature"] }),
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      response.writeHead(503);
      response.end();
    },
  });
  let end = () => {};
  return {
    transport: {
      receiver,
      connect: async () => undefined,
      lost: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
      disconnect: () => end(),
    },
    mount: {
      method: "POST",
      path: "/slack/events",
      // The library throws at every other method, where nobody catches it.
      listener: (request, response) => {
        if (request.method === "POST") receiver.requestListener(request, response);
        else response.writeHead(405, { allow: "POST" }).end();
      },
    },
  };
}
