/**
 * Judges a list of blocks as Slack does: which kinds stand where, what each must hold, what may come once, and how much
 * a message bears. Written from Slack's documentation and not from the adapter.
 */
import { checkDataTable, checkTable, checkVisualization } from "./data.ts";
import { checkAccessory, checkButton, checkElements, checkImage, checkInput, checkQuietAction } from "./elements.ts";
import { markdownTables } from "./markdown.ts";
import {
  checkChoice,
  checkItems,
  checkKeys,
  checkOptional,
  checkPlain,
  checkString,
  checkText,
  createDistinct,
  createNotes,
  isObject,
  type Json,
  type Note,
} from "./notes.ts";
import { checkRichText } from "./rich-text.ts";

export type Surface = "message" | "modal" | "home";
/** Slack's error code and its reasons, or neither when it takes the blocks. */
export type Verdict = { readonly error?: string; readonly messages: readonly string[] };

const maxBlocks: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };
const maxCharts = 2;
const maxMarkdown = 12_000;
/** Reported cases fit a sum of characters and 45 for each block. */
const maxWeight = 13_200;
const blockWeight = 45;

/** What each kind of block may hold, besides its type and its id. */
const properties: Readonly<Record<string, readonly string[]>> = {
  section: ["text", "fields", "accessory", "expand"],
  header: ["text", "level"],
  divider: [],
  image: ["image_url", "slack_file", "alt_text", "title"],
  context: ["elements"],
  actions: ["elements"],
  context_actions: ["elements"],
  input: ["label", "hint", "optional", "element", "dispatch_action"],
  rich_text: ["elements"],
  markdown: ["text"],
  table: ["rows", "column_settings"],
  data_table: ["rows", "caption", "page_size", "row_header_column_index"],
  data_visualization: ["title", "chart"],
  plan: ["title", "tasks"],
  task_card: ["task_id", "title", "status", "details", "output", "sources"],
  container: [
    ...["title", "rich_text_title", "subtitle", "child_blocks", "width", "icon"],
    ...["is_collapsible", "default_collapsed", "has_header_divider"],
  ],
};

/** Kinds that don't stand everywhere. */
const surfaces: Readonly<Record<string, readonly Surface[]>> = {
  context_actions: ["message"],
  markdown: ["message"],
  plan: ["message"],
  task_card: ["message"],
  table: ["message", "home"],
  data_table: ["message", "home"],
  data_visualization: ["message", "home"],
  container: ["message", "home"],
  input: ["modal"],
};

const contained = ["actions", "context", "divider", "header", "image", "rich_text", "section", "table"];

/** Kinds that workspaces of before 2026 refuse. */
export const modernKinds: readonly string[] = [
  ...["markdown", "plan", "task_card", "table", "container", "data_table", "data_visualization", "context_actions"],
];

/**
 * `refuses`: kinds that this workspace has not got, like "data_table"; "task-sources" is the property of a task.
 * Pointers begin with `root`.
 */
export function judgeBlocks(
  blocks: unknown,
  surface: Surface,
  refuses: readonly string[] = [],
  root = "/blocks",
): Verdict {
  if (!Array.isArray(blocks)) {
    return { error: "invalid_blocks_format", messages: ["[ERROR] blocks must be an array"] };
  }
  const { messages, note } = createNotes();
  if (blocks.length > maxBlocks[surface]) note(root, `no more than ${maxBlocks[surface]} items allowed`);
  const check = createBlockCheck(surface, refuses, note);
  for (const [index, block] of blocks.entries()) check(block, `${root}/${index}`);
  const all = blocks.flatMap(withChildren);
  checkTogether(all, root, note);
  if (messages.length > 0) return { error: "invalid_blocks", messages };
  return surface === "message" ? judgeWeight(blocks, all) : { messages };
}

function createBlockCheck(surface: Surface, refuses: readonly string[], note: Note) {
  const distinctBlock = createDistinct("block_id", note);
  const distinctTask = createDistinct("task_id", note);

  function check(block: unknown, at: string, allowed?: readonly string[]): undefined {
    if (!isObject(block)) return note(at, "must be a block with a type");
    const type = String(block["type"]);
    const known = properties[type];
    const isMisplaced = surfaces[type]?.includes(surface) === false || allowed?.includes(type) === false;
    if (known === undefined || isMisplaced || refuses.includes(type)) {
      return note(`${at}/type`, `unsupported type: ${type}`);
    }
    checkKeys(block, ["type", "block_id", ...known], at, note);
    checkOptional(block["block_id"], `${at}/block_id`, 255, note);
    distinctBlock(block["block_id"], `${at}/block_id`);
    checkContent(block, at);
  }

  function checkContent(block: Json, at: string): undefined {
    switch (block["type"]) {
      case "section":
        return checkSection(block, at, note);
      case "header":
        return checkPlain(block["text"], `${at}/text`, 150, note);
      case "image":
        return checkImage(block, at, note);
      case "context":
        return checkItems(block["elements"], `${at}/elements`, 10, note, (element, place) => {
          if (element["type"] === "image") checkImage(element, place, note);
          else checkText(element, place, 3_000, note);
        });
      case "actions":
        return checkElements(block["elements"], `${at}/elements`, 25, note, checkButton);
      case "context_actions":
        return checkElements(block["elements"], `${at}/elements`, 5, note, checkQuietAction);
      case "input":
        checkPlain(block["label"], `${at}/label`, 2_000, note);
        return checkInput(block["element"], `${at}/element`, note);
      case "rich_text":
        return checkRichText(block, at, note);
      case "markdown":
        checkString(block["text"], `${at}/text`, Number.POSITIVE_INFINITY, note);
        return;
      case "table":
        return checkTable(block, at, note);
      case "data_table":
        return checkDataTable(block, at, note);
      case "data_visualization":
        return checkVisualization(block, at, note);
      case "plan":
        checkString(block["title"], `${at}/title`, 3_000, note);
        return checkItems(block["tasks"], `${at}/tasks`, 50, note, (task, place) => {
          checkKeys(task, ["type", "block_id", ...(properties["task_card"] ?? [])], place, note);
          checkTask(task, place);
        });
      case "task_card":
        if (block["status"] === "pending") note(`${at}/status`, "must be a valid enum value: pending is for a plan");
        return checkTask(block, at);
      case "container":
        return checkContainer(block, at);
    }
  }

  function checkTask(task: Json, at: string): undefined {
    if (task["type"] !== "task_card") note(`${at}/type`, `unsupported type: ${task["type"]}`);
    checkString(task["task_id"], `${at}/task_id`, 255, note);
    distinctTask(task["task_id"], `${at}/task_id`);
    checkString(task["title"], `${at}/title`, 3_000, note);
    checkChoice(task["status"], ["pending", "in_progress", "complete", "error"], `${at}/status`, note);
    if (task["details"] !== undefined) checkRichText(task["details"], `${at}/details`, note);
    if (task["output"] !== undefined) checkRichText(task["output"], `${at}/output`, note);
    if (task["sources"] === undefined) return;
    if (refuses.includes("task-sources")) return note(at, "invalid additional property: sources");
    checkItems(task["sources"], `${at}/sources`, Number.POSITIVE_INFINITY, note, (source, place) => {
      checkKeys(source, ["type", "url", "text"], place, note);
      if (source["type"] !== "url") note(`${place}/type`, "must be url");
      checkString(source["url"], `${place}/url`, 3_000, note);
      checkString(source["text"], `${place}/text`, 3_000, note);
    });
  }

  function checkContainer(block: Json, at: string): undefined {
    const { title, rich_text_title: richTitle, subtitle, icon } = block;
    if (title === undefined && richTitle === undefined) note(at, "one of title or rich_text_title is required");
    if (title !== undefined) checkPlain(title, `${at}/title`, 150, note);
    if (richTitle !== undefined) checkRichText(richTitle, `${at}/rich_text_title`, note);
    if (subtitle !== undefined) checkText(subtitle, `${at}/subtitle`, 150, note);
    if (icon !== undefined) checkImage(isObject(icon) ? icon : {}, `${at}/icon`, note);
    checkChoice(block["width"], ["narrow", "standard", "wide", "full"], `${at}/width`, note);
    for (const name of ["is_collapsible", "default_collapsed", "has_header_divider"]) {
      const value = block[name];
      if (value !== undefined && typeof value !== "boolean") note(`${at}/${name}`, "must be a boolean");
    }
    if (block["default_collapsed"] === true && block["is_collapsible"] !== true) {
      note(`${at}/default_collapsed`, "requires is_collapsible");
    }
    if (block["has_header_divider"] === true && block["is_collapsible"] === true) {
      note(`${at}/has_header_divider`, "not together with is_collapsible");
    }
    checkItems(block["child_blocks"], `${at}/child_blocks`, 10, note, (child, place) => check(child, place, contained));
  }

  return check;
}

function checkSection(block: Json, at: string, note: Note): undefined {
  const { text, fields, accessory } = block;
  if (text === undefined && fields === undefined) note(at, "text or fields is required");
  if (text !== undefined) checkText(text, `${at}/text`, 3_000, note);
  if (fields !== undefined) {
    checkItems(fields, `${at}/fields`, 10, note, (field, place) => checkText(field, place, 2_000, note));
  }
  if (!isObject(accessory)) return;
  if (accessory["type"] === "image") checkImage(accessory, `${at}/accessory`, note);
  else checkAccessory(accessory, `${at}/accessory`, note);
}

/** What a message may hold once only, or not together. */
function checkTogether(all: readonly Json[], root: string, note: Note): undefined {
  const count = (...kinds: readonly string[]) => all.filter(({ type }) => kinds.includes(String(type))).length;
  const inMarkdown = all.flatMap(({ type, text }) => (type === "markdown" ? markdownTables(String(text)) : []));
  if (count("table", "data_table") + inMarkdown.length > 1) note(root, "only_one_table_allowed");
  if (inMarkdown.some(({ rows, columns }) => rows > 100 || columns > 20)) note(root, "a table is too large");
  if (count("data_visualization") > maxCharts) {
    note(root, `no more than ${maxCharts} data_visualization blocks allowed in a message`);
  }
  if (count("plan") > 0 && count("task_card") > 0) note(root, "a plan and a task_card of its own don't go together");
}

function withChildren(block: unknown): readonly Json[] {
  if (!isObject(block)) return [];
  const children = block["type"] === "container" ? block["child_blocks"] : undefined;
  return [block, ...(Array.isArray(children) ? children.flatMap(withChildren) : [])];
}

/** A table of data and a chart have limits of their own. */
function judgeWeight(blocks: readonly Json[], all: readonly Json[]): Verdict {
  const weighed = blocks.filter(({ type }) => type !== "data_table" && type !== "data_visualization");
  const weight = shownChars(weighed) + blockWeight * blocks.length;
  const markdown = all.reduce((sum, { type, text }) => sum + (type === "markdown" ? String(text).length : 0), 0);
  if (markdown <= maxMarkdown && weight <= maxWeight) return { messages: [] };
  return { error: "msg_blocks_too_long", messages: [`[ERROR] ${weight} weighed characters, ${markdown} of markdown`] };
}

const shownKeys = ["text", "title", "subtitle", "alt_text", "caption"];

function shownChars(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + shownChars(item), 0);
  if (!isObject(node)) return 0;
  return Object.entries(node).reduce((sum, [key, value]) => {
    if (typeof value === "string") return sum + (shownKeys.includes(key) ? value.length : 0);
    return sum + shownChars(value);
  }, 0);
}
