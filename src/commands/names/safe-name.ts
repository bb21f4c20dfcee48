/** Defines the names that every generation of the service accepts, in paths and in SQL, and suggests the nearest. */

/** Defines the names that every generation of the service accepts, in paths and in SQL, and suggests the nearest. */
const maxNameChars = 63;

const rule = /^[a-z][a-z0-9_]{0,62}$/;

export function isSafeName(name: string): boolean {
  return rule.test(name);
}

/** The nearest valid name that isn't in `taken`; a valid and free name is returned unchanged. */
export function safeName(given: string, fallback: string, taken: readonly string[] = []): string {
  const plain = given
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "");
  const begun = plain === "" ? fallback : /^[a-z]/.test(plain) ? plain : `${fallback}_${plain}`;
  const name = isSafeName(given) ? given : begun.slice(0, maxNameChars);
  const others = new Set(taken);
  if (!others.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const end = `_${number}`;
    const next = `${name.slice(0, maxNameChars - end.length)}${end}`;
    if (!others.has(next)) return next;
  }
}
