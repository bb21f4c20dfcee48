/** Draws buttons, and the two thumbs apart from them where a workspace accepts that. */
import type { types } from "@slack/bolt";
import type { Action } from "../../../src/core/document.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import type { Alternative, NewerKind, SlackBlock, Slot } from "./slots.ts";

export const actionSeparator = ":";
/** The action_id of a menu. The value of a chosen option is its action and what it is about: "remove-document docs d1". */
const menuActionId = "menu";
/** The action_id of both thumbs. The value of the pressed one is its own action and the Turn: "thumb-up TURN". */
const thumbsActionId = "thumbs";

export function actionBlocks(actions: readonly Action[]): readonly types.ActionsBlock[] {
  const buttons = actions.map((action, index) => ({
    type: "button" as const,
    // An action_id must be unique in its block.
    action_id: `${action.id}${actionSeparator}${index}`,
    text: plainText(action.label),
    value: action.value.slice(0, limits.maxButtonValueChars),
    ...(action.style === "plain" ? {} : { style: action.style }),
    ...spoken(action),
  }));
  const blocks: types.ActionsBlock[] = [];
  for (let at = 0; at < buttons.length; at += limits.maxButtonsPerBlock) {
    blocks.push({ type: "actions", elements: buttons.slice(at, at + limits.maxButtonsPerBlock) });
  }
  return blocks;
}

/**
 * The buttons below a message. `folded` are those that its container has as well, so they are not repeated where the
 * container is shown.
 */
export function buttonSlots(actions: readonly Action[], folded: readonly Action[]): readonly Slot[] {
  const thumbs = thumbsBlock(actions);
  const isFolded = ({ id, value }: Action) => folded.some((one) => one.id === id && one.value === value);
  const draw = (needs: readonly NewerKind[]): Alternative => {
    const isApart = needs.includes("context_actions");
    const shown = actions.filter(
      (action) =>
        !(isApart && isThumb(action)) && !(needs.length > 0 && needs.includes("container") && isFolded(action)),
    );
    const above: readonly SlackBlock[] = isApart && thumbs !== undefined ? [thumbs] : [];
    return { needs, blocks: [...above, ...actionBlocks(shown)] };
  };
  const hasFolded = actions.some(isFolded);
  const ways: readonly (readonly NewerKind[])[] = [
    ...(hasFolded && thumbs !== undefined ? [["container", "context_actions"] as const] : []),
    ...(thumbs !== undefined ? [["context_actions"] as const] : []),
    ...(hasFolded ? [["container"] as const] : []),
  ];
  const plain = draw([]);
  const [best, ...others] = [...ways.map(draw), plain];
  return plain.blocks.length === 0 || best === undefined ? [] : [{ alternatives: [best, ...others] }];
}

/** Beside a line: a menu, or a button if there is one action. Undefined for what no menu has room for. */
export function menuOf(actions: readonly Action[]): types.Button | types.Overflow | undefined {
  const [only, ...more] = actionBlocks(actions).flatMap(({ elements }) => elements);
  if (more.length === 0) return only?.type === "button" ? only : undefined;
  const options = actions.map((action) => ({ text: plainText(action.label), value: `${action.id} ${action.value}` }));
  const fits = options.length <= limits.maxMenuOptions;
  if (!fits || options.some(({ value }) => value.length > limits.maxOptionValueChars)) return undefined;
  return { type: "overflow", action_id: menuActionId, options };
}

function isThumb({ id }: Action): boolean {
  return id === "thumb-up" || id === "thumb-down";
}

/** Undefined unless there is one thumb of each kind. */
function thumbsBlock(actions: readonly Action[]): types.ContextActionsBlock | undefined {
  const [up, down, ...more] = actions.filter(isThumb);
  if (up?.id !== "thumb-up" || down?.id !== "thumb-down" || more.length > 0) return undefined;
  const side = (action: Action) => ({
    text: plainText(action.label),
    value: `${action.id} ${action.value}`.slice(0, limits.maxButtonValueChars),
    ...spoken(action),
  });
  return {
    type: "context_actions",
    elements: [
      { type: "feedback_buttons", action_id: thumbsActionId, positive_button: side(up), negative_button: side(down) },
    ],
  };
}

function plainText(label: string) {
  return { type: "plain_text" as const, text: shorten(label, limits.maxButtonChars), emoji: true };
}

function spoken({ accessibleLabel }: Action) {
  return accessibleLabel === undefined ? {} : { accessibility_label: shorten(accessibleLabel, limits.maxButtonChars) };
}
