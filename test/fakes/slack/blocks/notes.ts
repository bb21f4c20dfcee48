/**
 * What Slack says of a payload it refuses: each fault in words, with a JSON pointer to its place, and the checks of
 * strings, texts and lists that all kinds of blocks share.
 */
export type Json = Readonly<Record<string, unknown>>;

/** Notes a fault at a place like `/blocks/3/title`. */
export type Note = (pointer: string, says: string) => undefined;

export function createNotes() {
  const messages: string[] = [];
  const note: Note = (pointer, says) => {
    messages.push(`[ERROR] ${says} [json-pointer:${pointer}]`);
  };
  return { messages, note };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether it is a string between the two lengths. */
export function checkString(value: unknown, at: string, max: number, note: Note, min = 1): boolean {
  if (value === undefined || value === null) note(at, "missing required field");
  else if (typeof value !== "string") note(at, "must be a string");
  else if (value.length < min) note(at, `must be more than ${min - 1} characters`);
  else if (value.length > max) note(at, `must be less than ${max + 1} characters`);
  else return true;
  return false;
}

export function checkOptional(value: unknown, at: string, max: number, note: Note, min = 1): undefined {
  if (value !== undefined) checkString(value, at, max, note, min);
}

export type TextType = "plain_text" | "mrkdwn";
const anyText: readonly TextType[] = ["plain_text", "mrkdwn"];

export function checkText(value: unknown, at: string, max: number, note: Note, types = anyText): undefined {
  if (value === undefined || value === null) return note(at, "missing required field: text");
  if (!isObject(value)) return note(at, "must provide an object");
  const type = types.find((candidate) => candidate === value["type"]);
  if (type === undefined) return note(`${at}/type`, `unsupported type: ${value["type"]}`);
  checkString(value["text"], `${at}/text`, max, note);
  checkKeys(value, ["type", "text", type === "mrkdwn" ? "verbatim" : "emoji"], at, note);
}

export function checkPlain(value: unknown, at: string, max: number, note: Note): undefined {
  checkText(value, at, max, note, ["plain_text"]);
}

/** Slack refuses properties that it does not know. */
export function checkKeys(value: Json, known: readonly string[], at: string, note: Note): undefined {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) note(at, `invalid additional property: ${key}`);
  }
}

export function checkChoice(value: unknown, choices: readonly string[], at: string, note: Note): undefined {
  if (value !== undefined && !choices.includes(value as string)) note(at, `must be a valid enum value: ${value}`);
}

/** The items, or none with a note. */
export function listAt(value: unknown, at: string, max: number, note: Note, min = 1): readonly unknown[] {
  if (!Array.isArray(value)) {
    note(at, "must provide an array");
    return [];
  }
  if (value.length < min) note(at, `must have at least ${min} item${min === 1 ? "" : "s"}`);
  if (value.length > max) note(at, `no more than ${max} items allowed`);
  return value;
}

/** The items that are objects; each other one gets a note. */
export function checkItems(
  value: unknown,
  at: string,
  max: number,
  note: Note,
  check: (item: Json, at: string) => undefined,
): undefined {
  listAt(value, at, max, note).forEach((item, index) => {
    if (isObject(item)) check(item, `${at}/${index}`);
    else note(`${at}/${index}`, "must provide an object");
  });
}

/** Notes whatever comes twice. */
export function createDistinct(what: string, note: Note) {
  const seen = new Set<unknown>();
  return (value: unknown, at: string): undefined => {
    if (value === undefined) return;
    if (seen.has(value)) note(at, `${what} already exists: ${value}`);
    seen.add(value);
  };
}
