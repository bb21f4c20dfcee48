/**
 * Buttons of a proof: Ask again, and telling those who asked. Both decide again who may see it when they are pressed.
 */

import type { CommandResult } from "../../core/commands.ts";
import type { Document } from "../../core/document.ts";
import type { Proved } from "../../insight/proof/proofs.ts";
import { infoDocument, proofAfter, provingDocument } from "../../presentation/drawing.ts";
import { those } from "../../presentation/sentences.ts";
import type { Interactions } from "../command.ts";
import { privately } from "../results.ts";

export const proofButtons: Interactions = {
  actions: {
    "prove-again": {
      role: "ingest",
      press: async (app, id, context) => proved(undefined, await app.proving.again(id, context)),
    },
    "tell-askers": {
      role: "ingest",
      press: async (app, id, context) => {
        const people = await app.proving.tell(id, context);
        await app.audit.record(context, {
          role: "ingest",
          action: "tell askers",
          about: { proof: id, people: String(people) },
          outcome: "done",
        });
        return privately(
          infoDocument(people === 0 ? "Nobody is left to tell." : `I'm telling ${those(people)}.`, { tone: "done" }),
        );
      },
    },
  },
};

/** What was done, with "Asking again…" below, then what came of it. Undefined: nothing is asked. */
export function proved(done: Document, proof: Proved | undefined): CommandResult;

export function proved(done: undefined, proof: Proved): CommandResult;

export function proved(done: Document | undefined, proof: Proved | undefined): CommandResult {
  if (proof === undefined) return done === undefined ? { kind: "nothing" } : privately(done);
  const end = proof.end.then((shown) => privately(done === undefined ? shown : proofAfter(done, shown)));
  return { kind: "working", document: done === undefined ? proof.progress : provingDocument(done), result: end };
}
