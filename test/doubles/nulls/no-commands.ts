/** Commands for tests of questions: there are none. */
import type { Commands } from "../../../src/commands/contract.ts";

export const noCommands: Commands = {
  named: () => ({ role: "ask" }),
  plan: () => ({ acknowledgement: { kind: "none" }, role: "ask" }),
  spoken: () => undefined,
  run: async () => ({ kind: "nothing" }),
  checkForm: async () => undefined,
  submitForm: async () => ({ kind: "nothing" }),
  askedWith: async () => undefined,
  roleOfForm: () => "ask",
  planAction: () => ({ acknowledgement: { kind: "none" }, role: "ask" }),
  askedByButton: async () => undefined,
  pressAction: async () => ({ kind: "nothing" }),
  refused: async () => undefined,
  complete: async () => [],
  addressee: () => undefined,
};
