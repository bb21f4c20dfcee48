import { defineConfig } from "vitest/config";
import { runsFactor } from "./test/properties.ts";

/** What needs a browser, Redis or child processes, or takes more than a second. CONTRIBUTING.md has the rule. */
const slow = ["test/{journeys,reliability,chaos}/**/*.test.ts", "test/**/*.slow.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: slow,
          // The files share their modules: loading those anew for each took longer than the tests.
          isolate: false,
          setupFiles: ["test/fast-setup.ts"],
        },
      },
      { extends: true, test: { name: "slow", include: slow } },
    ],
    setupFiles: ["test/setup.ts"],
    // More runs of properties need more time.
    testTimeout: 20_000 * Math.max(1, runsFactor),
    hookTimeout: 60_000,
    // Most of what takes long is waiting: for leases to lapse, for processes to start.
    maxWorkers: 3,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
