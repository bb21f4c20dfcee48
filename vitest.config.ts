import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Most of what takes long is waiting: for leases to lapse, for processes to start.
    maxWorkers: 3,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
