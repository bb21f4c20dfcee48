/** Finds the agent that a message addresses by name: "sales, how many?" asks the agent sales, in any channel. */

/** Finds the agent that a message addresses by name: "sales, how many?" asks the agent sales, in any channel. */

type Addressed = { readonly agent: string; readonly text: string };

/**
 * Picks the longest name the text begins with. After a comma or colon, the rest is the question; after a space, the
 * whole text is, because the name may be part of the sentence.
 */
export function addressee(text: string, names: readonly string[]): Addressed | undefined {
  const said = text.trimStart();
  const lower = said.toLowerCase();
  let found: string | undefined;
  for (const name of names) {
    if (name.length <= (found?.length ?? 0) || !lower.startsWith(name.toLowerCase())) continue;
    if (/^(?:[:,]\s*\S|\s+\S)/.test(said.slice(name.length))) found = name;
  }
  if (found === undefined) return undefined;
  const rest = said.slice(found.length);
  return { agent: found, text: /^[:,]/.test(rest) ? rest.slice(1).trim() : said.trim() };
}
