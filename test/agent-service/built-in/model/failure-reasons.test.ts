import { expect, it, onTestFinished } from "vitest";
import type { FailureReason } from "../../../../src/agent-service/built-in/model/language-model.ts";
import { connectModel } from "../../../../src/agent-service/built-in/model/local-model.ts";
import { readConfig } from "../../../../src/config/config.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { startModelServer } from "../../../fakes/model-server/index.ts";

/** Why the model at the endpoint gave no answer to that question. */
async function reasonFor(question: string): Promise<FailureReason | undefined> {
  const server = await startModelServer({ models: ["fake-chat"] });
  onTestFinished(server.close);
  const config = readConfig({ LOCAL_MODEL_URL: server.url, LOCAL_MODEL_KEY: server.key }, []);
  // What is busy is waited for, in no time.
  const connected = connectModel(config, { ...systemClock, sleep: async () => {} });
  onTestFinished(async () => connected?.close());
  const signal = AbortSignal.timeout(20_000);
  const messages = [{ role: "user", text: question }] as const;
  try {
    for await (const _piece of connected?.model.write({ instructions: "Answer.", messages, signal }) ?? []) {
      // Only its end counts.
    }
  } catch (thrown) {
    return (thrown as { readonly reason?: FailureReason }).reason;
  }
  return undefined;
}

it.each([
  ["use tool please", "missing-tool"],
  ["bad key", "refused"],
  ["rate limit", "busy"],
  ["too long", "too-long"],
] as const)("the question %j fails for its own reason", async (question, reason) => {
  expect(await reasonFor(question)).toBe(reason);
});
