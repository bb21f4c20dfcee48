/**
 * Rewrites Parley's own sentences where commands have a prefix, and for platforms without slash commands or buttons.
 * The sentences name a command as "/agent use" and a button as "Press Try again"; an adapter that draws them otherwise
 * says how in its `render`.
 */
import type { Action, Block, Document, Inline } from "../../core/document.ts";

/** All commands, as `PlatformParts.commands` has them. */
export type CommandNames = {
  readonly definitions: readonly { readonly path: string }[];
  /** COMMAND_PREFIX, or "". */
  readonly prefix: string;
};

export type Wording = {
  /** How people give that command, whose name has the prefix: "agent use" -> "!agent use". */
  readonly command: (name: string) => string;
  /** How people do what a button does, inside a sentence: "type !retry turn1". Absent: they press it. */
  readonly action?: (action: Action) => string;
  /** Code stays as it is: it says what someone typed, or already what to type. */
  readonly keepsCode?: true;
};

/** What an agent wrote, tables, code blocks and sources stay as they are. */
export function reworded(document: Document, names: CommandNames, wording: Wording): Document {
  const { actions, whenCut } = document;
  const { command, action: actionText, keepsCode } = wording;
  const offered = whenCut === undefined ? actions : [...actions, whenCut];
  const commands = commandPattern(names);

  const sentence = (text: string): string => {
    let said = text;
    for (const action of offered) {
      if (actionText === undefined) break;
      const doing = actionText(action);
      said = said.replaceAll(`Press ${action.label}`, () => doing.charAt(0).toUpperCase() + doing.slice(1));
      said = said.replaceAll(`press ${action.label}`, () => doing);
    }
    return said.replace(commands, (_found, path: string) => command(`${names.prefix}${path}`));
  };
  const inline = (spans: Inline): Inline =>
    spans.map((span) => (keepsCode && span.style === "code" ? span : { ...span, text: sentence(span.text) }));

  const block = (one: Block): Block => {
    switch (one.kind) {
      case "headline":
      case "text":
      case "quiet":
        return { ...one, text: inline(one.text) };
      case "list":
        return { ...one, items: one.items.map((item) => ({ ...item, text: inline(item.text) })) };
      default:
        return one;
    }
  };
  return { ...document, blocks: document.blocks.map(block), summary: sentence(document.summary) };
}

/** "/agent use", or "/agent" alone, with or without the prefix; not a word or an address that only begins like it. */
function commandPattern({ definitions, prefix }: CommandNames): RegExp {
  const names = new Set(definitions.flatMap(({ path }) => [path, path.split(" ")[0] ?? path]));
  // The longest first: "/agent use" is not "/agent" and a word.
  const longestFirst = [...names].toSorted((one, other) => other.length - one.length);
  return new RegExp(`(?<![\\w/])/(?:${prefix})?(${longestFirst.join("|")})(?![\\w/-])`, "g");
}
