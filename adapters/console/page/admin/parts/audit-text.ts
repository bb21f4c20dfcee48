/** What was done, as people say it. Pure. */

/** What each action needs of what it is about, and what it says then. The rest keeps its command. */
const sentences: Readonly<Record<string, (about: (name: string) => string | undefined) => string | undefined>> = {
  "agent connect-base": (about) =>
    two(about("knowledgeBase"), about("agent"), (base, agent) => `Connected ${base} to ${agent}`),
  "agent delete": (about) => one(about("agent"), (agent) => `Deleted the agent ${agent}`),
  "kb add": (about) => one(about("knowledgeBase"), (base) => `Added ${about("items") ?? "content"} to ${base}`),
  "kb create": (about) => one(about("knowledgeBase"), (base) => `Created the knowledge base ${base}`),
  "kb delete": (about) => one(about("knowledgeBase"), (base) => `Deleted the knowledge base ${base}`),
  "kb ingest": (about) => one(about("knowledgeBase"), (base) => `Added ${about("items") ?? "pages"} to ${base}`),
  "kb use": (about) => one(about("knowledgeBase"), (base) => `Saves to ${base} here`),
};

/** "handbook" of "mindsdb.handbook". */
const shortName = (name: string) => name.slice(name.indexOf(".") + 1);

function one(name: string | undefined, say: (name: string) => string): string | undefined {
  return name === undefined ? undefined : say(shortName(name));
}

function two(
  first: string | undefined,
  second: string | undefined,
  say: (first: string, second: string) => string,
): string | undefined {
  return first === undefined ? undefined : one(second, (name) => say(shortName(first), name));
}

/** Said in the sentence, or of no use once everything went well. */
const said = ["knowledgeBase", "agent", "items", "job", "way", "addresses"];

/**
 * Undefined where there is no sentence for it, or it wasn't done. `rest`: what the sentence leaves out, such as how many
 * failed.
 */
export function auditText({
  action,
  outcome,
  about,
}: {
  readonly action: string;
  readonly outcome: string;
  readonly about: readonly (readonly string[])[];
}): { readonly text: string; readonly rest: readonly (readonly string[])[] } | undefined {
  if (outcome !== "done") return undefined;
  const values = new Map(about.map(([name = "", value = ""]) => [name, value]));
  const text = sentences[action]?.((name) => values.get(name));
  const isTold = ([name = "", value]: readonly string[]) => !said.includes(name) && name !== "done" && value !== "0";
  return text === undefined ? undefined : { text, rest: about.filter(isTold) };
}
