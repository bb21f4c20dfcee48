/**
 * Keeps private answers and typed commands of this tab over a reload. Nobody else ever had them: they are in no store,
 * and gone once the tab is closed or another person signs in.
 */
import type { PrivateNote } from "../../writing/messages.ts";
import { named } from "../connection/address.ts";

/** A private answer, or a command that was typed. */
export type Note = PrivateNote & { readonly command?: string };

/**
 * `after`: order of the message below which it arrived. `pressed`: its decisions that were made, by `actionKey`, each with
 * the id of the private answer.
 */
export type ShownNote = Note & { readonly after: string; readonly pressed?: Readonly<Record<string, string>> };

const key = named("notes");
/** Characters; a browser gives a page about five million. */
const maxChars = 400_000;

export function createKeptNotes(notes: Map<string, Map<string, ShownNote>>) {
  let person: string | undefined;
  let isScheduled = false;

  function save(): void {
    isScheduled = false;
    const all = [...notes].flatMap(([thread, known]) => [...known.values()].map((note) => [thread, note]));
    let text = JSON.stringify({ person, all });
    // The oldest go first.
    while (text.length > maxChars && all.length > 0) {
      all.splice(0, Math.ceil(all.length / 4));
      text = JSON.stringify({ person, all });
    }
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // Storage is full or blocked: a reload loses them.
    }
  }

  return {
    /** Once it is known who reads this page. */
    restore: (personId: string) => {
      if (person === personId) return;
      person = personId;
      try {
        const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}");
        if (kept.person !== person) return save();
        for (const [thread, note] of kept.all) {
          const known = notes.get(thread) ?? new Map<string, ShownNote>();
          notes.set(thread, known);
          if (!known.has(note.id)) known.set(note.id, note);
        }
      } catch {
        sessionStorage.removeItem(key);
      }
      return undefined;
    },
    changed: () => {
      if (person === undefined || isScheduled) return;
      isScheduled = true;
      queueMicrotask(save);
    },
  };
}
