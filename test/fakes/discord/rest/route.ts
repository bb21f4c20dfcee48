/** What a route of the REST API is, and what it gets. */
import type { Bucket } from "../buckets.ts";
import type { SentFile } from "../content/attachments.ts";
import type { Interactions } from "../interactions.ts";
import type { Channel, Json, Message, World } from "../world.ts";

export type Request = {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly files: readonly SentFile[];
};
export type Route = (request: Request) => unknown;

export type RouteContext = {
  readonly world: World;
  readonly interactions: Interactions;
  readonly nowMs: () => number;
  readonly publish: (event: string, message: Message) => void;
  readonly threadOpened: (thread: Channel) => void;
  readonly refuse: (problems: readonly string[]) => void;
  readonly gatewayUrl: () => string;
  readonly sessionStartLimit: () => Json;
  readonly registered: (scope: string, commands: readonly Json[]) => void;
  readonly maxThreads: number;
  /** Of each channel. */
  readonly editLimit: Bucket;
  readonly editsQueued: (what: string) => void;
  /** How many the gateway advises. */
  readonly shards: number;
};
