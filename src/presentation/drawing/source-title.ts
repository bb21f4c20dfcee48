/** Names a source for people: by its title, else by the last part of its path and its host. */

import type { Inline } from "../../core/document.ts";
import type { Source } from "../../core/model/turn.ts";
import { answerSentences } from "../sentences/insight.ts";
import { months } from "../sentences/quantities.ts";
import { shorten } from "../sentences/steps.ts";
import { cleanText } from "./sanitise.ts";

const maxTitleChars = 120;
const maxHostChars = 60;
const maxNameChars = 60;

/** `isOld`: says when the document was last read. `otherwise`: what a source without any name is called. */
export function sourceTitle(
  { title, url, updatedAtMs, addedBy }: Source,
  isOld: (updatedAtMs: number) => boolean = () => false,
  otherwise = "",
): string {
  const given = shorten(cleanText(title), maxTitleChars);
  const named = given === "" || given === url || /^https?:\/\//i.test(given) ? addressTitle(url ?? given) : given;
  const shown = (named ?? given) || otherwise;
  return updatedAtMs === undefined || addedBy !== undefined || !isOld(updatedAtMs)
    ? shown
    : `${shown} (from ${monthText(updatedAtMs)})`;
}

/** "from Ana, 12 Nov"; undefined for what nobody added as an answer. `atMs`: when it is shown. */
export function sourceAuthor({ addedBy }: Pick<Source, "addedBy">, atMs: number): Inline | undefined {
  if (addedBy === undefined) return undefined;
  const name = shorten(cleanText(addedBy.name), maxNameChars);
  return answerSentences.from(name, addedBy.atMs, atMs);
}

/** "https://www.example.com/help/refunds.html" -> "refunds · example.com". */
function addressTitle(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  if (hostname === "") return undefined;
  const host = shorten(hostname.replace(/^www\./, ""), maxHostChars);
  const last = decoded(pathname.split("/").findLast((part) => part !== "") ?? "").replace(/\.[a-z][a-z0-9]{0,4}$/i, "");
  const words = shorten(cleanText(last), maxTitleChars - maxHostChars);
  return words === "" ? host : `${words} · ${host}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** "March 2024". */
function monthText(ms: number): string {
  const date = new Date(ms);
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
