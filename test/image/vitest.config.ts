/** `npm run image -- test`. Not among the other tests: they need an image, which takes minutes to build. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/image/*.image.ts"],
    setupFiles: ["test/setup.ts"],
    reporters: ["verbose"],
    // An end may take 45 s, and two of them may be in one test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
