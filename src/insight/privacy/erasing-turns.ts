/** Erases a person from questions: forgets their own, and takes their name out of what others asked. */

import type { App } from "../../app.ts";
import type { Person } from "../../core/content/privacy.ts";
import type { Turn } from "../../core/model/turn.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import type { Names } from "./mentions.ts";
import { formerMember } from "./person.ts";
import { everyRecord, isAsker, isEnded, partsAbout, renameAsker } from "./turns.ts";

/** Questions forgotten with one call. */
const atOnce = 25;
/** For an answer that runs in the same conversation, which may wait hours for approval. A lease expires after 15 s. */
const waitMs = 20_000;
/** What belongs to an answer's end is stored by then. */
const busyMs = 5_000;

type Forgotten = Pick<Turn, "id" | "askedIn" | "actor">;

export type OfTurns = {
  /** Leaves those alone whose conversation has a running answer for longer than that. */
  readonly forgetTurns: (turns: readonly Turn[], withinMs: number) => Promise<void>;
  /** Counts and lists of questions, after something about them has changed. */
  readonly derive: (turns: readonly Pick<Turn, "id" | "askedIn" | "createdAtMs">[]) => Promise<void>;
};

/** Parley's own page, where messages can be removed. Undefined for other platforms: what people wrote there is theirs. */
export function ownPageOf({ sites }: App, name: string) {
  const platform = sites.get(name)?.platform;
  return platform?.isOwnPage === true ? platform : undefined;
}

export function createErasingTurns(app: App, parts: OfTurns) {
  const { clock } = app;
  const { turns } = app.state;

  /** False: they stay in the chat. */
  async function removeMessages({ askedIn, askedMessageId, conversation, reply }: Turn): Promise<boolean> {
    const page = ownPageOf(app, askedIn.platform);
    if (page === undefined) return false;
    for (const { messageId } of reply.parts) {
      if (messageId !== undefined) await page.remove({ place: reply.place, messageId });
    }
    if (askedMessageId !== undefined) await page.remove({ place: conversation, messageId: askedMessageId });
    return true;
  }

  /** Someone else asked another agent the same: the words are theirs too. */
  async function isRepeat(person: Person, { repeats }: Turn): Promise<boolean> {
    const first = repeats === undefined ? undefined : await turns.get(repeats);
    return first !== undefined && isAsker(person, first);
  }

  return {
    /**
     * Their own questions, page by page. Each still names them, until `rename`. `called`: what they were called is added.
     * `left`: how many don't end.
     */
    forget: async (person: Person, called: Set<string>) => {
      const forgotten: Forgotten[] = [];
      let [left, inChat, wasBusy] = [0, 0, false];
      const waiting: Turn[] = [];
      const forgetSome = async () => {
        const page = waiting.splice(0, atOnce);
        await parts.forgetTurns(page, waitMs);
        for (const turn of page) {
          const { id, askedIn, createdAtMs, actor } = turn;
          const now = await turns.get(id);
          if (now !== undefined && (now.isForgotten !== true || !isEnded(now))) left += 1;
          else {
            if (!(await removeMessages(now ?? turn))) inChat += 1;
            await parts.derive([{ id, askedIn, createdAtMs }]);
            forgotten.push({ id, askedIn, actor });
          }
        }
      };
      for await (const turn of everyRecord(turns)) {
        const isOwn = isAsker(person, turn);
        if (!isOwn && !(await isRepeat(person, turn))) continue;
        if (isOwn && turn.actor.name.trim() !== "" && turn.actor.name !== formerMember.name) {
          called.add(turn.actor.name);
        }
        wasBusy ||= !isEnded(turn) || clock.now() - (turn.endedAtMs ?? 0) < busyMs;
        waiting.push(turn);
        if (waiting.length >= atOnce) await forgetSome();
      }
      await forgetSome();
      return { forgotten, left, inChat, wasBusy };
    },

    /** Returns how many were changed. */
    eraseFromOthers: async (person: Person, called: Names): Promise<number> => {
      let renamed = 0;
      for await (const turn of everyRecord(turns)) {
        const change = isAsker(person, turn) ? undefined : partsAbout(person, turn, called);
        if (change === undefined) continue;
        await changeRecord(turns, turn.id, (newest) => partsAbout(person, newest, called));
        renamed += 1;
      }
      return renamed;
    },

    /** The last step: nobody finds these by the person again. */
    rename: async (forgotten: readonly Forgotten[]): Promise<void> => {
      for (const turn of forgotten) await renameAsker(turns, turn);
    },
  };
}
