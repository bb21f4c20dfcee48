/**
 * The interface of both ways to receive Slack's events: Socket Mode and HTTP.
 */
import type { HTTPReceiver, SocketModeReceiver } from "@slack/bolt";

export type Transport = {
  readonly receiver: SocketModeReceiver | HTTPReceiver;
  /** Resolves when connected, rejects when refused. */
  readonly connect: () => Promise<void>;
  /** Resolves when the connection is lost. */
  readonly lost: () => Promise<void>;
  readonly disconnect: () => void;
};
