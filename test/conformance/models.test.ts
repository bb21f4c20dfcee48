/** The sections of services whose agents are models, against the scripted model server. */
import { expect, it } from "vitest";
import { createAgentService } from "../../src/agent-service/agent-service.ts";
import type { Dialect } from "../../src/ports/agent-service.ts";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { startModelServer } from "../fakes/model-server/index.ts";
import type { Scripted } from "./check.ts";
import { type CheckResult, runConformance } from "./suite.ts";

const servers: readonly (readonly [as: "openai" | "litellm", agent: string, kind: Dialect, scripted: Scripted])[] = [
  ["openai", "fake-chat", "chat", "chat"],
  ["litellm", "support", "chat", "chat"],
];

it.each(servers)("the double of %s passes every check with the agent %s in %s", async (as, agent, kind, scripted) => {
  const server = await startModelServer({ as });
  const connect = (token: string) =>
    createAgentService({ baseUrl: server.root, kind, token, clock: systemClock, log: silentLog });
  const service = connect(server.key);
  const results: CheckResult[] = [];
  try {
    const options = {
      service,
      clock: systemClock,
      project: "mindsdb",
      mark: "test",
      agent,
      withKey: connect,
      scripted,
    };
    for await (const result of runConformance(options)) results.push(result);
  } finally {
    await server.close();
    await service.close();
  }

  expect(results.length).toBeGreaterThan(20);
  expect(results.filter(({ outcome }) => outcome === "not ok")).toEqual([]);
});
