/**
 * Receives Slack's events as signed HTTP requests on Parley's own server.
 * Bolt checks signature and age of each request; it does not listen on a port itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { HTTPReceiver } from "@slack/bolt";
import type { Log } from "../../../src/core/ports/log.ts";
import { libraryLog } from "./clients.ts";
import type { Transport } from "./connection.ts";

/** The route that Parley's own server mounts. */
export type HttpMount = {
  readonly method: "POST";
  readonly path: "/slack/events";
  /** Handles the request completely, including the response. */
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
      // For any other method Bolt throws where nobody catches it.
      listener: (request, response) => {
        if (request.method === "POST") receiver.requestListener(request, response);
        else response.writeHead(405, { allow: "POST" }).end();
      },
    },
  };
}
