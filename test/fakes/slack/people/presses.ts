/**
 * What a person can press in a message or a view: buttons in rows, beside sections and in containers, options of menus,
 * thumbs and icons.
 * Every press of a thumb is sent, that of the filled one too; nothing tells of a thumb that is not filled any more.
 */
import type { Json } from "../world.ts";

export type Press = {
  /** As the app gets it, without its time. */
  readonly action: Json;
  readonly isThumb: boolean;
  /** Block and element. */
  readonly place: string;
};

type Pressable = Press & { readonly labels: readonly unknown[] };

/** Undefined when this person sees no such button. */
export function press(blocks: readonly Json[], label: string, person: string): Press | undefined {
  return pressables(blocks, person).find(({ labels }) => labels.includes(label));
}

function pressables(blocks: readonly Json[], person: string, prefix = ""): readonly Pressable[] {
  return blocks.flatMap((block, index) => {
    // Slack gives every block an id.
    const blockId = String(block["block_id"] ?? `b${prefix}${index}`);
    const elements = elementsOf(block).filter((element) => isVisibleTo(element, person));
    const children = (block["child_blocks"] ?? []) as readonly Json[];
    return [
      ...elements.flatMap((element) => pressesOf(element, blockId)),
      ...pressables(children, person, `${prefix}${index}.`),
    ];
  });
}

function elementsOf(block: Json): readonly Json[] {
  if (block["type"] === "actions" || block["type"] === "context_actions") return block["elements"] as readonly Json[];
  const accessory = block["accessory"] as Json | undefined;
  return ["button", "overflow"].includes(String(accessory?.["type"])) ? [accessory as Json] : [];
}

function isVisibleTo(element: Json, person: string): boolean {
  const people = element["visible_to_user_ids"];
  return !Array.isArray(people) || people.includes(person);
}

function pressesOf(element: Json, blockId: string): readonly Pressable[] {
  const place = `${blockId} ${element["action_id"]}`;
  if (element["type"] === "feedback_buttons") {
    return ["positive_button", "negative_button"].map((name) => {
      const { text, value, accessibility_label: aloud } = element[name] as Json;
      const { type, action_id } = element;
      const action = { type, action_id, block_id: blockId, value, text };
      return { action, isThumb: true, place, labels: [wordsOf(text), aloud] };
    });
  }
  if (element["type"] === "overflow") {
    return (element["options"] as readonly Json[]).map((option) => {
      const action = { type: "overflow", action_id: element["action_id"], block_id: blockId, selected_option: option };
      return { action, isThumb: false, place, labels: [option["value"], wordsOf(option["text"])] };
    });
  }
  const { accessibility_label: aloud, visible_to_user_ids: _people, confirm: _confirm, ...action } = element;
  const labels = [wordsOf(element["text"]), aloud];
  return [{ action: { ...action, block_id: blockId }, isThumb: false, place, labels }];
}

const wordsOf = (text: unknown): unknown => (text as Json | undefined)?.["text"];
