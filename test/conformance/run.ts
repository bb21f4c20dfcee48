/**
 * `npm run conformance -- URL`: the contract suite against a running service, one line a check; with `--journey` the way
 * of a team through its chat instead, one line a step. Exit code 0 when nothing failed but what is known of that server, 1
 * when something did, 2 when the service could not be reached or the arguments are wrong.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createAgentService } from "../../src/agent-service/agent-service.ts";
import { toParleyError } from "../../src/core/errors.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { errorText, serviceText } from "../../src/presentation/sentences.ts";
import { causeOf } from "./check.ts";
import { runJourney } from "./journey.ts";
import { type CheckResult, runConformance } from "./suite.ts";

const usage =
  "npm run conformance -- URL [--kind mindsdb|responses|chat] [--token T | --user U --password P] [--project NAME] [--journey] [--agent NAME] [--scripted chat|responses|agent]";
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
      kind: { type: "string" },
      agent: { type: "string" },
      scripted: { type: "string" },
    },
  });
  const [url] = positionals;
  if (url === undefined || !/^https?:\/\//.test(url) || positionals.length > 1) {
    print(`Give the address of one service: ${usage}`);
    return 2;
  }
  const { token, user, password, project, agent, journey } = values;
  const kind = oneOf("--kind", values.kind, ["mindsdb", "responses", "chat"] as const);
  const scripted = oneOf("--scripted", values.scripted, ["chat", "responses", "agent"] as const);
  const connect = (key: string | undefined) =>
    createAgentService({ baseUrl: url, clock: systemClock, log: silent, kind, token: key, user, password });
  const service = connect(token);
  const counts = { ok: 0, "not ok": 0, known: 0 };
  try {
    const profile = await service.status();
    print(`${url}: ${serviceText(profile)}\n`);
    const mark = randomBytes(4).toString("hex");
    if (journey && !profile.offers.includes("agent-changes")) {
      print("The journey creates agents and knowledge bases, and this service has none to create.");
      return 2;
    }
    if (journey) {
      const login = { AGENT_SERVICE_TOKEN: token, AGENT_SERVICE_USER: user, AGENT_SERVICE_PASSWORD: password };
      const given = Object.entries(login).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      return await travel({
        ...{ service, project, mark },
        settings: { ...Object.fromEntries(given), AGENT_SERVICE_URL: url },
      });
    }
    const withKey = token === undefined ? undefined : connect;
    for await (const result of runConformance({ service, clock, project, mark, agent, withKey, scripted })) {
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

function oneOf<T extends string>(name: string, given: string | undefined, choices: readonly T[]): T | undefined {
  const chosen = choices.find((choice) => choice === given);
  if (given !== undefined && chosen === undefined) throw new Error(`${name} must be ${choices.join(" or ")}`);
  return chosen;
}

process.exitCode = await main().catch((thrown: unknown) => {
  print(`${thrown instanceof Error ? thrown.message : String(thrown)}\n${usage}`);
  return 2;
});
