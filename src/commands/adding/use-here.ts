/** "Save this channel's 📌 and files to handbook?": offered while the channel has no knowledge base of its own. */
import type { Named } from "../../core/access.ts";
import type { Place } from "../../core/model/place.ts";
import { bold, type ReaderOffer, say } from "../../presentation/drawing.ts";
import type { CommandApp } from "../app.ts";

/** What fits into a button's value after "kb-use ". */
const maxButtonNameChars = 50;

/** Undefined where there is nothing to decide. */
export async function offerToUseHere(
  { bindings, settings }: CommandApp,
  { project, name }: Named,
  place: Place,
): Promise<ReaderOffer | undefined> {
  const isOwnManual = name === settings.ownDocsBase;
  if (project !== settings.project || isOwnManual || name.length > maxButtonNameChars) return undefined;
  if ((await bindings.own(place))?.knowledgeBase !== undefined) return undefined;
  return {
    sentences: [say`Save this channel's 📌 and files to ${bold(name)}?`],
    action: { id: "confirm", label: "Use it here", value: `kb-use ${name}`, style: "plain" },
  };
}
