/** Takes values out of raw JSON whose shape nobody guarantees: one odd part must not cost a whole message. */
export type Raw = Readonly<Record<string, unknown>>;

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of anything else. */
export function rawList(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value.filter(isRaw) : [];
}

export function rawObject(value: unknown): Raw {
  return isRaw(value) ? value : {};
}

/** Numbers as people see them; "" for anything else. */
export function rawText(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}
