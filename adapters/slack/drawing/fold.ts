/** Draws folded details as a container that a person opens, or flat where a workspace refuses containers. */
import type { types } from "@slack/bolt";
import type { Block, Fold, Inline } from "../../../src/core/document.ts";
import { inBold } from "../../../src/presentation/drawing.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { actionBlocks } from "./buttons.ts";
import { inlineMrkdwn, inlinePlain } from "./markup.ts";
import { type Alternative, type Piece, plainest, type SlackBlock, type Slot } from "./slots.ts";
import { stepTexts } from "./steps.ts";
import { context, linesSlots, richText } from "./text-blocks.ts";

type Child = types.ContainerBlock["child_blocks"][number];

/** `draw` draws what may stand anywhere. Flat if the container can't hold everything. */
export function foldPieces(fold: Fold, draw: (block: Block) => Iterable<Piece>): readonly Piece[] {
  const flat = fold.flat.flatMap((block) => [...draw(block)]);
  const title = shorten(inlinePlain(fold.title), limits.maxContainerTitleChars);
  const children = [...fold.blocks.flatMap((block) => childrenOf(block, draw)), ...actionBlocks(fold.actions)];
  const quiet = inlineMrkdwn(fold.quiet);
  const fits =
    title !== "" &&
    children.length > 0 &&
    children.length <= limits.maxContainerBlocks &&
    children.every(mayBeContained) &&
    quiet.length <= limits.maxContextChars;
  if (!fits) return flat;
  const container: types.ContainerBlock = {
    type: "container",
    title: { type: "plain_text", text: title, emoji: true },
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: children.filter(mayBeContained),
  };
  const small = quiet.trim() === "" ? [] : [context(quiet)];
  const folded: Alternative = {
    needs: ["container"],
    blocks: [container, ...small],
    asRichText: small.length === 0 ? undefined : richText([fold.quiet]),
  };
  return [{ alternatives: [folded, plainAlternative(flat)], folded: fold.actions, instead: flat }];
}

/** All of them in the form that every workspace accepts. */
function plainAlternative(slots: readonly Slot[]): Alternative {
  const all = slots.map(({ alternatives }) => plainest(alternatives));
  const asRichText = all.at(-1)?.asRichText;
  return {
    needs: [],
    blocks: all.flatMap(({ blocks }) => blocks),
    asRichText,
  };
}

function childrenOf(block: Block, draw: (block: Block) => Iterable<Piece>): readonly SlackBlock[] {
  switch (block.kind) {
    case "steps":
      return plainAlternative(stepTexts(block.earlier, block.steps)).blocks;
    case "sources":
      return plainAlternative(linesSlots(block.sources.flatMap(sourceLines))).blocks;
    default:
      return plainAlternative([...draw(block)]).blocks;
  }
}

function sourceLines({
  number,
  title,
  url,
  from,
  excerpt,
}: Extract<Block, { kind: "sources" }>["sources"][number]): readonly Inline[] {
  const said = from === undefined ? [] : [{ text: " · " }, ...inBold(from)];
  return [
    [{ text: `[${number}] ` }, url === undefined ? { text: title } : { text: title, url }, ...said],
    ...(excerpt === undefined ? [] : [[{ text: excerpt, style: "italic" as const }]]),
  ];
}

const contained = ["actions", "context", "divider", "rich_text", "section"];

function mayBeContained(block: SlackBlock): block is Child {
  return contained.includes(block.type);
}
