/**
 * Reads elements of blocks as far as people read them as content: values of fields and menus, checklists, links. The
 * word on a button that only does something is no content: nobody quotes "Acknowledge".
 */

import { lines, oneLine, say } from "../../shared/reading.ts";
import { link } from "../intake/inbound-text.ts";
import { type Raw, rawList, rawObject, rawText } from "./raw.ts";
import { readRichText } from "./rich-text.ts";
import { sayText, type Work } from "./work.ts";

type ReadElement = (element: Raw, work: Work) => string;

const checklist: ReadElement = (element, work) => {
  const chosen = new Set([...rawList(element["initial_options"]), rawObject(element["initial_option"])].map(keyOf));
  return lines(
    rawList(element["options"]).map((option) => {
      const mark = chosen.has(keyOf(option)) ? "[x]" : "[ ]";
      return `${mark} ${oneLine(sayText(option["text"], work))} ${oneLine(sayText(option["description"], work))}`.trim();
    }),
  );
};

/** What a closed menu shows: the current choice. */
const choice: ReadElement = (element, work) =>
  [rawObject(element["initial_option"]), ...rawList(element["initial_options"])]
    .map(({ text }) => oneLine(sayText(text, work)))
    .filter((text) => text !== "")
    .join(", ");

const named =
  (mark: string, ...fields: readonly string[]): ReadElement =>
  (element, { nameOf }) =>
    fields
      .flatMap((field) => element[field] ?? [])
      .map((id) => `${mark}${nameOf(rawText(id)) ?? rawText(id)}`)
      .join(", ");

const value =
  (field: string): ReadElement =>
  (element, work) =>
    say(rawText(element[field]), work);

const nothing: ReadElement = () => "";

/** By type. Every element that Slack documents; docs/what-parley-reads.md lists them. */
export const elementReaders: Readonly<Record<string, ReadElement>> = {
  button: ({ url, text }, work) => {
    const to = rawText(url);
    return to === "" ? "" : link(to, oneLine(sayText(text, work)));
  },
  checkboxes: checklist,
  radio_buttons: checklist,
  static_select: choice,
  multi_static_select: choice,
  external_select: choice,
  multi_external_select: choice,
  users_select: named("@", "initial_user"),
  multi_users_select: named("@", "initial_users"),
  channels_select: named("#", "initial_channel"),
  multi_channels_select: named("#", "initial_channels"),
  conversations_select: named("#", "initial_conversation"),
  multi_conversations_select: named("#", "initial_conversations"),
  datepicker: value("initial_date"),
  timepicker: value("initial_time"),
  datetimepicker: ({ initial_date_time: at }) => {
    const ms = Number(at) * 1000;
    return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString().slice(0, 16).replace("T", " ") : "";
  },
  plain_text_input: value("initial_value"),
  email_text_input: value("initial_value"),
  number_input: value("initial_value"),
  url_text_input: value("initial_value"),
  rich_text_input: (element, work) => readRichText(element["initial_value"], work),
  image: (element, work) => picture(element, work),
  overflow: nothing,
  workflow_button: nothing,
  feedback_buttons: nothing,
  icon_button: nothing,
  file_input: nothing,
};

export function readElement(element: Raw, work: Work): string {
  const type = rawText(element["type"]);
  if (type === "plain_text" || type === "mrkdwn") return sayText(element, work);
  return elementReaders[type]?.(element, work) ?? sayText(element["text"], work);
}

/** What a screen reader reads of it, too. */
export function picture(image: Raw, work: Work): string {
  const title = oneLine(sayText(image["title"], work));
  const alt = oneLine(say(rawText(image["alt_text"]), work));
  const words = [title, alt === title ? "" : alt].filter((part) => part !== "").join(": ");
  if (words === "") work.found.unread.add("a picture");
  return words === "" ? "" : `[picture: ${words}]`;
}

function keyOf(option: Raw): string {
  return rawText(option["value"]) || JSON.stringify(option["text"] ?? "");
}
