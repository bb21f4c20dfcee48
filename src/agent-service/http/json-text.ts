/** Writes a value of an event as text again. Parsing takes any depth of nesting, but writing does not. */

/** The JSON of a parsed value; "" if it is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
