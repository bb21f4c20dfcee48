/**
 * Handles Discord's interactions: commands, buttons, modals and autocomplete.
 * Each becomes an Inbound with its own way to answer, and is acknowledged within 3 s, the way the bridge decides: by a
 * deferred reply (whether it is private is fixed at this moment), a modal, or an update of the button's message.
 */
import { ApplicationCommandOptionType, MessageFlags } from "@discordjs/core";
import type { CommandDefinition } from "../../../src/core/commands.ts";
import type { FieldErrors } from "../../../src/core/document.ts";
import type { Acknowledgement, Inbound, InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { DistributiveOmit } from "../../../src/core/tools/distributive-omit.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import { wholeText } from "../../shared/reading.ts";
import { givenCommand, shortcuts } from "../connection/command-set.ts";
import { continueAction, type FormDialog } from "../drawing/form-dialog.ts";
import { truncate } from "../drawing/markup.ts";
import { type DiscordPayload, readCustomId } from "../drawing/render.ts";
import { directWorkspace, orderOf, timeOf } from "../ids.ts";
import { maxChoiceChars, maxChoices, maxCompletionMs } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { attachmentOf, nameOf } from "../reading/read-message.ts";
import { discordCode } from "../writing/api-errors.ts";
import type { InteractionApi, Visibility } from "../writing/interaction-api.ts";
import { type PrivateNotes, showAction } from "../writing/private-notes.ts";
import { createInteractionResponder, type InteractionState } from "../writing/responder.ts";
import type { CommandData, DiscordInteraction } from "./events.ts";
import { type EventFacts, interactionBase, messageContent } from "./inbound.ts";

type Base = ReturnType<typeof interactionBase>;
type Payload = DistributiveOmit<Inbound, "ack" | "reply" | keyof Pick<Base, "eventKey" | "order" | "place" | "actor">>;

export function createInteractionListener(
  deps: DiscordParts & {
    readonly interactions: InteractionApi;
    readonly port: InboundPort;
    readonly dialog: FormDialog;
    readonly privateNotes: PrivateNotes;
    readonly definitions: readonly CommandDefinition[];
    readonly prefix: string;
  },
): (interaction: DiscordInteraction, facts: EventFacts) => Promise<void> {
  const { port, interactions, dialog, privateNotes, clock, log } = deps;

  const passOn = async (
    interaction: DiscordInteraction,
    base: Base,
    inbound: Payload,
    showErrors: (errors: FieldErrors, state: InteractionState) => Promise<void> = async () => undefined,
  ) => {
    const { eventKey, order, place, actor } = base;
    const state: InteractionState = { token: tokenOf(interaction), ack: { kind: "none" } };
    const reply = createInteractionResponder({
      ...deps,
      state,
      userId: actor.id,
      isAlone: place.workspace === directWorkspace,
    });
    let isDone = false;
    /** Never rejects: the stored event is still handled, and answered in another way. */
    const ack = async (how: Acknowledgement) => {
      if (isDone) return;
      isDone = true;
      try {
        if (how.kind === "form-errors") await showErrors(how.errors, state);
        else await acknowledge(how, interaction, state);
      } catch (thrown) {
        state.ack = { kind: "gone" };
        const fields = { err: thrown, code: discordCode(thrown), how: how.kind };
        log.warn(fields, "An interaction could not be acknowledged in Discord");
        if (how.kind === "form") await reply.send(errorDocument(noticeSentences.formTooLate), "private");
      }
    };
    await port.handle({ ...inbound, eventKey, order, place, actor, ack, reply });
  };

  const acknowledge = async (
    how: Exclude<Acknowledgement, { kind: "form-errors" }>,
    interaction: DiscordInteraction,
    state: InteractionState,
  ): Promise<void> => {
    const { token } = state;
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
        await dialog.open(token, how.form);
        state.ack = { kind: "modal" };
        return;
      default:
        return how satisfies never;
    }
  };

  const onCommand = async (interaction: DiscordInteraction, data: CommandData, facts: EventFacts) => {
    const base = interactionBase(interaction, facts);
    const { conversation, platformData } = base;
    const shortcut = shortcuts[data.name as keyof typeof shortcuts];
    const target = data.target_id === undefined ? undefined : data.resolved?.messages?.[data.target_id];
    if (shortcut !== undefined && target !== undefined) {
      // Only its author's own words become the answer: the message that it replies to is the question.
      const { quoted, ...said } = messageContent(
        shortcut === "use-as-answer" ? { ...target, referenced_message: undefined } : target,
        facts,
      );
      const about = {
        ...said,
        text: wholeText({ own: said.text, quoted }),
        authorName: nameOf(target.author) ?? target.author.id,
        authorId: target.author.id,
        isBot: target.author.bot === true || target.webhook_id !== undefined,
        order: orderOf(target.id),
        atMs: timeOf(target.id),
      };
      return passOn(interaction, base, { kind: "shortcut", shortcut, about, conversation });
    }
    const { path, options } = givenCommand(data);
    const isFile = (type: number) => type === ApplicationCommandOptionType.Attachment;
    const values = options.filter(({ type, value }) => !isFile(type) && value !== undefined);
    const files = options
      .filter(({ type }) => isFile(type))
      .flatMap(({ value }) => data.resolved?.attachments?.[String(value)] ?? []);
    return passOn(interaction, base, {
      kind: "command",
      input: {
        kind: "structured",
        path,
        options: Object.fromEntries(values.map(({ name, value }) => [name, String(value)])),
      },
      attachments: files.map(attachmentOf),
      conversation,
      platformData,
    });
  };

  const onButton = async (interaction: DiscordInteraction, customId: string, facts: EventFacts) => {
    const base = interactionBase(interaction, facts);
    const { action, value } = readCustomId(customId);
    const token = tokenOf(interaction);
    if (action === continueAction) {
      const instead = await dialog.onContinue(token, value);
      if (instead !== undefined) await interactions.update(token, instead);
      return;
    }
    if (action === showAction) return privateNotes.show(interaction, base.actor.id, value);
    const messageId = interaction.message?.id;
    await passOn(interaction, base, {
      kind: "action",
      action,
      value,
      // An example on the welcome card begins a conversation, like a command.
      conversation: base.conversation,
      platformData: base.platformData,
      messageId,
    });
  };

  const onModal = async (interaction: Extract<DiscordInteraction, { type: 5 }>, facts: EventFacts) => {
    const base = interactionBase(interaction, facts);
    const token = tokenOf(interaction);
    const submitted = await dialog.submit(interaction.data);
    // A later page was opened from a private message, which is replaced.
    const say = async (payload: DiscordPayload) => {
      if (isEphemeral(interaction)) await interactions.update(token, payload);
      else await interactions.answer(token, payload, "private");
    };
    if (submitted.kind === "continue") return say(submitted.payload);
    if (submitted.kind === "closed") {
      // Not an update: the message that the form was opened from can show the form's result.
      await interactions.answer(token, submitted.payload, "private");
      return;
    }
    const { draftId, form, values, files } = submitted;
    let isStillOpen = false;
    await passOn(
      interaction,
      base,
      {
        kind: "form",
        formId: form.id,
        values,
        attachments: files.map(attachmentOf),
        context: form.context,
        conversation: base.conversation,
        platformData: base.platformData,
      },
      async (errors, state) => {
        isStillOpen = true;
        await say(dialog.errors(draftId, form, errors));
        state.ack = { kind: "deferred", visibility: "private", isShown: true };
      },
    );
    if (!isStillOpen) await dialog.done(draftId);
  };

  const complete = async (interaction: DiscordInteraction, data: CommandData, facts: EventFacts) => {
    const { path, options } = givenCommand(data);
    const focused = options.find((option) => option.focused === true);
    const bare = path.startsWith(deps.prefix) ? path.slice(deps.prefix.length) : path;
    const definition = deps.definitions.find((one) => one.path === bare);
    const completes = definition?.options.find(({ name }) => name === focused?.name)?.completes;
    const { place, actor } = interactionBase(interaction, facts);
    const typed = String(focused?.value ?? "");
    // Discord shows an error after 3 s; an empty list at least shows that there are no choices.
    const found =
      completes === undefined
        ? []
        : ((await withTimeout(port.complete({ completes, typed, place, actor }), maxCompletionMs, clock)) ?? []);
    await interactions.choices(
      tokenOf(interaction),
      found
        .filter(({ value }) => value !== "" && value.length <= maxChoiceChars)
        .slice(0, maxChoices)
        .map(({ value, label }) => ({ name: truncate(label === "" ? value : label, maxChoiceChars), value })),
    );
  };

  return async (interaction, facts) => {
    switch (interaction.type) {
      case 2:
        return onCommand(interaction, interaction.data, facts);
      case 3:
        // An option of a menu stands for a button.
        return onButton(interaction, interaction.data.values?.[0] ?? interaction.data.custom_id, facts);
      case 4:
        return complete(interaction, interaction.data, facts);
      case 5:
        return onModal(interaction, facts);
      default:
        return interaction satisfies never;
    }
  };
}

function tokenOf(interaction: DiscordInteraction) {
  return { interaction: interaction.id, application: interaction.application_id, token: interaction.token };
}

/** Whether the button, or the button that opened the modal, is in a message that only this person sees. */
function isEphemeral({ message }: DiscordInteraction): boolean {
  return ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}
