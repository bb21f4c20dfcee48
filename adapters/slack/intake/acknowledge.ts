/**
 * Acknowledges Slack's events the way the bridge decides: empty, by opening a modal, or with a modal's errors.
 * A trigger opens one modal within 3 s. Slack has no "is thinking…"; Parley's placeholder follows within a second.
 */
import type { Acknowledgement, Responder } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/log.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import type { WebClient } from "../connection/clients.ts";
import { type FormMetadata, formView, viewErrors } from "../drawing/forms.ts";
import { slackCode } from "../writing/api-errors.ts";
import type { EventAck } from "./ack-gate.ts";
import type { SlackView } from "./events.ts";

export type Acknowledge = (how: Acknowledgement) => Promise<void>;

export function createAcknowledge(options: {
  readonly eventAck: EventAck;
  readonly client: WebClient;
  readonly log: Log;
  readonly reply: Responder;
  /** Where the form was requested. */
  readonly where: Omit<FormMetadata, "form" | "context" | "keep">;
  readonly triggerId?: string;
  /** The submitted modal. */
  readonly submitted?: SlackView;
}): Acknowledge {
  const { eventAck, client, log, reply, where, triggerId, submitted } = options;

  const openForm = async (form: Extract<Acknowledgement, { kind: "form" }>["form"]) => {
    if (triggerId === undefined) {
      log.error({ form: form.id }, "A form cannot be opened from this kind of Slack event");
      return;
    }
    try {
      await client.views.open({ trigger_id: triggerId, view: formView(form, where) });
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
          return eventAck.acknowledge({ response_action: "update", view: formView(how.form, where) });
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
