/**
 * `npm run conformance -- URL [--token T | --user U --password P] [--project P] [--journey]`: the contract suite against a
 * running service, one line a check; with `--journey` the way of a team through its chat instead, one line a step. Exit code 0 when nothing failed but what is known of that generation, 1 when something did,
 * 2 when the service could not be reached or the arguments are wrong.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createMindsdbService } from "../../src/agent-service/mindsdb/client.ts";
import { toParleyError } from "../../src/ports/errors.ts";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { errorText } from "../../src/presentation/sentences.ts";
import { causeOf } from "./check.ts";
import { runJourney } from "./journey.ts";
import { type CheckResult, runConformance } from "./suite.ts";

const usage = "npm run conformance -- URL [--token T | --user U --password P] [--project NAME] [--journey]";
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** Unlike the system's own clock this one keeps the process alive while it waits: here waiting is the work. */
const clock = { ...systemClock, sleep: (ms: number) => sleep(ms) };

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function lineOf({ outcome, id, says, because, notes, ms }: CheckResult): string {
  const label = outcome === "known" ? "known:" : outcome;
  const detail = [...(because === undefined ? [] : [because]), ...notes].map((text) => `\n         ${text}`).join("");
  return `${label.padEnd(6)}   ${id}: ${says} (${(ms / 1000).toFixed(1)} s)${detail}`;
}

/** Resolves with the exit code. */
async function travel(options: Parameters<typeof runJourney>[0]): Promise<number> {
  let failed = 0;
  for await (const { isOk, says, because, ms } of runJourney(options)) {
    if (!isOk) failed += 1;
    const detail = because === undefined ? "" : `\n         ${because}`;
    print(`${(isOk ? "ok" : "not ok").padEnd(6)}   ${says} (${(ms / 1000).toFixed(1)} s)${detail}`);
  }
  return failed === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      token: { type: "string" },
      user: { type: "string" },
      password: { type: "string" },
      project: { type: "string", default: "mindsdb" },
      journey: { type: "boolean", default: false },
    },
  });
  const [url] = positionals;
  if (url === undefined || !/^https?:\/\//.test(url) || positionals.length > 1) {
    print(`Give the address of one service: ${usage}`);
    return 2;
  }
  const { token, user, password, project } = values;
  const service = createMindsdbService({
    baseUrl: url.replace(/\/+$/, ""),
    clock: systemClock,
    log: silent,
    ...(token === undefined ? {} : { token }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
  });
  const counts = { ok: 0, "not ok": 0, known: 0 };
  try {
    const profile = await service.status();
    print(`${url}: version ${profile.version === "" ? "not told" : profile.version}, ${profile.generation}\n`);
    const mark = randomBytes(4).toString("hex");
    if (values.journey) {
      const login = { AGENT_SERVICE_TOKEN: token, AGENT_SERVICE_USER: user, AGENT_SERVICE_PASSWORD: password };
      const given = Object.entries(login).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      return await travel({
        ...{ service, project, mark },
        settings: { ...Object.fromEntries(given), AGENT_SERVICE_URL: url },
      });
    }
    for await (const result of runConformance({ service, clock, project, mark })) {
      counts[result.outcome] += 1;
      print(lineOf(result));
    }
    print(`\n${counts.ok} ok, ${counts["not ok"]} not ok, ${counts.known} known`);
    return counts["not ok"] === 0 ? 0 : 1;
  } catch (thrown) {
    const error = toParleyError(thrown);
    const { what, hint } = errorText(error);
    print(`The suite could not go on: ${what} ${hint}${causeOf(error)}`);
    return 2;
  } finally {
    await service.close();
  }
}

process.exitCode = await main().catch((thrown: unknown) => {
  print(`${thrown instanceof Error ? thrown.message : String(thrown)}\n${usage}`);
  return 2;
});
