/**
 * Registers Bolt's listeners: parses what Slack sends, finds the workspace that it is for, and hands it over. What no
 * workspace takes is acknowledged, and nothing is answered.
 */
import type { App } from "@slack/bolt";
import type { Log } from "../../../src/core/ports/log.ts";
import { deliveryIn } from "../connection/receiver.ts";
import type { Self } from "../ids.ts";
import { createReaders } from "./events.ts";
import type { Handler, Handlers } from "./handlers.ts";

/** Where an event comes from, as Bolt reads it from the payload. */
export type EventSource = {
  readonly teamId?: string | undefined;
  readonly enterpriseId?: string | undefined;
  readonly isEnterpriseInstall?: boolean;
};

/** A workspace, as far as it takes events. */
type Taker = { readonly handlers: Handlers; readonly self: () => Promise<Self> };

export function listen(
  app: App,
  deps: {
    /** Undefined: that workspace isn't served. Rejects while it can't be found out: the event then comes again. */
    readonly takerOf: (source: EventSource) => Promise<Taker | undefined>;
    /** Slack says that the app is no longer installed there. Rejects while that can't be checked. */
    readonly removed: ((source: EventSource) => Promise<void>) | undefined;
    readonly log: Log;
  },
): void {
  const read = createReaders(deps.log);

  /** What is understood is claimed before the first wait. */
  const take = async <T>(
    context: EventSource & Readonly<Record<string, unknown>>,
    parsed: T | undefined,
    handlerIn: (handlers: Handlers) => Handler<T>,
  ): Promise<void> => {
    if (parsed === undefined) return;
    const delivery = deliveryIn(context);
    delivery.claim();
    const taker = await deps.takerOf(context).catch(() => "unknown" as const);
    if (taker === "unknown") return;
    if (taker === undefined) return delivery.acknowledge();
    const self = await taker.self().catch(() => undefined);
    if (self === undefined) return;
    const isRetry = Number(context["retryNum"] ?? 0) > 0;
    await handlerIn(taker.handlers)(parsed, self, { delivery, isRetry });
  };

  /** Unacknowledged while it fails, so that it comes again. */
  const takeRemoval = async (context: EventSource & Readonly<Record<string, unknown>>): Promise<void> => {
    const delivery = deliveryIn(context);
    delivery.claim();
    try {
      await deps.removed?.(context);
      await delivery.acknowledge();
    } catch (err) {
      deps.log.warn({ err, workspace: context.teamId }, "Slack says that the app was removed; it can't be checked yet");
    }
  };

  app.event(/.*/, ({ event, context }) =>
    read.isRemoval(event) ? takeRemoval(context) : take(context, read.event(event), (handlers) => handlers.event),
  );
  app.command(/.*/, ({ body, context }) => take(context, read.command(body), (handlers) => handlers.command));
  app.action(/.*/, ({ body, context }) => take(context, read.actions(body), (handlers) => handlers.action));
  app.shortcut(/.*/, ({ body, context }) => take(context, read.shortcut(body), (handlers) => handlers.shortcut));
  app.view(/.*/, ({ body, context }) => take(context, read.submission(body), (handlers) => handlers.view));
  app.options(/.*/, ({ body, context }) => take(context, read.suggestion(body), (handlers) => handlers.options));
}
