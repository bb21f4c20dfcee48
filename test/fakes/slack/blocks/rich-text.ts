/** Slack's checks of rich text: sections, lists, quotes and code, each of them with something in it. */
import { checkChoice, checkItems, checkOptional, checkString, isObject, type Json, type Note } from "./notes.ts";

const endless = Number.POSITIVE_INFINITY;

export function checkRichText(block: unknown, at: string, note: Note): undefined {
  if (!isObject(block) || block["type"] !== "rich_text") return note(at, "must be a rich_text block");
  checkItems(block["elements"], `${at}/elements`, endless, note, (element, place) => {
    switch (element["type"]) {
      case "rich_text_section":
      case "rich_text_quote":
      case "rich_text_preformatted":
        return checkPieces(element, place, note);
      case "rich_text_list":
        if (element["style"] === undefined) note(`${place}/style`, "missing required field");
        checkChoice(element["style"], ["bullet", "ordered"], `${place}/style`, note);
        return checkItems(element["elements"], `${place}/elements`, endless, note, (section, inner) => {
          if (section["type"] !== "rich_text_section") note(`${inner}/type`, "must be rich_text_section");
          else checkPieces(section, inner, note);
        });
      default:
        return note(`${place}/type`, `unsupported type: ${element["type"]}`);
    }
  });
}

function checkPieces(section: Json, at: string, note: Note): undefined {
  checkItems(section["elements"], `${at}/elements`, endless, note, (piece, place) => {
    const names = needed[String(piece["type"])];
    if (names === undefined) return note(`${place}/type`, `unsupported type: ${piece["type"]}`);
    for (const name of names) checkString(piece[name], `${place}/${name}`, name === "url" ? 3_000 : endless, note);
    if (piece["type"] === "link") checkOptional(piece["text"], `${place}/text`, endless, note);
    if (piece["type"] === "broadcast") {
      checkChoice(piece["range"], ["here", "channel", "everyone"], `${place}/range`, note);
    }
    if (piece["type"] === "date" && !Number.isInteger(piece["timestamp"])) {
      note(`${place}/timestamp`, "must be an integer");
    }
    const style = piece["style"];
    if (style !== undefined && !isObject(style)) note(`${place}/style`, "must provide an object");
  });
}

/** What each kind of piece can't do without. */
const needed: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  link: ["url"],
  user: ["user_id"],
  channel: ["channel_id"],
  usergroup: ["usergroup_id"],
  emoji: ["name"],
  broadcast: ["range"],
  date: ["format"],
  color: ["value"],
};

/** As many characters as a person reads. */
export function richChars(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + richChars(item), 0);
  if (!isObject(node)) return 0;
  const own = typeof node["text"] === "string" ? node["text"] : node["type"] === "link" ? String(node["url"]) : "";
  return own.length + richChars(node["elements"]);
}
