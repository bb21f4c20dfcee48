/** An overview of a Parley in which nothing has happened. */
import type { Overview } from "../../src/ports/overview/overview.ts";

export const noOverview: Overview = {
  now: () => ({ running: 0, waiting: 0 }),
  places: { kindOf: () => "unknown", isPublic: async () => false, nameOf: async () => ({}) },
};
