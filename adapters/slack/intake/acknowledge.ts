/**
 * Delays the acknowledgement of Slack's events until the bridge says how: empty, by a modal, or with a modal's errors.
 * Bolt acknowledges an event before any listener runs. Here Bolt's acknowledgement does nothing, and the listener gets
 * the real one, to call after journaling. An event that no listener claims is acknowledged at the end; otherwise Slack
 * would resend it. A trigger opens one modal within 3 s. Slack has no "is thinking…"; Parley's placeholder follows
 * within a second.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { App, ReceiverEvent } from "@slack/bolt";
import type { Acknowledgement, Responder } from "../../../src/core/ports/chat-platform.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import type { WebClient } from "../connection/clients.ts";
import { type FormMetadata, formView } from "../drawing/forms.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "../writing/api-errors.ts";
import type { SlackView } from "./events.ts";
import { viewErrors } from "./form-values.ts";

export type EventAck = {
  /** A listener handles the event: from now on only `acknowledge` acknowledges it. */
  readonly claim: () => void;
  /** Never rejects: if it does not reach Slack, the event comes again and is deduplicated by its key. */
  readonly acknowledge: (response?: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

/** Bolt refuses requests older than 5 minutes; copies of younger ones are recognised by their signature. */
const replayWindowMs = 10 * 60_000;

export function createAckGate({ clock, log }: SlackParts) {
  /**
   * Signatures of acknowledged requests, with their expiry in ms. An unacknowledged request can be resent within the
   * same second with the same signature. Copies that reach another instance are deduplicated by the bridge.
   */
  const acknowledged = new Map<string, number>();
  let isStopped = false;

  const remember = (signature: string) => {
    const nowMs = clock.now();
    acknowledged.set(signature, nowMs + replayWindowMs);
    for (const [known, untilMs] of acknowledged) {
      if (untilMs > nowMs) break;
      acknowledged.delete(known);
    }
  };

  const handle = async (app: App, event: ReceiverEvent) => {
    // One socket frame can bring a hundred events.
    await nextTurn();
    // Not acknowledged, so that another instance or the next process gets it.
    if (isStopped) return;
    const signature = event.customProperties?.["signature"] as string | undefined;
    if (signature !== undefined && acknowledged.has(signature)) {
      log.warn({}, "Ignored a copy of an earlier Slack request");
      await event.ack();
      return;
    }
    let isClaimed = false;
    let isAcknowledged = false;
    const eventAck: EventAck = {
      claim: () => {
        isClaimed = true;
      },
      isAcknowledged: () => isAcknowledged,
      acknowledge: async (response) => {
        if (isAcknowledged) return;
        isAcknowledged = true;
        if (signature !== undefined) remember(signature);
        try {
          await event.ack(response);
        } catch (thrown) {
          log.debug({ err: thrown }, "An acknowledgement did not reach Slack");
        }
      },
    };
    await app.processEvent({ ...event, ack: async () => undefined, customProperties: { eventAck } });
    if (!isClaimed) await eventAck.acknowledge();
  };

  return {
    /** Wraps the App that the receiver is given. */
    guard: (app: App): App =>
      Object.create(app, { processEvent: { value: (event: ReceiverEvent) => handle(app, event) } }) as App,
    stop: (): void => {
      isStopped = true;
    },
  };
}

export function eventAckOf(context: Readonly<Record<string, unknown>>): EventAck {
  return context["eventAck"] as EventAck;
}

/** For a message that was read, not delivered, so that Slack expects no acknowledgement. */
export function localAck(): EventAck {
  let isAcknowledged = false;
  return {
    claim: () => undefined,
    acknowledge: async () => {
      isAcknowledged = true;
    },
    isAcknowledged: () => isAcknowledged,
  };
}

export function createAcknowledge(options: {
  readonly eventAck: EventAck;
  readonly client: WebClient;
  readonly log: Log;
  readonly reply: Responder;
  /** Where the form was requested. */
  readonly where: Omit<FormMetadata, "form" | "context" | "keep">;
  readonly takesFiles: boolean;
  readonly triggerId?: string;
  /** The submitted modal. */
  readonly submitted?: SlackView;
}): (how: Acknowledgement) => Promise<void> {
  const { eventAck, client, log, reply, where, takesFiles, triggerId, submitted } = options;

  const openForm = async (form: Extract<Acknowledgement, { kind: "form" }>["form"]) => {
    if (triggerId === undefined) {
      log.error({ form: form.id }, "A form cannot be opened from this kind of Slack event");
      return;
    }
    try {
      await client.views.open({ trigger_id: triggerId, view: formView(form, where, takesFiles) });
    } catch (thrown) {
      log.warn({ code: slackCode(thrown), err: thrown, form: form.id }, "A form could not be opened in Slack");
      await reply.send(errorDocument(noticeSentences.formTooLate), "private");
    }
  };

  return async (how) => {
    switch (how.kind) {
      case "none":
      case "defer":
      case "defer-private":
        return eventAck.acknowledge();
      case "form":
        if (submitted !== undefined) {
          return eventAck.acknowledge({ response_action: "update", view: formView(how.form, where, takesFiles) });
        }
        await Promise.all([eventAck.acknowledge(), openForm(how.form)]);
        return;
      case "form-errors": {
        const errors = submitted === undefined ? {} : viewErrors(how.errors, submitted);
        if (Object.keys(errors).length === 0) return eventAck.acknowledge();
        return eventAck.acknowledge({ response_action: "errors", errors });
      }
      default:
        return how satisfies never;
    }
  };
}
