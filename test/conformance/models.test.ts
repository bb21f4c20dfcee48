/** The sections of services whose agents are models, against the doubles of such servers. */
import { expect, it } from "vitest";
import { createAgentService } from "../../src/agent-service/agent-service.ts";
import type { Dialect } from "../../src/core/ports/agent-service.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { startCowork } from "../fakes/cowork/index.ts";
import { startModelServer } from "../fakes/model-server/index.ts";
import type { Scripted } from "./check.ts";
import { type CheckResult, runConformance } from "./suite.ts";

type Server = { readonly root: string; readonly key: string; readonly close: () => Promise<void> };
type Asked = { readonly agent?: string; readonly kind?: Dialect; readonly scripted: Scripted };

async function cowork(): Promise<Server> {
  const key = "cowork-key";
  const { root, close } = await startCowork({ key, wordMs: 1 });
  return { root, key, close };
}
const openai = () => startModelServer({ as: "openai" });
const litellm = () => startModelServer({ as: "litellm" });

const servers: readonly (readonly [name: string, start: () => Promise<Server>, asked: Asked])[] = [
  ["OpenAI in the Responses API", openai, { agent: "fake-native", scripted: "responses" }],
  ["OpenAI in Chat Completions", openai, { agent: "fake-chat", kind: "chat", scripted: "chat" }],
  ["LiteLLM in the Responses API, passed on", litellm, { agent: "native", scripted: "responses" }],
  ["LiteLLM in the Responses API, made of Chat Completions", litellm, { agent: "support", scripted: "chat" }],
  ["LiteLLM in Chat Completions", litellm, { agent: "support", kind: "chat", scripted: "chat" }],
  ["cowork-server", cowork, { scripted: "agent" }],
];

it.each(servers)("every check holds of the double of %s, or fails as is known", async (_, start, asked) => {
  const { agent, kind, scripted } = asked;
  const server = await start();
  const withKey = (token: string) =>
    createAgentService({ baseUrl: server.root, kind, token, clock: systemClock, log: silentLog });
  const service = withKey(server.key);
  const results: CheckResult[] = [];
  try {
    const shared = { service, clock: systemClock, project: "mindsdb", mark: "test", withKey };
    for await (const result of runConformance({ ...shared, agent, scripted })) results.push(result);
  } finally {
    await server.close();
    await service.close();
  }

  expect(results.length).toBeGreaterThan(20);
  expect(results.filter(({ outcome }) => outcome === "not ok")).toEqual([]);
});
