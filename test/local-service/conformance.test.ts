/** The contract suite that runs against any service, against the local one. */
import { beforeAll, describe, expect, it } from "vitest";
import { createMindsdbService } from "../../src/agent-service/mindsdb/client.ts";
import { startLocalService } from "../../src/local-service/local-service.ts";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { type CheckResult, checks, runConformance } from "../conformance/suite.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const results = new Map<string, CheckResult>();
let folder: string;
let left: unknown;

beforeAll(async () => {
  folder = await temporaryFolder("conformance");
  const local = await startLocalService({ dataDir: folder, clock: systemClock, log, stepDelayMs: 0 });
  const service = createMindsdbService({ baseUrl: local.url, clock: systemClock, log });
  const options = { service, clock: systemClock, project: "mindsdb", mark: "test" };
  for await (const result of runConformance(options)) results.set(result.id, result);
  left = [await service.listAgents("mindsdb"), await service.listKnowledgeBases("mindsdb"), await service.listFiles()];
  await service.close();
  await local.close();
});

describe("the local service", () => {
  it.each(checks.map(({ says, id }) => ({ says, id })))("$says", ({ id }) => {
    expect(results.get(id)).toMatchObject({ outcome: "ok", notes: [] });
  });

  it("is left as it was", () => {
    expect(left).toEqual([[], [], []]);
  });
});
