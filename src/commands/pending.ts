/** What waits for a button or a form: neither has room for it. */
import type { App } from "../app.ts";
import type { CommandContext } from "../core/commands.ts";
import type { AnswerDraft } from "../core/content/answering.ts";
import { type Attachment, type Place, workspaceKey } from "../core/model/place.ts";
import type { Adoption } from "./insight/adoption.ts";

/** The content behind a button or form, stored until it is used: neither has room for it. */
export type Pending =
  | { readonly kind: "query"; readonly sql: string; readonly project: string; readonly knowledgeBase: string }
  | {
      readonly kind: "save";
      /** Includes the thread if the message is in one. */
      readonly place: Place;
      readonly messageId: string;
      readonly authorName: string;
      readonly text: string;
    }
  | {
      /** Of a message that asked to save them. */
      readonly kind: "files";
      readonly files: readonly Attachment[];
      /** Of the message. */
      readonly eventKey: string;
      /** As it would be typed. Absent: the person who presses is asked. */
      readonly into?: string;
      /** Someone pressed already. */
      readonly jobId?: string;
    };

export const pendingIn = ({ state }: App) => state.keyValue<Pending>("pending");
export const pendingSchedulesIn = ({ state }: App) => state.keyValue<PendingSchedule>("pending-schedules");
/** By workspace, person and id. */
export const pendingAdoptionsIn = ({ state }: App) => state.keyValue<PendingAdoption>("pending-adoptions");

/** Long enough to think about it, short enough not to retain what people said. */
export const pendingMs = 60 * 60_000;

/** Pressed elsewhere, a button finds nothing. */
export function pendingKey({ place }: CommandContext, id: string): string {
  return `${workspaceKey(place)}/${id}`;
}

/** A question with a time at its end, until its asker says what it is. */
export type PendingSchedule = {
  readonly actorId: string;
  /** As typed, with the time. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** As typed. */
  readonly agent?: string;
  /** Whose it would be there. Absent: it can't be a schedule. */
  readonly schedule?: {
    readonly place: Place;
    readonly question: string;
    readonly onlyIfChanged?: true;
    readonly cron: string;
    readonly timeZone: string;
    readonly text: string;
  };
};

/** What waits for a form or a button. */
export type PendingAdoption =
  | { readonly kind: "form"; readonly adoption: Adoption }
  | { readonly kind: "add"; readonly draft: AnswerDraft };
