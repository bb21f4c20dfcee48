/** What Discord refuses in the components of a message: where each may stand, what it holds, and how much in all. */
import { type Json, listOf } from "../world.ts";

const maxComponents = 40;
const maxChars = 4_000;
const maxDescription = 1_024;
const selects = [3, 5, 6, 7, 8];
const atTop = [1, 9, 10, 12, 13, 14, 17];
const inContainer = [1, 9, 10, 12, 13, 14];

type Tally = {
  readonly problems: string[];
  readonly customIds: Set<string>;
  readonly ids: Set<number>;
  count: number;
  chars: number;
};

export function componentProblems(components: readonly Json[], isV2: boolean): readonly string[] {
  const tally: Tally = { problems: [], customIds: new Set(), ids: new Set(), count: 0, chars: 0 };
  for (const component of components) check(component, isV2 ? atTop : [1], tally);
  if (!isV2 && components.length > 5) tally.problems.push("more than 5 rows");
  if (tally.count > maxComponents) tally.problems.push(`${tally.count} components`);
  if (tally.chars > maxChars) tally.problems.push(`COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED: ${tally.chars}`);
  return tally.problems;
}

function check(component: Json, allowed: readonly number[], tally: Tally): undefined {
  const { problems } = tally;
  const type = Number(component["type"]);
  tally.count += 1;
  checkId(component, tally);
  if (!allowed.includes(type)) {
    problems.push(`a component of type ${String(component["type"])} where one of ${allowed.join()} may be`);
    return;
  }
  switch (type) {
    case 1:
      return checkRow(listOf(component["components"]), tally);
    case 9:
      return checkSection(component, tally);
    case 10: {
      const length = [...String(component["content"] ?? "")].length;
      if (length === 0) problems.push("an empty text display");
      tally.chars += length;
      return;
    }
    case 12: {
      const items = listOf(component["items"]);
      if (items.length < 1 || items.length > 10) problems.push("a gallery has 1 to 10 pictures");
      for (const item of items) checkPicture(item, problems);
      return;
    }
    case 13: {
      const { url } = (component["file"] ?? {}) as Json;
      if (!/^attachment:\/\/[\w.-]+$/.test(String(url)))
        problems.push("a file component takes an attachment:// address");
      return;
    }
    case 14:
      if (![1, 2, undefined].includes(component["spacing"] as number)) problems.push("spacing is 1 or 2");
      return;
    case 17: {
      const inside = listOf(component["components"]);
      if (inside.length === 0) problems.push("an empty container");
      const colour = component["accent_color"] ?? 0;
      if (!Number.isInteger(colour) || Number(colour) < 0 || Number(colour) > 0xff_ff_ff) problems.push("accent_color");
      for (const one of inside) check(one, inContainer, tally);
      return;
    }
  }
}

function checkId(component: Json, { ids, problems }: Tally): void {
  if (component["id"] === undefined) return;
  const id = Number(component["id"]);
  if (!Number.isInteger(id) || id < 0 || id > 2 ** 31 - 1) problems.push("id is not a positive 32-bit number");
  if (id !== 0 && ids.has(id)) problems.push("two components have one id");
  ids.add(id);
}

function checkRow(inside: readonly Json[], tally: Tally): undefined {
  const { problems } = tally;
  if (inside.length === 0 || inside.length > 5) problems.push("a row has 1 to 5 buttons");
  const isSelect = inside.some(({ type }) => selects.includes(Number(type)));
  if (isSelect && inside.length > 1) problems.push("a select fills its row");
  for (const one of inside) {
    tally.count += 1;
    checkId(one, tally);
    if (one["type"] === 2) checkButton(one, tally);
    else if (one["type"] === 3) checkStringSelect(one, tally);
    else if (!selects.includes(Number(one["type"]))) problems.push("a row takes buttons and selects only");
  }
}

/** Texts with a button or a picture at their side. */
function checkSection(section: Json, tally: Tally): undefined {
  const texts = listOf(section["components"]);
  if (texts.length < 1 || texts.length > 3) tally.problems.push("a section has 1 to 3 texts");
  for (const text of texts) check(text, [10], tally);
  const accessory = (section["accessory"] ?? {}) as Json;
  tally.count += 1;
  checkId(accessory, tally);
  if (accessory["type"] === 2) checkButton(accessory, tally);
  else if (accessory["type"] === 11) checkPicture(accessory, tally.problems);
  else tally.problems.push("a section has a button or a thumbnail beside it");
}

function checkPicture(picture: Json, problems: string[]): void {
  const url = String(((picture["media"] ?? {}) as Json)["url"]);
  if (!/^(https?|attachment):\/\/\S+$/.test(url)) problems.push(`URL_TYPE_INVALID_URL: ${url}`);
  const { length } = String(picture["description"] ?? "x");
  if (length < 1 || length > maxDescription) problems.push("a description has 1 to 1024 characters");
}

function checkButton(button: Json, { customIds, problems }: Tally): void {
  const customId = String(button["custom_id"] ?? "");
  if (button["style"] === 5) {
    if (customId !== "") problems.push("a link has no custom_id");
    if (!/^(https?|discord):\/\/\S{1,500}$/.test(String(button["url"]))) problems.push("a link needs a URL");
  } else {
    if (customId === "" || customId.length > 100) problems.push("custom_id has 1 to 100 characters");
    if (customIds.has(customId)) problems.push(`custom_id ${customId} twice`);
    if (![1, 2, 3, 4].includes(Number(button["style"]))) problems.push("style is 1 to 5");
    if (button["url"] !== undefined) problems.push("only a link has a URL");
    customIds.add(customId);
  }
  if (String(button["label"] ?? "").length > 80) problems.push("label is longer than 80");
  if (button["label"] === undefined && button["emoji"] === undefined) problems.push("a button without label and emoji");
}

function checkStringSelect(select: Json, { customIds, problems }: Tally): void {
  const customId = String(select["custom_id"] ?? "");
  if (customId === "" || customId.length > 100) problems.push("custom_id has 1 to 100 characters");
  if (customIds.has(customId)) problems.push(`custom_id ${customId} twice`);
  customIds.add(customId);
  if (String(select["placeholder"] ?? "").length > 150) problems.push("placeholder is longer than 150");
  const options = listOf(select["options"]);
  if (options.length < 1 || options.length > 25) problems.push("a select has 1 to 25 options");
  const values = new Set(options.map(({ value }) => value));
  if (values.size < options.length) problems.push("two options have one value");
  for (const { label, value } of options) {
    const lengths = [label, value].map((text) => String(text ?? "").length);
    if (lengths.some((length) => length < 1 || length > 100)) problems.push("an option has 1 to 100 characters");
  }
}

/** The addresses of all pictures and files that are shown. */
export function mediaOf(components: unknown): readonly string[] {
  return listOf(components).flatMap((component) => {
    const shown = [component["file"], component["media"], ...listOf(component["items"]).map(({ media }) => media)];
    return [
      ...shown.flatMap((media) => (media === undefined ? [] : [String((media as Json)["url"])])),
      ...mediaOf(component["components"]),
      ...mediaOf(component["accessory"] === undefined ? [] : [component["accessory"]]),
    ];
  });
}
