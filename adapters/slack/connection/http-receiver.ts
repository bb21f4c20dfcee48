/**
 * Receives Slack's events as signed HTTP requests on Parley's own server, as a receiver of Bolt's.
 * Bolt's functions check the signature and the age of each request, and answer it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { HTTPModuleFunctions, HTTPResponseAck, isRawBodyError } from "@slack/bolt";
import type { SlackParts } from "../parts.ts";
import { libraryLog } from "./clients.ts";
import { createDeliveries, type SlackReceiver } from "./receiver.ts";

const { buildNoBodyResponse, buildSSLCheckResponse, buildUrlVerificationResponse } = HTTPModuleFunctions;
const { defaultBodyLimit, extractRetryNumFromHTTPRequest, parseAndVerifyHTTPRequest, parseHTTPRequestBody } =
  HTTPModuleFunctions;

/** The route that Parley's own server mounts. */
export type HttpMount = {
  readonly method: "POST";
  readonly path: "/slack/events";
  /** Handles the request completely, including the response. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
};

export function httpReceiver(options: SlackParts & { readonly signingSecret: string }): {
  readonly receiver: SlackReceiver;
  readonly mount: HttpMount;
} {
  const { signingSecret } = options;
  const logger = libraryLog(options.log);
  const deliveries = createDeliveries(options);
  let end = () => {};

  const verified = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      return await parseAndVerifyHTTPRequest({ signingSecret, logger, bodyLimit: defaultBodyLimit }, request, response);
    } catch (thrown) {
      const isTooLarge = isRawBodyError(thrown) && thrown.type === "entity.too.large";
      logger.warn("A request could not be verified:", thrown);
      buildNoBodyResponse(response, isTooLarge ? 413 : 401);
      return undefined;
    }
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await verified(request, response);
    if (read === undefined) return;
    const body = parsed(() => parseHTTPRequestBody(read));
    if (body === undefined) return buildNoBodyResponse(response, 400);
    if (body["ssl_check"] === "1") return buildSSLCheckResponse(response);
    if (body["type"] === "url_verification") return buildUrlVerificationResponse(response, body);
    const ack = new HTTPResponseAck({
      logger,
      processBeforeResponse: false,
      // What wasn't stored in time comes again.
      unhandledRequestHandler: ({ response: unanswered }) => {
        if (!unanswered.headersSent) buildNoBodyResponse(unanswered, 503);
      },
      httpRequest: read,
      httpRequestBody: body,
      httpResponse: response,
    });
    const event = { body, ack: ack.bind(), retryNum: extractRetryNumFromHTTPRequest(request) };
    const signature = request.headers["x-slack-signature"];
    await deliveries.deliver(event, typeof signature === "string" ? signature : undefined);
  };

  return {
    receiver: {
      init: deliveries.init,
      start: async () => undefined,
      lost: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
      stop: async () => {
        deliveries.stop();
        end();
      },
    },
    mount: {
      method: "POST",
      path: "/slack/events",
      listener: (request, response) => {
        if (request.method !== "POST") response.writeHead(405, { allow: "POST" }).end();
        else void receive(request, response);
      },
    },
  };
}

/** Undefined if the value is not an object. */
function parsed(parse: () => unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const body = parse();
    return typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
