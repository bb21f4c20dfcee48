/** Reads what a page or its server asks of robots: `<meta name="robots">` and `X-Robots-Tag`. */

/** These have a value after a colon, and aren't names of robots. */
const withValue = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * The directives for everyone and for Parley, in lower case; "none" stands for both. A name before a directive holds
 * for those that follow it: "googlebot: noindex, nofollow".
 */
export function directivesFor(lines: readonly string[], agent = "parley"): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    let isForUs = true;
    for (const part of line.toLowerCase().split(",")) {
      const [name = "", ...rest] = part.split(":");
      const isNamed = rest.length > 0 && !withValue.test(name.trim());
      if (isNamed) isForUs = name.trim() === agent || name.trim() === "*";
      const directive = (isNamed ? (rest[0] ?? "") : name).trim();
      if (isForUs && directive !== "") found.add(directive);
    }
  }
  if (found.has("none")) for (const one of ["noindex", "nofollow"]) found.add(one);
  return found;
}
