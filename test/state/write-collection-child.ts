/** Puts, changes and deletes notes of a collection without end: in the folder, or on Redis. It is killed meanwhile. */
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { noteDefinition } from "../contracts/storage/collection-note.ts";
import { silentLog } from "../doubles/silent-log.ts";

const [dataDir = "", redisUrl] = process.argv.slice(2);
const state = await openState({ dataDir, redisUrl, clock: systemClock, log: silentLog });
const notes = state.collection("notes", noteDefinition);
process.stdin.resume().on("end", () => process.exit());
process.stdout.write("writing\n");

const texts = ["one", "one two", "two three"];
for (let at = 0; ; at += 1) {
  const [id, next] = [`n${at % 11}`, `n${(at + 3) % 11}`];
  const note = { atMs: at % 7, team: at % 2 === 0 ? "red" : "blue", kind: at % 3 === 0 ? 1 : "1", text: texts[at % 3] };
  await Promise.all([
    notes.put(id, note),
    notes.update(next, ({ record }) => ({ ...record, team: note.team, text: note.text })),
    at % 5 === 0 ? notes.delete(`n${(at + 5) % 11}`) : undefined,
  ]);
}
