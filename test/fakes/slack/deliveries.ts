/**
 * How Slack delivers events to an app: envelopes over a socket, or signed requests. An event that isn't acknowledged in
 * time is redelivered as Slack documents: nearly at once, after one minute, after five; then it is lost. Nothing waits
 * for a socket.
 */
import { createHmac } from "node:crypto";
import type { ServerSocket } from "./web-sockets.ts";
import type { Json } from "./world.ts";

export type Delivery = {
  readonly type: "events_api" | "slash_commands" | "interactive";
  readonly payload: Json;
  attempts: number;
  isAcknowledged: boolean;
  /** What came with the acknowledgement. */
  answer: Json | undefined;
  ackMs: number | undefined;
};

export type SentRequest = { readonly url: string; readonly body: string; readonly headers: Record<string, string> };

/** docs.slack.dev, Events API, "Retries": before each of three. */
const retryDelaysMs = [0, 60_000, 300_000];

export type DeliveryOptions = {
  readonly ackTimeoutMs: number;
  /** 1 is Slack's own pace. */
  readonly retryScale: number;
  readonly signingSecret: string;
  /** HTTP mode, when set. */
  readonly requestUrl: () => string | undefined;
};

export function createDeliveries(options: DeliveryOptions) {
  const sockets = new Set<ServerSocket>();
  const waiting = new Map<string, (answer: Json | undefined) => void>();
  const all: Delivery[] = [];
  /** What no attempt brought to the app. */
  const lost: Delivery[] = [];
  let isCut = false;
  const requests: SentRequest[] = [];
  const problems: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let serial = 0;
  let turn = 0;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });

  const overSocket = async (delivery: Delivery): Promise<boolean> => {
    const open = [...sockets];
    const socket = open[turn % Math.max(1, open.length)];
    turn += 1;
    if (socket === undefined) return false;
    serial += 1;
    const id = `envelope-${serial}`;
    const acknowledged = new Promise<boolean>((resolve) => {
      waiting.set(id, (answer) => {
        delivery.answer = answer;
        resolve(true);
      });
      void pause(options.ackTimeoutMs).then(() => resolve(false));
    });
    socket.send(
      JSON.stringify({
        envelope_id: id,
        type: delivery.type,
        payload: delivery.payload,
        accepts_response_payload: delivery.type !== "events_api",
        retry_attempt: delivery.attempts - 1,
      }),
    );
    const isIn = await acknowledged;
    waiting.delete(id);
    return isIn;
  };

  const sign = (body: string, seconds: number) =>
    `v0=${createHmac("sha256", options.signingSecret).update(`v0:${seconds}:${body}`).digest("hex")}`;

  const requestFor = (url: string, { type, payload }: Delivery): SentRequest => {
    const isEvent = type === "events_api";
    const form = type === "slash_commands" ? (payload as Record<string, string>) : { payload: JSON.stringify(payload) };
    const body = isEvent ? JSON.stringify(payload) : new URLSearchParams(form).toString();
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      "content-type": isEvent ? "application/json" : "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": String(seconds),
      "x-slack-signature": sign(body, seconds),
    };
    return { url, body, headers };
  };

  const overHttp = async (url: string, delivery: Delivery): Promise<boolean> => {
    const request = requestFor(url, delivery);
    // A redelivery bears another signature than the first one.
    if (delivery.attempts > 1) request.headers["x-slack-retry-num"] = String(delivery.attempts - 1);
    requests.push(request);
    const response = await post(request, options.ackTimeoutMs);
    if (response?.status !== 200) return false;
    delivery.answer = response.text === "" ? undefined : (JSON.parse(response.text) as Json);
    return true;
  };

  return {
    all,
    lost,
    /** While it is cut, nothing arrives, and all that happens is lost: as if it took longer than the last retry. */
    cut: (on: boolean) => {
      isCut = on;
      if (on) for (const socket of sockets) socket.kill();
    },
    isCut: () => isCut,
    requests,
    problems,
    sockets,
    sign,
    addSocket: (socket: ServerSocket) => sockets.add(socket),
    removeSocket: (socket: ServerSocket) => sockets.delete(socket),
    onFrame: (text: string) => {
      const frame = JSON.parse(text) as { envelope_id?: string; payload?: Json };
      const take = waiting.get(frame.envelope_id ?? "");
      if (take === undefined) problems.push(`an acknowledgement of nothing: ${frame.envelope_id}`);
      waiting.delete(frame.envelope_id ?? "");
      take?.(frame.payload);
    },
    /** Resolves when it is acknowledged, or given up. */
    deliver: async (type: Delivery["type"], payload: Json, retries = true): Promise<Delivery> => {
      const delivery: Delivery = {
        type,
        payload,
        attempts: 0,
        isAcknowledged: false,
        answer: undefined,
        ackMs: undefined,
      };
      if (isCut) {
        lost.push(delivery);
        return delivery;
      }
      all.push(delivery);
      for (const delayMs of [0, ...(retries ? retryDelaysMs : [])]) {
        if (delayMs > 0) await pause(delayMs * options.retryScale);
        delivery.attempts += 1;
        const startedMs = performance.now();
        const url = options.requestUrl();
        delivery.isAcknowledged = url === undefined ? await overSocket(delivery) : await overHttp(url, delivery);
        if (!delivery.isAcknowledged) continue;
        delivery.ackMs = performance.now() - startedMs;
        break;
      }
      if (!delivery.isAcknowledged) lost.push(delivery);
      return delivery;
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.kill();
    },
  };
}

/** Undefined when there was no answer in time. */
export async function post(
  request: SentRequest,
  timeoutMs = 3_000,
): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(request.url, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
