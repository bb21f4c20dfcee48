/** An installation of which nothing is known, for compositions without a program around them. */
import type { Installation } from "../core/overview/installation.ts";

export const noInstallation: Installation = {
  startedAtMs: 0,
  host: "",
  labelOf: (platform) => platform,
  isShared: false,
  service: async () => ({ isOk: true }),
  storage: async () => ({ kind: "SQLite", isOk: true }),
  problems: () => ({ problems: [] }),
  settings: [],
  errors: () => [],
};
