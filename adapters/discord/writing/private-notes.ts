/**
 * Shows a private answer to a person who wrote an ordinary message, behind a button.
 * Discord allows private messages only in response to an interaction. So Parley posts a short reply with a button, and
 * only the addressed person can open the note. Not a direct message, because many people refuse those, and buttons in
 * one would not know the channel they are about.
 */
import type { Document } from "../../../src/core/document.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import { errorDocument, person, say } from "../../../src/presentation/drawing.ts";
import { type DiscordPayload, render, renderWithin, withButton } from "../drawing/render.ts";
import type { DiscordInteraction } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "./api-errors.ts";
import type { InteractionApi } from "./interaction-api.ts";

/** A private reply that only one person can open, with a button. */
const privateSentences = {
  forOne: "Only ",
  alone: " can open this reply.",
  show: "Open",
  notYours: { what: "That reply is for someone else.", hint: "Run the command yourself to get one." },
  gone: { what: "That reply has expired.", hint: "Run the command again to get a new one." },
} as const;

export type PrivateNotes = ReturnType<typeof createPrivateNotes>;

/** The button's action. */
export const showAction = "only-you";

const retentionMs = 24 * 3_600_000;
const { forOne, alone, show, notYours, gone } = privateSentences;

export function createPrivateNotes({
  rest,
  interactions,
  keyValue,
  clock,
}: DiscordParts & { readonly interactions: InteractionApi }) {
  const key = (noteId: string) => `private/${noteId}`;
  /** Present until the note is opened. */
  const closedKey = (noteId: string) => `${key(noteId)}/closed`;
  const write = (noteId: string, actorId: string, document: Document) =>
    keyValue.set(key(noteId), JSON.stringify({ actorId, document }), retentionMs);

  return {
    /** The reply with the button. */
    cover: (actor: Actor, noteId: string): DiscordPayload => {
      const [payload] = render({
        tone: "info",
        blocks: [{ kind: "quiet", text: say`${forOne}${person(actor.name, actor.id)}${alone}` }],
        actions: [],
        summary: `${forOne}${actor.name}${alone}`,
      });
      return withButton(payload, show, `${showAction}:${noteId}`);
    },
    store: async (noteId: string, actorId: string, document: Document): Promise<void> => {
      await write(noteId, actorId, document);
      await keyValue.set(closedKey(noteId), "", retentionMs);
    },
    /** Resolves with false if the note was opened already: the document then needs a note and a button of its own. */
    replace: async (noteId: string, actorId: string, document: Document): Promise<boolean> => {
      await write(noteId, actorId, document);
      const isClosed = (await keyValue.get(closedKey(noteId))) !== undefined;
      if (!isClosed) await keyValue.delete(key(noteId));
      return isClosed;
    },
    remove: async (noteId: string): Promise<void> => {
      await keyValue.delete(closedKey(noteId));
      await keyValue.delete(key(noteId));
    },

    /** Handles the button. If the right person pressed it, shows the note and deletes the reply with the button. */
    show: async (interaction: DiscordInteraction, actorId: string, noteId: string): Promise<void> => {
      const { id, application_id: application, token: secret, message } = interaction;
      const token = { interaction: id, application, token: secret };
      const stored = await keyValue.get(key(noteId));
      const note = stored === undefined ? undefined : readNote(stored);
      const isTheirs = note?.actorId === actorId;
      const document = isTheirs ? note.document : errorDocument(note === undefined ? gone : notYours);
      const [first, ...more] = await renderWithin(document, clock);
      const isOurs = first !== undefined && (await interactions.answer(token, first, "private"));
      // Another instance got the same event and shows the note.
      if (!isOurs) return;
      for (const payload of more) await interactions.followUp(token, payload, "private");
      if (!isTheirs && note !== undefined) return;
      // In this order: a document that replaces the note meanwhile is either read here, or gets a button of its own.
      await keyValue.delete(closedKey(noteId));
      const newest = await keyValue.get(key(noteId));
      if (newest !== undefined && newest !== stored) {
        const payloads = await renderWithin(readNote(newest).document, clock);
        for (const payload of payloads) await interactions.followUp(token, payload, "private");
      }
      await keyValue.delete(key(noteId));
      if (message === undefined) return;
      await rest.call("DELETE", `/channels/${message.channel_id}/messages/${message.id}`).catch((thrown: unknown) => {
        if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      });
    },
  };
}

/** Written by Parley itself. */
function readNote(stored: string): { readonly actorId: string; readonly document: Document } {
  return JSON.parse(stored);
}
