/**
 * Acknowledges Discord's interactions the way the bridge decides, within 3 s.
 * Either with a deferred reply (whether it is private is fixed at this moment), a modal, or an update of the button's
 * message.
 */

import type { FieldErrors, Form } from "../../../src/core/document.ts";
import type { Acknowledgement, Responder } from "../../../src/core/ports/chat-platform.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import { discordCode } from "../writing/api-errors.ts";
import type { InteractionApi, Visibility } from "../writing/interaction-api.ts";
import type { InteractionState } from "../writing/responder.ts";
import type { DiscordInteraction } from "./events.ts";

const ephemeralFlag = 1 << 6;

export function createAcknowledge(options: {
  readonly interaction: DiscordInteraction;
  readonly state: InteractionState;
  readonly interactions: InteractionApi;
  readonly reply: Responder;
  readonly openForm: (form: Form) => Promise<void>;
  readonly showErrors: (errors: FieldErrors) => Promise<void>;
  readonly log: Log;
}): (how: Acknowledgement) => Promise<void> {
  const { interaction, state, interactions, reply, openForm, showErrors, log } = options;
  const { token } = state;
  let isDone = false;
  const isFromMessage = interaction.message !== undefined && (interaction.type === 3 || interaction.type === 5);
  /** The button was in a message that only this person sees: the answer replaces it. */
  const replacesSource = isFromMessage && isEphemeral(interaction);

  const defer = async (visibility: Visibility) => {
    await interactions.defer(token, visibility);
    state.ack = { kind: "deferred", visibility, isShown: false };
  };

  const deferUpdate = async () => {
    await interactions.deferUpdate(token);
    state.ack = { kind: "updates", replacesSource };
  };

  const perform = async (how: Acknowledgement): Promise<void> => {
    switch (how.kind) {
      case "none":
        if (isFromMessage) return deferUpdate();
        await interactions.defer(token, "private");
        await interactions.removeFirst(token).catch(() => undefined);
        state.ack = { kind: "updates", replacesSource: false };
        return;
      case "defer":
        return defer("public");
      case "defer-private":
        return replacesSource ? deferUpdate() : defer("private");
      case "form":
        await openForm(how.form);
        state.ack = { kind: "modal" };
        return;
      case "form-errors":
        await showErrors(how.errors);
        return;
      default:
        return how satisfies never;
    }
  };

  /** Never rejects: the stored event is still handled, and answered in another way. */
  return async (how) => {
    if (isDone) return;
    isDone = true;
    try {
      await perform(how);
    } catch (thrown) {
      state.ack = { kind: "gone" };
      log.warn(
        { err: thrown, code: discordCode(thrown), how: how.kind },
        "An interaction could not be acknowledged in Discord",
      );
      if (how.kind !== "form") return;
      await reply.send(errorDocument(noticeSentences.formTooLate), "private");
    }
  };
}

/** Whether the button, or the button that opened the modal, is in a message that only this person sees. */
export function isEphemeral({ message }: DiscordInteraction): boolean {
  return ((message?.flags ?? 0) & ephemeralFlag) !== 0;
}
