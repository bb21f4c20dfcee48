/** A process that opens the state of a folder, says so, and then follows its parent's orders on standard input. */
import { createInterface } from "node:readline";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const log = { debug: () => {}, info: () => {}, warn: (_: unknown, message: string) => say(message), error: () => {} };
const state = await openState({ dataDir: String(process.argv[2]), clock: systemClock, log });
say("open");
let count = 0;
for await (const command of createInterface({ input: process.stdin })) {
  if (command === "write") {
    count += 1;
    await state.turns.create(sampleTurn(`t${process.pid}-${count}`));
    say(`written t${process.pid}-${count}`);
  }
  if (command === "fence") say(`fence ${(await state.coordinator.lease("k")).fence}`);
  if (command === "close") break;
}
await state.close();
say("closed");
