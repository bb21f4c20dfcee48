import { defineConfig } from "vitest/config";
import { runsFactor } from "./test/properties.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // More runs of properties need more time.
    testTimeout: 20_000 * Math.max(1, runsFactor),
    hookTimeout: 60_000,
    // Most of what takes long is waiting: for leases to lapse, for processes to start.
    maxWorkers: 3,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
