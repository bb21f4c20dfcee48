import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
