import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Subject } from "../../src/agent-service/http/request.ts";
import { insertReason, problemError, readProblem } from "../../src/agent-service/mindsdb/errors.ts";
import { ParleyError } from "../../src/core/errors.ts";
import { errorText } from "../../src/presentation/sentences.ts";
import { goldenFile, plantedKey, recordedRefusals } from "./recordings.ts";

function subjectOf(path: string, method: string): Subject {
  if (path.startsWith("/api/login")) return "login";
  if (path.startsWith("/api/files")) return "file";
  if (path.startsWith("/api/sql")) return "sql";
  if (path.includes("/knowledge_bases")) return method === "PUT" ? "insert" : "knowledge-base";
  if (path.includes("/agents")) return "agent";
  return "project";
}

const refusals = recordedRefusals();

function errorOf({ request: { path, method }, response }: (typeof refusals)[number]) {
  const problem = readProblem(response.status, response.bodyText ?? "");
  return problemError(problem, subjectOf(path, method), []);
}

describe("recorded refusals", () => {
  it("get the codes that are listed beside them", async () => {
    const codes = refusals.map((refusal) => `${refusal.name}: ${refusal.response.status} -> ${errorOf(refusal).code}`);

    await expect(`${codes.join("\n")}\n`).toMatchFileSnapshot(goldenFile("problems.txt"));
  });

  it("never show people a key, a host path or an internal address", () => {
    for (const refusal of refusals) {
      const { what, hint } = errorOf(refusal);

      expect(`${refusal.name} ${what} ${hint}`).not.toMatch(/sk-|https?:|SELECT|Pool|\/usr|<STORAGE>/);
    }
  });

  it("never carry a key anywhere, in any depth of the error", () => {
    const withKey = refusals.filter(({ response }) => response.bodyText?.includes(plantedKey));
    expect(withKey.length).toBeGreaterThan(0);

    for (const refusal of refusals) {
      expect(inspect(errorOf(refusal), { depth: null, showHidden: true })).not.toContain("0123456789");
    }
  });
});

describe("an answer that isn't an error body", () => {
  it.each([
    [404, "<!doctype html><title>Welcome</title>", "service_not_understood"],
    [500, "<html>oops</html>", "service_failed"],
    [502, "<html>Bad Gateway</html>", "service_unreachable"],
    [503, "", "service_unreachable"],
    [504, "upstream timeout", "service_unreachable"],
    [429, "{}", "service_busy"],
    [401, "", "not_authorised"],
    [403, "<html>", "not_authorised"],
    [308, "<html>Redirecting", "service_not_understood"],
    [418, '{"title": 5, "detail": ["x"]}', "service_request_refused"],
    [500, "[1, 2]", "service_failed"],
    [413, "{}", "service_request_refused"],
  ] as const)("%i %s is %s", (status, body, code) => {
    expect(problemError(readProblem(status, body), "agent", []).code).toBe(code);
  });

  it("keeps how long the service asks to wait", () => {
    expect(problemError(readProblem(503, "", "7"), "agent", [])).toMatchObject({
      ...{ code: "service_busy", retryAfterMs: 7000 },
    });
    expect(problemError(readProblem(429, "", "Wed, 21 Oct"), "agent", []).retryAfterMs).toBeUndefined();
  });

  it("removes the client's own token from the cause", () => {
    const problem = readProblem(500, '{"title":"X","detail":"you sent hunter2-token"}');

    expect(inspect(problemError(problem, "agent", ["hunter2-token"]))).not.toContain("hunter2");
  });
});

describe("the reason why content could not be added", () => {
  it.each([
    ["Failed to resolve 'host.internal'", "url-unresolved"],
    ["HTTPConnectionPool(host='10.0.0.1'): Connection refused", "url-silent"],
    ["Content columns None not found in dataset: ['title']", "row-empty"],
    ["Error during preprocessing and insertion: 'http://10.0.0.1/x'", "no-page-matched"],
  ] as const)("is recognised in %s, and worded by Parley", (detail, reason) => {
    expect(insertReason(detail)).toBe(reason);
    expect(errorText(new ParleyError("insert_failed", { reason })).what).not.toMatch(/10\.0|host\.internal|title/);
  });

  it("is not guessed when it is not known", () => {
    expect(insertReason("something else")).toBeUndefined();
  });
});
