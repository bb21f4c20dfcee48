/** Slack's checks of what a person can press, pick or fill in: buttons, thumbs, icons, inputs, pictures. */
import {
  checkChoice,
  checkItems,
  checkKeys,
  checkOptional,
  checkPlain,
  checkString,
  checkText,
  createDistinct,
  isObject,
  type Json,
  type Note,
} from "./notes.ts";

const maxLabel = 75;
const maxValue = 2_000;
const maxId = 255;

/** In an `actions` block, or beside a section. */
export function checkButton(element: Json, at: string, note: Note): undefined {
  if (element["type"] !== "button") return note(`${at}/type`, `unsupported type: ${element["type"]}`);
  const known = ["type", "text", "action_id", "url", "value", "style", "confirm", "accessibility_label"];
  checkKeys(element, known, at, note);
  checkPlain(element["text"], `${at}/text`, maxLabel, note);
  checkString(element["action_id"], `${at}/action_id`, maxId, note);
  checkOptional(element["value"], `${at}/value`, maxValue, note, 0);
  checkOptional(element["url"], `${at}/url`, 3_000, note);
  checkOptional(element["accessibility_label"], `${at}/accessibility_label`, maxLabel, note);
  checkChoice(element["style"], ["primary", "danger"], `${at}/style`, note);
  checkConfirm(element["confirm"], `${at}/confirm`, note);
}

/** Beside a section: a menu, or anything that an `actions` block takes. */
export function checkAccessory(element: Json, at: string, note: Note): undefined {
  if (element["type"] !== "overflow") return checkButton(element, at, note);
  checkKeys(element, ["type", "action_id", "options", "confirm"], at, note);
  checkString(element["action_id"], `${at}/action_id`, maxId, note);
  checkConfirm(element["confirm"], `${at}/confirm`, note);
  const { options } = element;
  if (Array.isArray(options) && options.length < 2) note(`${at}/options`, "must have at least 2 options");
  return checkOptions(options, `${at}/options`, 5, note);
}

/** `context_actions` takes two kinds of its own and no plain buttons. */
export function checkQuietAction(element: Json, at: string, note: Note): undefined {
  checkOptional(element["action_id"], `${at}/action_id`, maxId, note);
  if (element["type"] === "feedback_buttons") {
    checkKeys(element, ["type", "action_id", "positive_button", "negative_button"], at, note);
    for (const side of ["positive_button", "negative_button"]) checkThumb(element[side], `${at}/${side}`, note);
    return;
  }
  if (element["type"] !== "icon_button") return note(`${at}/type`, `unsupported type: ${element["type"]}`);
  const own = ["icon", "text", "value", "confirm", "accessibility_label", "visible_to_user_ids"];
  checkKeys(element, ["type", "action_id", ...own], at, note);
  if (element["icon"] !== "trash") note(`${at}/icon`, "must be a valid enum value: trash is the only icon");
  checkPlain(element["text"], `${at}/text`, maxLabel, note);
  checkOptional(element["value"], `${at}/value`, maxValue, note);
  checkOptional(element["accessibility_label"], `${at}/accessibility_label`, maxLabel, note);
  checkConfirm(element["confirm"], `${at}/confirm`, note);
  const people = element["visible_to_user_ids"];
  if (people !== undefined && !(Array.isArray(people) && people.every((one) => typeof one === "string"))) {
    note(`${at}/visible_to_user_ids`, "must be an array of user ids");
  }
}

function checkThumb(side: unknown, at: string, note: Note): undefined {
  if (!isObject(side)) return note(at, "missing required field");
  checkKeys(side, ["text", "value", "accessibility_label"], at, note);
  checkPlain(side["text"], `${at}/text`, maxLabel, note);
  checkString(side["value"], `${at}/value`, maxValue, note);
  checkOptional(side["accessibility_label"], `${at}/accessibility_label`, maxLabel, note);
}

function checkConfirm(dialog: unknown, at: string, note: Note): undefined {
  if (dialog === undefined) return;
  if (!isObject(dialog)) return note(at, "must be a confirmation dialog");
  checkKeys(dialog, ["title", "text", "confirm", "deny", "style"], at, note);
  checkPlain(dialog["title"], `${at}/title`, 100, note);
  checkText(dialog["text"], `${at}/text`, 300, note);
  checkPlain(dialog["confirm"], `${at}/confirm`, 30, note);
  checkPlain(dialog["deny"], `${at}/deny`, 30, note);
}

/** A list of elements of which no two have the same action_id. */
export function checkElements(
  elements: unknown,
  at: string,
  max: number,
  note: Note,
  check: (element: Json, at: string, note: Note) => undefined,
): undefined {
  const distinct = createDistinct("action_id", note);
  checkItems(elements, at, max, note, (element, place) => {
    check(element, place, note);
    distinct(element["action_id"], `${place}/action_id`);
  });
}

export function checkImage(image: Json, at: string, note: Note): undefined {
  const { image_url: address, slack_file: file } = image;
  if (address === undefined && file === undefined) note(at, "image_url or slack_file is required");
  if (address !== undefined && checkString(address, `${at}/image_url`, 3_000, note)) {
    if (!/^https?:\/\//.test(String(address))) note(`${at}/image_url`, "must be a valid URL");
  }
  checkString(image["alt_text"], `${at}/alt_text`, 2_000, note);
}

/** The field of an `input` block. */
export function checkInput(element: unknown, at: string, note: Note): undefined {
  if (!isObject(element)) return note(at, "missing required field");
  checkOptional(element["action_id"], `${at}/action_id`, maxId, note);
  if (element["placeholder"] !== undefined) checkPlain(element["placeholder"], `${at}/placeholder`, 150, note);
  switch (element["type"]) {
    case "plain_text_input": {
      const most = Number(element["max_length"] ?? 3_000);
      if (!(most >= 1 && most <= 3_000)) note(`${at}/max_length`, "must be between 1 and 3000");
      return checkOptional(element["initial_value"], `${at}/initial_value`, most, note, 0);
    }
    case "static_select":
    case "multi_static_select": {
      if (element["option_groups"] === undefined) return checkOptions(element["options"], `${at}/options`, 100, note);
      return checkItems(element["option_groups"], `${at}/option_groups`, 100, note, (group, place) => {
        checkPlain(group["label"], `${place}/label`, maxLabel, note);
        checkOptions(group["options"], `${place}/options`, 100, note);
      });
    }
    case "radio_buttons":
    case "checkboxes":
      return checkOptions(element["options"], `${at}/options`, 10, note);
    case "file_input": {
      const most = element["max_files"] ?? 10;
      if (!(Number.isInteger(most) && Number(most) >= 1 && Number(most) <= 10)) {
        note(`${at}/max_files`, "must be between 1 and 10");
      }
      return;
    }
    case "external_select":
    case "multi_external_select":
      checkString(element["action_id"], `${at}/action_id`, maxId, note);
      return;
    default:
      return note(`${at}/type`, `unsupported type: ${element["type"]}`);
  }
}

export function checkOptions(options: unknown, at: string, max: number, note: Note): undefined {
  checkItems(options, at, max, note, (option, place) => {
    checkKeys(option, ["text", "value", "description", "url"], place, note);
    checkPlain(option["text"], `${place}/text`, maxLabel, note);
    checkString(option["value"], `${place}/value`, 150, note);
    if (option["description"] !== undefined) checkPlain(option["description"], `${place}/description`, 75, note);
  });
}
