/**
 * What a generation of the service gets wrong itself, by the id of the check; the reasons stand in docs/conformance.md
 * too, and a test compares the two. A check named here is still run: it may not fail the suite, and when it passes
 * after all the report says so.
 */
import type { ServiceProfile } from "../../src/bridge/ports/agent-service.ts";

export const known: Readonly<Record<ServiceProfile["generation"], Readonly<Record<string, string>>>> = {
  "25.x": {},
  "26.x": {},
  local: {},
  unknown: {},
};
