/** Tells a channel in one line what someone changed for everyone in it. */
import type { CommandContext } from "../core/commands.ts";
import type { Inline } from "../core/document.ts";
import { infoDocument } from "../presentation/drawing.ts";
import type { CommandApp } from "./app.ts";

/** Call it only if something really changed. Once per event, on however many instances. Never rejects. */
export async function announce(
  { notices, reach, sites, log }: CommandApp,
  { place, eventKey }: Pick<CommandContext, "place" | "eventKey">,
  sentence: Inline,
): Promise<void> {
  // Who has direct messages has colleagues: several people read the channels there.
  const isRead = sites.get(place.platform)?.platform.directPlace !== undefined;
  // A workspace as a whole, set on the admin pages, has nobody to tell.
  if (place.channel === "" || reach.isDirect(place) || !isRead) return;
  const { thread: _thread, ...channel } = place;
  try {
    await notices.post({ key: `announce/${eventKey}`, place: channel, document: infoDocument(sentence) });
  } catch (err) {
    log.warn({ err, place }, "A change could not be announced in its channel");
  }
}
