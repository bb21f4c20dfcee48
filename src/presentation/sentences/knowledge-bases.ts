/** Sentences and forms about knowledge bases: listing, creating, searching, adding to them and saving messages. */
import type { Inline } from "../../ports/document.ts";
import { bold, code, inline, link } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";
import { shorten } from "./step-words.ts";

export const knowledgeBaseFormTexts = {
  title: "New knowledge base",
  fields: {
    name: { label: "Name", hint: "Lower-case letters, digits and underscores, for example docs." },
    embedding: { label: "Embedding model", hint: "As provider/model. Leave empty for the default." },
    reranking: { label: "Reranking model", hint: "As provider/model. Leave empty for the default." },
    key: { label: "API key", hint: "API key for the models' provider. Leave empty to use the service's own." },
  },
  notAModel: "Write it as provider/model, for example openai/text-embedding-3-small.",
  openCreate: "New knowledge base",
  useHere: "Use it here",
  useHereQuestion: "Add things from this channel to it by default?",
  made: (name: string): Inline => inline("Created knowledge base ", bold(name), "."),
  taken: (name: string): Inline => inline("There is already a knowledge base called ", bold(name), "."),
} as const;

export const knowledgeBaseSentences = {
  listTitle: (count: number): string => countText(count, "knowledge base"),
  none: "There are no knowledge bases yet.",
  more: (count: number): string => `${countText(count, "more knowledge base")}: start typing to find them.`,
  noSuch: (name: string): Inline => inline("There is no knowledge base called ", code(name), "."),
  embedding: (model: string): string => `embedding ${model}`,
  reranking: (model: string): string => `reranking ${model}`,
  defaultHere: "default for this channel",
  used: (name: string): Inline => inline("From now on, this channel adds to ", bold(name), "."),
  cleared: "This channel no longer has a knowledge base of its own.",
  nothingToClear: "This channel had no knowledge base of its own.",
  found: (count: number, name: string): Inline => inline(`${countText(count, "passage")} in `, bold(name)),
  nothingFound: (name: string): Inline => inline("Nothing found in ", bold(name), "."),
} as const;

/** The form of `/kb add`. */
export const addFormTexts = {
  title: "Add to knowledge base",
  submitLabel: "Add",
  fields: {
    files: {
      label: "Files",
      hint: "Up to 10, each up to 10 MB: text, Markdown, HTML, JSON, CSV, PDF or spreadsheets.",
    },
    text: { label: "Text or page URLs", hint: "To add pages, write only their URLs, one on each line." },
    into: { label: "Knowledge base", hint: "Leave it empty for this channel's." },
  },
  nothing: "Add a file, some text or a URL.",
  openHere: "Add files, text or pages:",
  open: "Add to knowledge base",
} as const;

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
export const feedSentences = {
  begun: (count: number, what: "address" | "piece" | "query", into: string): Inline =>
    inline(`Adding ${amountText(count, what)} to `, bold(into), ". Progress is shown below."),
  runningAlready: (addresses: readonly string[]): Inline =>
    inline("Already being added by another job: ", addresses.join(", ")),
  twice: (count: number): string => `${countText(count, "duplicate URL")} skipped.`,
  didYouMean: (address: string): string => `did you mean ${address}?`,
  noneTaken: "Nothing was added:",
  tooMany: (most: number): string => `That's more than ${numberText(most)} URLs. Split them over several commands.`,
  noAddress: "Add at least one URL that starts with https://.",
  limited: (pages: number, depth: number): string =>
    `Limited to ${countText(pages, "page")} and a link depth of ${numberText(depth)} for each URL.`,
  badDomain: (domain: string): Inline =>
    inline(code(domain), " isn't a domain name. Write it like ", code("example.com"), "."),
  unknownProject: (name: string): Inline => inline("There is no project called ", code(name), "."),
  onlyParleyReads: inline("Parley reads web pages itself here. Leave out ", code("by service"), "."),
  noBase: "There are no knowledge bases yet.",
  makeBase: "Create one first, then run the command again.",
  create: "Create it",
  attached: "Pasted text",
  confirmQuery: (into: string): Inline => inline("Add the rows of this query to ", bold(into), "?"),
  queryRuns: "The agent service runs this query as is, with its own permissions.",
  runQuery: "Run and add rows",
  onlySelect:
    "Only a single SELECT without comments can be added, because the agent service would run anything else too.",
  queryGone: "This query has expired. Run the command again.",
} as const;

function amountText(count: number, what: "address" | "piece" | "query"): string {
  switch (what) {
    case "address":
      return countText(count, "page");
    case "piece":
      return countText(count, "item");
    case "query":
      return "the query's rows";
    default:
      return what satisfies never;
  }
}

/** Saving messages and threads. */
export const saveSentences = {
  form: {
    title: "Save to knowledge base",
    submit: "Save",
    name: { label: "Title", hint: "Shown as the source title" },
    into: { label: "Knowledge base" },
    scope: { label: "What to save", hint: "Saving again replaces the earlier copy" },
    scopes: { thread: "The whole thread", message: "Only this message" },
    noTitle: "Enter a title.",
    noBase: "Choose a knowledge base.",
  },
  titleOf: (author: string, words: string): string => (words === "" ? `Message from ${author}` : words),
  message: "the message",
  saving: (title: string, into: string): Inline =>
    inline("Saving ", title === "" ? saveSentences.message : bold(title), " to ", bold(into), "…"),
  saved: (title: string, into: string, url?: string): Inline =>
    inline("Saved ", url === undefined ? bold(title) : link(title, url), " to ", bold(into), "."),
  notSaved: (title: string, reason: string): Inline =>
    inline(
      "Couldn't save ",
      title === saveSentences.message ? title : bold(title),
      reason === "" ? "." : `: ${reason}`,
    ),
  stillRunning: "Still saving. The message is marked when it's done.",
  remove: (from: string): string => `Remove from ${from}`.slice(0, 75),
  removed: (title: string, from: string): Inline => inline("Removed ", bold(title), " from ", bold(from), "."),
  gone: "This form has expired. Choose “Save to knowledge base” again.",
  savedGone: "This saved item is no longer available.",
} as const;

/** Files that someone sent with words like "save this". */
export const fileOfferSentences = {
  files: (count: number): string => countText(count, "file"),
  ask: (what: Inline, base: string): Inline => inline("Add ", what, " to ", bold(base), "?"),
  askWhere: (what: Inline): Inline => inline("Add ", what, " to a knowledge base?"),
  which: (what: Inline): Inline => inline("Which knowledge base should I add ", what, " to?"),
  addTo: (base: string): string => `Add to ${base}`,
  add: (count: number): string => (count === 1 ? "Add file" : "Add files"),
  question: "To ask about a file instead, send it with your question.",
  noSuch: (name: string): Inline => inline("I don't know a knowledge base called ", code(name), " here."),
  noneFits: "I can't add that:",
  problem: (name: string, reason: string): Inline => inline(bold(name), `: ${reason}`),
  already: (person: string, base: string): Inline => inline(`${person} already added that to `, bold(base), "."),
  gone: "This offer has expired. Send the file again.",
} as const;

const maxNamed = 3;
/** Slack allows 75 characters for a button, Discord 80. */
const maxNameChars = 24;

/** Which agents look in a knowledge base, and letting another one look. */
export const readerSentences = {
  /** Stands behind a knowledge base in a list. */
  readBy: (agents: readonly string[]): Inline =>
    agents.length === 0 ? inline("no agent reads it") : inline("read by ", listed(agents)),
  nobody: (base: string): Inline => inline("No agent that people can ask here looks in ", bold(base), " yet."),
  nobodyKnown: (base: string): Inline => inline("There is no agent yet that could look in ", bold(base), "."),
  askManager: (base: string): Inline =>
    inline("Ask someone who manages Parley here to let an agent look in ", bold(base), "."),
  letLook: (agent: string | undefined, base: string): string =>
    `Let ${agent === undefined ? "an agent" : shorten(agent, maxNameChars)} look in ${shorten(base, maxNameChars)}`,
  which: (base: string): Inline => inline("Which agent should look in ", bold(base), "?"),
  connecting: (agent: string, base: string): Inline => inline("Letting ", bold(agent), " look in ", bold(base), "…"),
  connected: (agent: string, base: string): Inline => inline(bold(agent), " now looks in ", bold(base), "."),
  manualLeft: (agent: string, manual: string): Inline =>
    inline(bold(agent), " no longer looks in ", bold(manual), ", which is Parley's own manual."),
  already: (agent: string, base: string): Inline => inline(bold(agent), " already looks in ", bold(base), "."),
  notConnected: (agent: string, base: string): Inline =>
    inline("Couldn't let ", bold(agent), " look in ", bold(base), "."),
  announced: (person: string, agent: string, base: string): Inline =>
    inline(`${person} let `, bold(agent), " look in ", bold(base), "."),
  askNow: (agent: string, base: string): Inline => inline(bold(agent), " looks in ", bold(base), ". You can ask now."),
  notAsked: "Your question wasn't asked.",
} as const;

function listed(agents: readonly string[]): Inline {
  const named = agents.slice(0, maxNamed);
  const more = agents.length - named.length;
  const spans = named.flatMap((name, index) => (index === 0 ? [bold(name)] : [...inline(", "), bold(name)]));
  return inline(spans, more === 0 ? "" : ` and ${numberText(more)} more`);
}
