/** The official conformance suite against Parley, as far as it fits a server with tools of its own. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";

/** docs/mcp.md says why these. */
const scenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

describe("the conformance suite of MCP", () => {
  let parley: ParleyProcess;
  beforeAll(async () => {
    parley = await createParleyProcess();
    await parley.start();
  });
  afterAll(() => parley?.close());

  it.each(scenarios)("passes %s", async (scenario) => {
    const given = ["server", "--url", `${parley.url}/mcp`, "--scenario", scenario];

    // It ends with another code than 0 when a check fails.
    const { stdout } = await promisify(execFile)(process.execPath, [suite, ...given], { cwd: parley.dataDir });

    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
  });
});
