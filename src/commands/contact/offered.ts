/** Answers commands and buttons for which the agent service has nothing: what is missing, and what to do instead. */

import type { CommandResult } from "../../core/commands.ts";
import type { Document } from "../../core/document.ts";
import type { Role } from "../../core/model/place.ts";
import type { AgentService, ServiceOffer } from "../../core/ports/agent-service.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { Lacking } from "../../presentation/sentences.ts";
import { ofCommands, ofOffers } from "../../presentation/sentences.ts";
import type { NameCache } from "../names/name-cache.ts";
import type { Parsed } from "../parsing/parsed.ts";
import { openly } from "../results.ts";

/** A command, or a button with the name of its action. */
type Offering = { readonly path: string; readonly offer?: ServiceOffer };

type Meant = Offering & { readonly role: Role };

export function createOffered({
  service,
  names,
}: {
  readonly service: Pick<AgentService, "profile">;
  readonly names: Pick<NameCache, "offers" | "touch">;
}) {
  return {
    /** From memory, for what must open at once. Until the service has said what it has, everything is there. */
    isKnownToLack: ({ offer }: { readonly offer?: ServiceOffer }): boolean => {
      if (offer === undefined || names.offers(offer)) return false;
      names.touch();
      return true;
    },
    /** Undefined if the service has it, or doesn't say: then the command itself finds out what is wrong. */
    refusal: async (about: Offering): Promise<CommandResult | undefined> => {
      const { offer } = about;
      if (offer === undefined) return undefined;
      const profile = await service.profile().catch(() => undefined);
      const isThere = profile === undefined ? names.offers(offer) : profile.offers.includes(offer);
      return isThere ? undefined : openly(lackingDocument(about));
    },
  };
}

export function lackingDocument({ path, offer = "agent-changes" }: Offering): Document {
  const { what, hint } = lackingSentences(offer, path);
  return infoDocument([what, hint], { tone: "failed" });
}

/** The command that was typed, even if something is wrong with its options. */
export function meantBy(parsed: Parsed): Meant | undefined {
  if (parsed.kind === "command") return parsed.definition;
  const { problem } = parsed;
  return "definition" in problem ? problem.definition : undefined;
}

/** `path`: of the command, "agent create", or the name of a button's action. */
function lackingSentences(offer: ServiceOffer, path: string): Lacking {
  return ofCommands[path] ?? ofOffers[offer];
}
