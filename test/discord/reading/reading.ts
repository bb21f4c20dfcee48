/** Messages as Discord sends them, read as Parley reads them. */
import { readMessage as parse } from "../../../adapters/discord/intake/events.ts";
import { type Reader, readMessage } from "../../../adapters/discord/reading/read-message.ts";
import type { Reading } from "../../../adapters/shared/reading.ts";

export const parley = "100000000000000001";
export const bob = { id: "100000000000000002", username: "bob", global_name: "Bob" };
export const grafana = { id: "100000000000000003", username: "Grafana", bot: true };
const carol = "100000000000000004";
const general = "200000000000000001";
const support = "300000000000000001";

const names: Reader["names"] = {
  user: (id) => ({ [carol]: "Carol" })[id],
  channel: (id) => ({ [general]: "general" })[id],
  role: (id) => ({ [support]: "support" })[id],
};

export type Sent = Readonly<Record<string, unknown>>;

/** What is read of a message with these fields. */
export function readingOf(sent: Sent, how: Partial<Reader> = {}): Reading {
  const message = parse({ id: "900000000000000001", channel_id: general, author: bob, ...sent }, (path) => {
    throw new Error(`not a message: ${path}`);
  });
  if (message === undefined) throw new Error("not a message");
  return readMessage(message, { names, ownIds: [parley], quotes: () => true, ...how });
}

export const textOf = (sent: Sent): string => readingOf(sent).own;

export function fileOf(filename: string, more: Sent = {}): Sent {
  return {
    ...{ id: `7${filename.length}`, filename, size: 12, content_type: "text/plain" },
    ...{ url: `https://cdn.discordapp.com/${filename}`, ...more },
  };
}
