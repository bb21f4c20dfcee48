/**
 * `npm run demo`: fills an empty DATA_DIR or Redis with a month of a made-up company, the same for the same seed, to try
 * the overview with and to measure it.
 */
import { parseArgs } from "node:util";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createLog } from "../../src/operations/operations.ts";
import { openState } from "../../src/state/open-state.ts";
import { onPage } from "./company.ts";
import { fill } from "./fill.ts";
import { fillService } from "./fill-service.ts";

const usage = `Usage: npm run demo -- DATA_DIR [options]
  --redis URL        put the month into that Redis; knowledge bases are always in DATA_DIR
  --questions 1300   how many questions
  --days 30          over how many days
  --channels 0       further channels, for measurements
  --until DATE       when the month ends; default: now
  --seed 18          another month
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    redis: { type: "string" },
    questions: { type: "string", default: "1300" },
    days: { type: "string", default: "30" },
    channels: { type: "string", default: "0" },
    until: { type: "string" },
    seed: { type: "string", default: "18" },
    help: { type: "boolean", default: false },
  },
});

const log = createLog({ level: "warn" });
const [dataDir] = positionals;
const untilMs = values.until === undefined ? Date.now() : Date.parse(values.until);
const [questions, days, moreChannels, seed] = [values.questions, values.days, values.channels, values.seed].map(Number);

if (values.help || dataDir === undefined || Number.isNaN(untilMs) || Number.isNaN(seed ?? Number.NaN)) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
process.umask(0o077);
const beganMs = performance.now();
const redis = values.redis === undefined ? {} : { redisUrl: values.redis };
const state = await openState({ dataDir, ...redis, clock, log });
try {
  if ((await state.turns.recent(1)).length > 0) {
    process.stderr.write(`${values.redis ?? dataDir} isn't empty. Choose another one: nothing was changed.\n`);
    process.exitCode = 1;
  } else {
    const month = {
      company: onPage,
      seed: seed ?? 0,
      untilMs,
      days: days ?? 30,
      questions: questions ?? 0,
      moreChannels: moreChannels ?? 0,
    };
    const { turns, votes } = await fill(state, month, clock, log);
    await fillService(dataDir, clock, log);
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
    process.stdout.write(
      `${turns} questions and ${votes} votes in ${seconds} s. Start it: DATA_DIR=${dataDir} CONSOLE=on npm start\n`,
    );
  }
} finally {
  await state.close();
}
