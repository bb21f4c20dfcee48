/** Parses HTML as browsers do, into a tree (hast). Without positions, which would take more memory than the tree. */
import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { parse, parseFragment } from "parse5";

/** What is for those without scripts is read as such, not as text. */
const options = { scriptingEnabled: false };

export function parsePage(html: string): Root {
  return fromParse5(parse(html, options)) as Root;
}

export function parsePart(html: string): Root {
  return fromParse5(parseFragment(html, options)) as Root;
}
