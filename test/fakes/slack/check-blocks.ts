/**
 * Slack's checks of blocks and views: its limits, its error codes, and which strings would ping somebody. Written from
 * Slack's documentation and not from the adapter, so that it doesn't share the adapter's mistakes.
 */
export type BlockProfile = "modern" | "classic";

type Json = Readonly<Record<string, unknown>>;

const modern = new Set(["markdown", "plan", "task_card", "table", "context_actions"]);
const messageBlocks = new Set(["section", "context", "actions", "rich_text", "header", "divider", ...modern]);
const viewBlocks = new Set(["section", "context", "actions", "rich_text", "header", "divider", "input"]);

/** Slack's error code, or undefined when it takes the blocks. */
export function checkMessageBlocks(blocks: unknown, profile: BlockProfile): string | undefined {
  if (!Array.isArray(blocks)) return "invalid_blocks_format";
  if (blocks.length > 50 || blocks.some((block) => !isValid(block, messageBlocks, profile))) return "invalid_blocks";
  const inMarkdown = blocks.flatMap(({ type, text }) => (type === "markdown" ? markdownTables(text) : []));
  if (blocks.filter((block) => block.type === "table").length + inMarkdown.length > 1) return "invalid_blocks";
  if (inMarkdown.some(({ rows, columns }) => rows > 100 || columns > 20)) return "invalid_blocks";
  const markdown = blocks.reduce((sum, block) => sum + (block.type === "markdown" ? block.text.length : 0), 0);
  if (markdown > 12_000 || shownChars(blocks) + 45 * blocks.length > 13_200) return "msg_blocks_too_long";
  return undefined;
}

/** What Slack makes tables of: a row, a row of dashes, rows. */
function markdownTables(markdown: string): readonly { readonly rows: number; readonly columns: number }[] {
  // A fence with words behind it closes nothing.
  const withoutCode = markdown.replace(
    /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(\n {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm,
    "",
  );
  const found = withoutCode.matchAll(
    /^[^\n]*\|[^\n]*\n[ \t]*(\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?)[ \t]*(?:\n[^\n]*\|[^\n]*)*/gm,
  );
  return [...found].flatMap(([table, dashes = ""]) => {
    const [header = "", , ...rows] = table.split("\n");
    const columns = cellsOf(dashes).length;
    // As in GitHub's Markdown: else it is no table.
    return dashes.includes("|") && cellsOf(header).length === columns ? [{ rows: rows.length + 1, columns }] : [];
  });
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/);
}

/**
 * Whether there is rich text among what Slack makes of the blocks: of a markdown block headers, dividers and tables, and
 * rich text of everything else (seen on a real workspace: a heading alone is refused in the place of a paragraph).
 */
export function hasRichText(blocks: readonly { readonly type?: unknown; readonly text?: unknown }[]): boolean {
  return blocks.some(({ type, text }) => {
    if (type !== "markdown") return type === "rich_text";
    const withoutHeadings = String(text)
      .replace(/^ {0,3}#{1,6}( .*)?$/gm, "\n")
      .replace(/^.*\n {0,3}(=+|-+)[ \t]*$/gm, "\n");
    return withoutHeadings
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .some((part) => part !== "" && !/^([-*_] *){3,}$/.test(part) && !/^.*\|.*\n[ |:-]+(\n|$)/.test(part));
  });
}

/** `readsFiles`: the app has the scope that a file field needs. */
export function checkView(view: unknown, readsFiles = true): string | undefined {
  if (!isObject(view) || view["type"] !== "modal" || !isPlain(view["title"], 24)) return "invalid_arguments";
  const blocks = view["blocks"];
  if (!Array.isArray(blocks) || blocks.length > 100) return "invalid_arguments";
  if (blocks.some((block) => !isValid(block, viewBlocks, "modern"))) return "invalid_arguments";
  if (!readsFiles && blocks.some(({ element }) => element?.type === "file_input")) return "invalid_arguments";
  if (blocks.some((block) => block.type === "input") && !isPlain(view["submit"], 24)) return "invalid_arguments";
  if (String(view["private_metadata"] ?? "").length > 3_000) return "invalid_arguments";
  return Buffer.byteLength(JSON.stringify(view)) > 250 * 1024 ? "view_too_large" : undefined;
}

/** The Home tab has neither title nor submit button, and no inputs here. */
export function checkHome(view: unknown): string | undefined {
  if (!isObject(view) || view["type"] !== "home") return "invalid_arguments";
  const { blocks, title, submit, close } = view;
  if ([title, submit, close].some((given) => given !== undefined)) return "invalid_arguments";
  if (!Array.isArray(blocks) || blocks.length > 100) return "invalid_arguments";
  if (blocks.some((block) => block.type === "input" || !isValid(block, viewBlocks, "modern")))
    return "invalid_arguments";
  return Buffer.byteLength(JSON.stringify(view)) > 250 * 1024 ? "view_too_large" : undefined;
}

/** Strings that Slack would turn into a ping, in fields that it parses. */
export function pings(node: unknown, inMarkup = false): readonly string[] {
  if (typeof node === "string") {
    return inMarkup ? (node.match(/<(?:!(?:here|channel|everyone|subteam)|@[UW])[^>]*>/g) ?? []) : [];
  }
  if (Array.isArray(node)) return node.flatMap((item) => pings(item, inMarkup));
  if (!isObject(node)) return [];
  if (node["type"] === "user") return [`<@${String(node["user_id"])}>`];
  if (["usergroup", "broadcast"].includes(String(node["type"]))) return [JSON.stringify(node)];
  const isMarkup = node["type"] === "mrkdwn" || node["type"] === "markdown";
  return Object.entries(node).flatMap(([key, value]) => pings(value, key === "text" && isMarkup));
}

function isValid(
  block: unknown,
  allowed: ReadonlySet<string>,
  profile: BlockProfile,
): block is Json & { type: string } {
  if (!isObject(block) || typeof block["type"] !== "string" || !allowed.has(block["type"])) return false;
  if (profile === "classic" && modern.has(block["type"])) return false;
  switch (block["type"]) {
    case "section":
      return isText(block["text"], 3_000);
    case "context":
      return hasElements(block, 10, (element) => isText(element, 3_000));
    case "actions":
      return hasElements(block, 25, isButton) && isUnique(block["elements"], "action_id");
    case "markdown":
      return isString(block["text"], 1, Number.POSITIVE_INFINITY);
    case "rich_text":
      return isRichText(block);
    case "plan":
      return isString(block["title"], 1, 3_000) && Array.isArray(block["tasks"]) && block["tasks"].every(isTask);
    case "table":
      return isTable(block["rows"]);
    case "input":
      return isPlain(block["label"], 2_000) && isObject(block["element"]) && isInput(block["element"]);
    default:
      return true;
  }
}

/** Sections with something in them: texts are not empty, links lead somewhere. */
function isRichText(block: Json): boolean {
  return hasElements(block, Number.POSITIVE_INFINITY, (section) => {
    if (!isObject(section) || section["type"] !== "rich_text_section") return false;
    return hasElements(section, Number.POSITIVE_INFINITY, (element) => {
      if (!isObject(element)) return false;
      const isNamed = element["text"] === undefined || isString(element["text"], 1, Number.POSITIVE_INFINITY);
      if (element["type"] === "link") return isNamed && isString(element["url"], 1, 3_000);
      return element["type"] !== "text" || (isNamed && element["text"] !== undefined);
    });
  });
}

function isTask(task: unknown): boolean {
  return (
    isObject(task) &&
    isString(task["task_id"], 1, 255) &&
    isString(task["title"], 1, 3_000) &&
    ["pending", "in_progress", "complete", "error"].includes(String(task["status"])) &&
    (task["output"] === undefined || (isObject(task["output"]) && isRichText(task["output"])))
  );
}

function isTable(rows: unknown): boolean {
  if (!Array.isArray(rows) || rows.length < 1 || rows.length > 100) return false;
  const cells = rows.flat() as unknown[];
  const areFilled = cells.every(
    (cell) => isObject(cell) && (cell["type"] === "raw_text" ? isString(cell["text"], 1, 10_000) : isRichText(cell)),
  );
  return areFilled && rows.every((row) => Array.isArray(row) && row.length <= 20) && shownChars(rows) <= 10_000;
}

function isButton(element: unknown): boolean {
  return (
    isObject(element) &&
    isPlain(element["text"], 75) &&
    isString(element["value"] ?? "", 0, 2_000) &&
    isString(element["accessibility_label"] ?? "", 0, 75) &&
    isString(element["action_id"], 1, 255) &&
    ["primary", "danger", undefined].includes(element["style"] as string | undefined)
  );
}

function isInput(element: Json): boolean {
  switch (element["type"]) {
    case "plain_text_input":
      return isString(element["initial_value"] ?? "", 0, 3_000) && Number(element["max_length"] ?? 1) <= 3_000;
    case "static_select":
    case "multi_static_select": {
      const groups = element["option_groups"];
      const lists = Array.isArray(groups) ? groups.map((group) => group.options) : [element["options"]];
      return lists.length <= 100 && lists.every(areOptions);
    }
    case "radio_buttons":
    case "checkboxes":
      return areOptions(element["options"]) && (element["options"] as readonly unknown[]).length <= 10;
    case "file_input": {
      const most = element["max_files"] ?? 10;
      return Number.isInteger(most) && Number(most) >= 1 && Number(most) <= 10;
    }
    case "external_select":
    case "multi_external_select":
      return isString(element["action_id"], 1, 255);
    default:
      return false;
  }
}

export function areOptions(options: unknown): boolean {
  return (
    Array.isArray(options) &&
    options.length >= 1 &&
    options.length <= 100 &&
    options.every((option) => isObject(option) && isPlain(option["text"], 75) && isString(option["value"], 1, 150))
  );
}

function hasElements(block: Json, max: number, isElement: (element: unknown) => boolean): boolean {
  const elements = block["elements"];
  return Array.isArray(elements) && elements.length >= 1 && elements.length <= max && elements.every(isElement);
}

function isUnique(list: unknown, key: string): boolean {
  return Array.isArray(list) && new Set(list.map((item) => item[key])).size === list.length;
}

function isText(value: unknown, max: number): boolean {
  return isObject(value) && ["mrkdwn", "plain_text"].includes(String(value["type"])) && isString(value["text"], 1, max);
}

function isPlain(value: unknown, max: number): boolean {
  return isObject(value) && value["type"] === "plain_text" && isString(value["text"], 1, max);
}

function isString(value: unknown, min: number, max: number): boolean {
  return typeof value === "string" && value.length >= min && value.length <= max;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shownChars(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + shownChars(item), 0);
  if (!isObject(node)) return 0;
  return Object.entries(node).reduce((sum, [key, value]) => {
    if (typeof value === "string") return sum + (["text", "title"].includes(key) ? value.length : 0);
    return sum + shownChars(value);
  }, 0);
}
