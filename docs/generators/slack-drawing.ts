/** Draws a Slack thread as HTML, about as Slack does: the kinds of blocks that Parley's answers have. Pure. */
import { Marked } from "marked";
import type { Json } from "../../test/fakes/slack/world.ts";

export type Shown = {
  readonly question: string;
  readonly asker: string;
  /** Absent: nothing was posted yet. */
  readonly blocks?: readonly Json[];
  /** Collapsed blocks, as after a click. */
  readonly isOpen?: boolean;
};

const markdown = new Marked({ gfm: true });

const escaped = (text: unknown) =>
  String(text ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");

const list = (value: unknown) => (Array.isArray(value) ? (value as readonly Json[]) : []);
const textOf = (value: unknown) => escaped((value as Json | undefined)?.["text"]);

function richText(element: Json): string {
  const { type, text, url, style } = element;
  if (type === "link") return `<a>${escaped(text ?? url)}</a>`;
  if (type !== "text") return list(element["elements"]).map(richText).join("");
  const { bold, italic, code } = (style ?? {}) as Json;
  const words = escaped(text)
    .replaceAll("\n", "<br>")
    .replace(/^ {2,}/, "&emsp;");
  if (bold === true) return `<b>${words}</b>`;
  if (italic === true) return `<i>${words}</i>`;
  return code === true ? `<code>${words}</code>` : words;
}

function task({ title, status, output, sources }: Json): string {
  const mark = status === "in_progress" ? '<span class="busy"></span>' : '<span class="done">✓</span>';
  const links = list(sources).map(({ text }) => `<a>${escaped(text)}</a>`);
  const found = [...(output === undefined ? [] : [richText(output as Json)]), links.join(" · ")].filter(Boolean);
  return `<div class="task">${mark}<div>${escaped(title)}${found.map((line) => `<p>${line}</p>`).join("")}</div></div>`;
}

function table(rows: readonly unknown[]): string {
  const cells = rows.map((row, at) =>
    list(row).map((cell) => (at === 0 ? `<th>${textOf(cell)}</th>` : `<td>${textOf(cell)}</td>`)),
  );
  return `<table>${cells.map((row) => `<tr>${row.join("")}</tr>`).join("")}</table>`;
}

/** Slack draws its own. A font with emoji isn't on every machine. */
const thumb = (turn: string) =>
  `<span class="thumb"><svg viewBox="0 0 24 24" style="transform: ${turn}"><path d="M7 10v11H3V10zm0 0 4-7c2 0 3 1 3 3l-1 4h6c1.5 0 2.3 1 2 2.5l-1.5 7c-.3 1-1 1.5-2 1.5H7"/></svg></span>`;

function element(one: Json): string {
  if (one["type"] === "feedback_buttons") return thumb("none") + thumb("rotate(180deg) scaleX(-1)");
  if (one["type"] === "button") return `<span class="button">${textOf(one["text"])}</span>`;
  return escaped(one["text"]).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function block(one: Json, isOpen: boolean): string {
  switch (one["type"]) {
    case "rich_text":
      return `<div>${richText(one)}</div>`;
    case "markdown":
      return `<div>${markdown.parse(String(one["text"]), { async: false })}</div>`;
    case "plan":
      return `<div class="plan"><b>${escaped(one["title"])}</b>${list(one["tasks"]).map(task).join("")}</div>`;
    case "data_table":
      return table(list(one["rows"]));
    case "container": {
      const inside = list(one["child_blocks"]).map((child) => block(child, isOpen));
      return `<div class="box"><b>${isOpen ? "▾" : "▸"} ${textOf(one["title"])}</b>${isOpen ? inside.join("") : ""}</div>`;
    }
    case "context":
    case "context_actions":
    case "actions":
      return `<div class="${one["type"]}">${list(one["elements"]).map(element).join("")}</div>`;
    default:
      throw new Error(`a block of the kind ${one["type"]} isn't drawn`);
  }
}

const message = (who: string, picture: string, text: string) =>
  `<div class="message"><span class="picture ${picture}">${escaped(who.at(0))}</span>
   <div><b>${escaped(who)}</b>${picture === "app" ? '<span class="badge">APP</span>' : ""}${text}</div></div>`;

export function threadHtml({ question, asker, blocks, isOpen = false }: Shown): string {
  const answer = blocks?.map((one) => block(one, isOpen)).join("") ?? "";
  const asked = `<div><span class="mention">@Parley</span> ${escaped(question)}</div>`;
  return `<header># support</header>${message(asker, "person", asked)}
    ${answer === "" ? "" : message("Parley", "app", answer)}`;
}

/** `font`: of the page, as a URL. */
export const threadStyle = (font: string) => `
  @font-face { font-family: Inter; src: url("${font}"); font-weight: 100 900 }
  * { box-sizing: border-box; margin: 0 }
  body { font: 15px/1.46 Inter; color: #1d1c1d; background: #fff; padding: 0 20px }
  header { font-weight: 700; font-size: 17px; padding: 12px 0; border-bottom: 1px solid #ddd; margin-bottom: 12px }
  .message { display: flex; gap: 10px; padding: 6px 0 }
  .message > div { flex: 1; min-width: 0 }
  .message > div > div, table { margin-top: 5px }
  .picture { width: 36px; height: 36px; border-radius: 8px; color: #fff; font-weight: 700; display: grid; place-items: center }
  .person { background: #7a4b8f } .app { background: #1264a3 }
  .badge { font-size: 10px; background: #e8e8e8; color: #616061; border-radius: 3px; padding: 1px 4px; margin-left: 6px }
  .mention { background: #e8f5fa; color: #1264a3; border-radius: 3px; padding: 0 2px }
  a { color: #1264a3 } code { font-size: 12px; border: 1px solid #ddd; border-radius: 3px; color: #c01343; padding: 1px 3px }
  .plan, .box { border: 1px solid #ddd; border-radius: 10px; padding: 9px 12px }
  .box > div { margin-top: 7px; font-size: 14px }
  .task { display: flex; gap: 9px; margin-top: 7px } .task p, i { color: #616061; font-size: 13px; font-style: normal }
  .busy, .done { flex: none; width: 16px; height: 16px; margin-top: 3px; border-radius: 50% }
  .busy { border: 2px solid #1264a3; border-right-color: transparent }
  .done { background: #007a5a; color: #fff; font-size: 11px; text-align: center }
  table { border-collapse: collapse; width: 100%; font-size: 14px } th { text-align: left; background: #f8f8f8 }
  th, td { border: 1px solid #ddd; padding: 5px 10px }
  .context { color: #616061; font-size: 12px } .actions, .context_actions { display: flex; gap: 8px }
  .button, .thumb { border: 1px solid #bbb; border-radius: 8px; padding: 4px 12px; font-weight: 600; font-size: 13px }
  .thumb { border-radius: 16px; padding: 3px 10px; height: 26px }
  .thumb svg { width: 18px; height: 18px; fill: none; stroke: #616061; stroke-width: 1.6; stroke-linejoin: round }
`;
