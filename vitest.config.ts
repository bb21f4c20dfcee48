import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { runsFactor } from "./test/properties.ts";

/** What needs a browser, Redis or child processes, or takes more than a second. CONTRIBUTING.md has the rule. */
const slow = ["test/{journeys,reliability,chaos}/**/*.test.ts", "test/**/*.slow.test.ts"];
/** They count the steps of regular expressions, which differ in a process that has run others for long. */
const counting = ["test/security/content/*.slow.test.ts"];

/** They read large content within limits in real time. Beside five other files they would reach those limits first. */
const limited = ["test/knowledge/foreign/*.slow.test.ts", "test/reliability/hostile/hostile-page.test.ts"];

const patient = {
  // What a failed test did not put back must not reach the next file.
  restoreMocks: true,
  globalSetup: "test/build.ts",
  // They mostly wait: for leases to expire, for processes to start.
  maxWorkers: 6,
  // Processes start twice and more in one test, and each start may take its own limit on a busy machine. What
  // never comes is named after 45 seconds, by test/doubles/until.ts.
  testTimeout: 240_000,
  // Real processes on a busy machine: what fails in CI runs once more, and the report says "retry x1" beside it.
  retry: process.env["CI"] ? 1 : 0,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: slow,
          // The files share their modules: loading those again for each took longer than the tests.
          isolate: false,
          setupFiles: ["test/fast-setup.ts"],
          // They only compute, and each worker loads every module again.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: slow,
          exclude: [...counting, ...limited],
          // The files share their modules here too: loading those again took a quarter of the processor time.
          isolate: false,
          ...patient,
        },
      },
      {
        extends: true,
        test: { name: "apart", include: counting, ...patient },
      },
      {
        extends: true,
        test: { name: "alone", include: limited, ...patient, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
    setupFiles: ["test/setup.ts"],
    sequence: { sequencer: LongestFirst },
    // Above the limit of test/doubles/until.ts, and far above what any test needs: no test may depend on how fast the
    // machine is. More runs of properties need more time.
    testTimeout: 60_000 * Math.max(1, runsFactor),
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
