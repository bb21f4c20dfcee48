/** The contract suite that runs against any service, against the local one: quoting, and with a language model. */
import { beforeAll, describe, expect, it } from "vitest";
import { type LocalServiceOptions, startLocalService } from "../../../src/agent-service/built-in/local-service.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { type CheckResult, checks, runConformance } from "../../conformance/suite.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { readingReply } from "./model/reading-model.ts";
import { piecesOf, scriptedModel } from "./model/scripted-model.ts";

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const model = scriptedModel([
  async function* ({ messages }) {
    yield* piecesOf(readingReply(messages.map(({ text }) => text)));
  },
]);
const kinds: readonly { readonly kind: string; readonly options: Partial<LocalServiceOptions> }[] = [
  { kind: "quotes", options: {} },
  { kind: "answers in a model's words", options: { model } },
];

describe.each(kinds)("the local service that $kind", ({ options }) => {
  const results = new Map<string, CheckResult>();
  let left: unknown;

  beforeAll(async () => {
    const dataDir = await temporaryFolder("conformance");
    const service = await startLocalService({ dataDir, clock: systemClock, log, stepDelayMs: 0, ...options });
    const conformance = { service, clock: systemClock, project: "mindsdb", mark: "test" };
    for await (const result of runConformance(conformance)) results.set(result.id, result);
    left = [
      await service.listAgents("mindsdb"),
      await service.listKnowledgeBases("mindsdb"),
      await service.listFiles(),
    ];
    await service.close();
  });

  it.each(checks.map(({ says, id }) => ({ says, id })))("$says", ({ id }) => {
    expect(results.get(id)).toMatchObject({ outcome: "ok", notes: [] });
  });

  it("is left as it was", () => {
    expect(left).toEqual([[], [], []]);
  });
});
