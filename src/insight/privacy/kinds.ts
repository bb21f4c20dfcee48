/**
 * Lists what Parley stores besides questions, jobs and collections, which say it themselves: what it says about people,
 * how long it stays, and what erasing does to it. docs/privacy.md comes from both.
 */

export type KeptKind = {
  readonly namespace: string;
  /** The namespace is a kind of works, whose payload it is. */
  readonly isWork?: true;
  /** Heading in exports and reports. */
  readonly kind: string;
  /** What it is, for people who read docs/privacy.md. */
  readonly holds: string;
  /** How long it is kept. */
  readonly kept: string;
  /** "nothing": it names nobody. */
  readonly erase: "remove" | "rename" | "nothing";
  /** It can hold a name without an id. */
  readonly isBare?: true;
};

const untilRetention = "`RETENTION_DAYS`";
const untilRemoved = "until it is removed";

type About = Omit<KeptKind, "namespace">;
const of = (namespace: string, about: About): KeptKind => ({ namespace, ...about });

/** Of settings and counts, which are about no person. */
function impersonal(namespace: string, holds: string, kept: string): KeptKind {
  return { namespace, kind: "settings", holds, kept, erase: "nothing" };
}

export const keptKinds: readonly KeptKind[] = [
  impersonal(
    "conversations",
    "History of a thread; a person's questions in it are removed with the questions",
    untilRetention,
  ),
  of("feedback", { kind: "votes", holds: "👍 and 👎 with their reasons", kept: untilRetention, erase: "remove" }),
  of("open-signals", { kind: "gaps", holds: "Notes about new gaps", kept: "minutes", erase: "remove" }),
  of("recent-questions", {
    kind: "recent activity",
    holds: "A person's newest question, to see that it is asked again",
    kept: "10 minutes",
    erase: "remove",
  }),
  impersonal("overheard", "Threads that Parley left, and counts of what was said unasked", untilRetention),
  of("thread-talk", { kind: "recent activity", holds: "Who asked in a thread", kept: untilRetention, erase: "remove" }),
  of("topics", {
    kind: "recent activity",
    holds: "Which topic a direct message continues",
    kept: untilRetention,
    erase: "remove",
  }),
  impersonal("latest-questions", "The newest question of a thread, by number", untilRetention),
  impersonal("bot-turns", "How often bots asked in a row", "an hour"),
  impersonal("gone-questions", "Which messages were deleted before they were read", "15 minutes"),
  of("typed", { kind: "drafts", holds: "A typed command that waits for its button", kept: "an hour", erase: "remove" }),
  impersonal("welcomes", "That a channel has its welcome card", "one per channel"),
  of("notices", {
    kind: "recent activity",
    holds: "Which messages Parley has posted once",
    kept: "30 days",
    erase: "remove",
  }),
  of("open-notices", {
    isWork: true,
    kind: "recent activity",
    holds: "Messages that Parley is about to post",
    kept: "until posted, or `RETENTION_DAYS` after they were given up",
    erase: "remove",
  }),
  impersonal("schedules", "Which schedule is due when, by its id", untilRemoved),
  impersonal("reviews", "Which added answer is asked about when, by its id", untilRemoved),
  impersonal("retention", "When old records are deleted next", "one record"),
  impersonal("tidying", "Messages to remove after an answer", "until removed"),
  of("removals", {
    isWork: true,
    kind: "recent activity",
    holds: "Answers to remove, and who removes them",
    kept: "until removed, or `RETENTION_DAYS` after they were given up",
    erase: "remove",
  }),
  impersonal("approvals", "Which questions wait for a decision", "4 hours"),
  of("pending", {
    kind: "drafts",
    holds: "What waits for a button, such as a message to save",
    kept: "a day",
    erase: "remove",
  }),
  of("pending-adoptions", {
    kind: "drafts",
    holds: "A message that may become an answer",
    kept: "an hour",
    erase: "remove",
  }),
  of("pending-schedules", {
    kind: "drafts",
    holds: "A schedule that waits for its button",
    kept: "a day",
    erase: "remove",
  }),
  of("offers", {
    kind: "recent activity",
    holds: "Where Parley has offered something once",
    kept: "90 days",
    erase: "remove",
  }),
  of("contributions", {
    kind: "knowledge",
    holds: "Which knowledge bases a person added to",
    kept: "a year",
    erase: "remove",
  }),
  of("ledger", {
    kind: "knowledge",
    holds: "Documents in knowledge bases, and who added them",
    kept: untilRemoved,
    erase: "rename",
  }),
  impersonal("ledger-rows", "Rows of a document", untilRemoved),
  impersonal("ledger-counts", "How many documents a knowledge base has", untilRemoved),
  impersonal("proofs", "Which proof of an added answer runs, by its id", "until it ends"),
  impersonal("checks", "Results of checks", "400 days"),
  impersonal("counted", "What a question added to the counts", untilRetention),
  impersonal("open-counts", "Questions to be counted", "minutes"),
  impersonal("refusals", "Which model takes no pictures, and which endpoint tells no tokens", "a day"),
  impersonal("bindings", "Which agent answers in which channel", untilRemoved),
  impersonal("binding-stamps", "When that changed", untilRemoved),
  impersonal("agent-bases", "Which knowledge bases an agent looks in", untilRemoved),
  impersonal("slack", "What Parley has read of each channel, by time", "30 days"),
  impersonal("discord", "What Parley has read of each channel, by time", "30 days"),
  of("console-messages", {
    kind: "messages of the page",
    holds: "Messages of Parley's own page",
    kept: untilRetention,
    erase: "remove",
  }),
  of("console-sessions", {
    kind: "sign-ins",
    holds: "Who is signed in to the page, without the cookie",
    kept: "30 days",
    erase: "remove",
  }),
  of("console-people", {
    kind: "sign-ins",
    holds: "Names and roles of people who signed in to the page",
    kept: "guests: 30 days after their last visit; others: until removed",
    erase: "remove",
  }),
  of("console-texts", {
    kind: "messages of the page",
    holds: "Words of conversations of the page, for its search",
    kept: untilRetention,
    erase: "remove",
  }),
  impersonal("console-files", "Files of the page, removed with their messages", untilRetention),
  impersonal("console-order", "The last number of a message of the page", "one record"),
  of("console-channels", {
    kind: "messages of the page",
    holds: "Channels of the page, and who is removing one",
    kept: untilRemoved,
    erase: "rename",
  }),
  of("page-deletions", {
    isWork: true,
    kind: "messages of the page",
    holds: "What someone is deleting or editing on the page",
    kept: "until it is done",
    erase: "rename",
  }),
  impersonal("page-channels", "Channels of the page that are being emptied, by id", "until it is done"),
  impersonal("console-changed", "Which conversations of the page its search has to read again", "seconds"),
  impersonal("console-going", "Messages of the page that are being removed", "a day"),
  impersonal("channel-names", "Names of channels for the pages at `/admin`", untilRetention),
  of("console-uploads", {
    kind: "files of the page",
    holds: "Files attached on the page; a day if no message shows them",
    kept: untilRetention,
    erase: "remove",
  }),
  of("console-uploads-begun", {
    kind: "files of the page",
    holds: "Which files guests of the page began to upload, by a hash of their network",
    kept: "20 minutes",
    erase: "remove",
  }),
  of("console-upload-pieces", {
    kind: "files of the page",
    holds: "Content of these files",
    kept: untilRetention,
    erase: "remove",
  }),
  impersonal("instances", "Which instances share a Redis, and what 429s have taught them", "45 seconds"),
];
