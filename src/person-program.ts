/**
 * `parley erase slack:T1/U123` and `parley export slack:T1/U123`: erases what Parley keeps about a person, or
 * writes it as JSON. On SQLite the running Parley does it; otherwise this process.
 */

import { pipeline } from "node:stream/promises";
import { Hono } from "hono";
import packageJson from "../package.json" with { type: "json" };
import { createAgentService } from "./agent-service/agent-service.ts";
import { type Config, ConfigError, loadConfig } from "./config/config.ts";
import type { Erasure } from "./core/content/privacy.ts";
import { ParleyError, toParleyError } from "./core/errors.ts";
import type { Log } from "./core/ports/log.ts";
import type { State } from "./core/ports/state.ts";
import { systemClock as clock } from "./core/tools/system-clock.ts";
import { answerRequest, type PrivacyRequest, parsePerson } from "./insight/privacy/privacy.ts";
import { createPageReading } from "./knowledge/knowledge.ts";
import { addressToOpen, askRunning, createLog, createMetrics } from "./operations/operations.ts";
import { composeParley } from "./parley.ts";
import { platformModules } from "./platforms.ts";
import { cleanText } from "./presentation/drawing.ts";
import { errorText, numberText } from "./presentation/sentences.ts";
import { hasState, openState } from "./state/open-state.ts";

const says = {
  inUse: (dataDir: string) => ({
    what: `Another Parley is using DATA_DIR (${dataDir}) and doesn't answer, so nothing was done.`,
    hint: "If it is starting or shutting down, try again in a minute; otherwise stop it first.",
  }),
};

/** Another process has the folder, but doesn't answer: it is starting, or shuts down for up to 40 s. */
const lockPatienceMs = 45_000;
/** As shells say it of a program whose reader has ended, such as `head`: 128 + SIGPIPE. */
const readerGone = 141;

const log = createLog({ level: "silent" });
/** Says what it waits for: DATA_DIR. Of Redis it says once that it is down. */
const aloud: Log = { ...log, warn: (_about, text) => void process.stderr.write(`${text}.\n`) };

/** Here, over the store itself. On Redis, running instances stop what they are answering. */
async function* workHere(config: Config, request: PrivacyRequest): AsyncGenerator<unknown> {
  const { dataDir, redisUrl } = config;
  const inUse = new AbortController();
  const giveUp = () => inUse.abort(new ParleyError("state_unavailable", says.inUse(dataDir)));
  const cancel = clock.after(lockPatienceMs, giveUp);
  const lockLog = redisUrl === undefined ? aloud : log;
  const state = await openState({ dataDir, redisUrl, clock, log: lockLog, signal: inUse.signal }).finally(cancel);
  // The clock's timers keep no process alive: it would end while it waits for an answer to stop.
  const alive = setInterval(() => undefined, 60_000);
  try {
    // While Redis is down, erasing would wait for its lease.
    await state.ping();
    yield* workOn(state, config, request);
  } finally {
    clearInterval(alive);
    await state.close();
  }
}

async function* workOn(state: State, config: Config, request: PrivacyRequest): AsyncGenerator<unknown> {
  const reading = createPageReading({ allowsPrivate: false, version: packageJson.version, clock, log });
  const { host, port, proxy } = config;
  const { url = "http://127.0.0.1:9", ...login } = config.service;
  const service = createAgentService({ ...login, baseUrl: url, proxy, clock, log });
  const http = { app: new Hono(), handleNode: () => undefined, baseUrl: addressToOpen(host, port), host };
  const ownPages = platformModules.filter((module) => module.isTrusted).map(({ name }) => name);
  const parley = await composeParley({
    settings: { ...config, version: packageJson.version },
    modules: platformModules,
    platforms: config.platforms
      .filter(({ name }) => ownPages.includes(name))
      .map(({ name, connect }) => ({ name, connect: (parts) => connect({ ...parts, http }) })),
    metrics: createMetrics(),
    state,
    service,
    reading,
    clock,
    log,
  });
  try {
    yield* answerRequest(parley.privacy, request);
  } finally {
    await parley.drain(0);
    await parley.close();
    await reading.close();
    await service.close();
  }
}

/** What is written for the person who asked: reports, or the records as JSON. */
async function* outputOf(request: PrivacyRequest, answer: AsyncIterable<unknown>): AsyncGenerator<string> {
  if (request.action === "erase") {
    for await (const report of answer) {
      const erasure = report as Erasure;
      if (!erasure.isComplete) process.exitCode = 1;
      yield `${erasureText(cleanText(request.person), erasure)}\n`;
    }
    return;
  }
  yield `{"version":1,"person":${JSON.stringify(request.person)},"records":[`;
  let separator = "\n";
  for await (const record of answer) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}

async function run(request: PrivacyRequest): Promise<void> {
  const config = loadConfig(platformModules);
  if (!hasState(config))
    return refuse(
      `There is no data of Parley in DATA_DIR (${config.dataDir}), so nothing was done. Set DATA_DIR, or REDIS_URL, as the running Parley has it.`,
      1,
    );
  const running = config.redisUrl === undefined ? await askRunning(config.dataDir, request) : undefined;
  const answer = running ?? workHere(config, request);
  await pipeline(outputOf(request, answer), process.stdout, { end: false });
}

function refuse(why: string, exitCode: number): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = exitCode;
}

process.umask(0o077);
const [action, person = "", ...more] = process.argv.slice(2);
const named = parsePerson(person);
const platforms = platformModules.map(({ name }) => name);

if ((action !== "erase" && action !== "export") || named === undefined || more.length > 0) {
  refuse(
    `Name one person as platform:workspace/id, for example: parley ${action ?? "erase"} slack:T1/U123. docs/privacy.md says where to find the ids.`,
    2,
  );
} else if (!platforms.includes(named.platform)) {
  refuse(`Parley has no platform "${named.platform}". It has ${platforms.join(", ")}.`, 2);
} else {
  // A connection to the storage may break with the same code, so the output itself is asked.
  let isUnread = false;
  process.stdout.once("error", ({ code }: NodeJS.ErrnoException) => {
    isUnread = code === "EPIPE";
  });
  try {
    await run({ action, person });
  } catch (thrown) {
    if (isUnread) process.exitCode = readerGone;
    else {
      const { what, hint } =
        thrown instanceof ConfigError ? { what: thrown.message, hint: "" } : errorText(toParleyError(thrown));
      refuse(`${what} ${hint}`.trim(), thrown instanceof ConfigError ? thrown.exitCode : 1);
    }
  }
}

/** The report of an erasure, as `parley erase` prints it. */
function erasureText(person: string, { kinds, stays, isComplete }: Erasure): string {
  const lines = kinds.map(({ kind, removed, renamed }) => {
    const parts = [
      removed > 0 ? `${numberText(removed)} removed` : "",
      renamed > 0 ? `${numberText(renamed)} without the name` : "",
    ];
    return `  ${kind}: ${parts.filter((part) => part !== "").join(", ")}`;
  });
  const first =
    kinds.length === 0 && stays.length === 0
      ? `Parley keeps nothing about ${person}. If you expected something, check the id: docs/privacy.md says where to find it.`
      : `Erased ${person}:`;
  const last =
    stays.length === 0
      ? []
      : [isComplete ? "What stays:" : "Not finished. What stays:", ...stays.map((one) => `  ${one}`)];
  return [first, ...lines, ...last].join("\n");
}
