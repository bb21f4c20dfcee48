/**
 * Lists what a generation of the service gets wrong, by the id of the check. The reasons are in docs/conformance.md,
 * and a test compares the two. A check named here still runs unless it harms the service: it doesn't fail the suite,
 * and the report says when it passes after all.
 */
import type { ServiceProfile } from "../../src/core/ports/agent-service.ts";

/** Not run: after runs at the same time 26.x may hang, and keep its own database locked for a minute. */
export const harmful: Readonly<Record<ServiceProfile["generation"], readonly string[]>> = {
  "25.x": [],
  "26.x": ["ask-two"],
  local: [],
  openai: [],
  litellm: [],
  cowork: [],
  unknown: [],
};

export const known: Readonly<Record<ServiceProfile["generation"], Readonly<Record<string, string>>>> = {
  "25.x": {
    "insert-same-id": "keeps the old text of a row beside the new one; Parley deletes the row first",
  },
  "26.x": {
    "agent-create-name":
      "accepts any name, even one that can't be used in a URL afterwards; Parley checks names itself",
    "ask-plain": "answers 500 after the run (KeyError); Parley uses only the stream there",
    "ask-two": "concurrent runs break each other: 4 of 20 failed with a model that answers at once",
  },
  local: {},
  openai: {},
  litellm: {
    refusal: "returns an empty answer when a model behind Chat Completions refuses",
    "breaks-off": "makes a whole answer of one that such a model broke off; no client can tell",
  },
  cowork: {
    "agent-unknown": "has one agent and ignores the name",
    citations: "loses what the model cites",
    "cut-length": "ends such an answer as if it were whole, or with an error text",
    "cut-filter": "ends such an answer as if it were whole",
    refusal: "returns an empty answer when the model refuses",
    "rate-limit": "tries again for a minute, then answers with an error text that names no time",
    "breaks-off": "ends such an answer as if it were whole; no client can tell",
  },
  unknown: {},
};
