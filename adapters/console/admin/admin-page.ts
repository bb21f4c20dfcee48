/** What a page of the admin part provides on the server: its name, who may see it, and its routes. */
import type { Hono } from "hono";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Overview } from "../../../src/core/overview/overview.ts";
import type { InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Channels } from "../channels/channels.ts";
import type { AttachedFiles } from "../files/attached-files.ts";

export type AdminParts = {
  readonly overview: Overview;
  readonly channels: Pick<Channels, "isOpenTo" | "listFor">;
  readonly attached: Pick<AttachedFiles, "take">;
  /** Undefined before the start and after the end. */
  readonly port: () => InboundPort | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export type OldPage = {
  /** In addresses: "gaps" is `/admin/gaps`, `/api/admin/gaps`, `/api/admin/gaps/…` and `/api/admin/gaps.csv`. */
  readonly name: string;
  /** Who may see it. Each role includes the lower ones. */
  readonly least: "manage" | "ingest";
  /** Not a page of its own: it has routes, but no entry in the sidebar. */
  readonly isHidden?: true;
  /** The number beside its entry in the sidebar; 0 and undefined show none. */
  readonly count?: (parts: AdminParts, viewer: Actor) => Promise<number | undefined>;
  /** Adds routes with whole paths. `visitorOf(context)` may see the page: that was asked before. */
  readonly mount: (app: Hono, parts: AdminParts) => void;
};
