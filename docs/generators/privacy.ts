/** Renders docs/privacy.md from the table of what Parley stores: `npm run privacy`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AnyDefinition } from "../../src/core/ports/collection.ts";
import { type KeptKind, keptKinds } from "../../src/insight/privacy/privacy.ts";
import { collections } from "../../src/kept-collections.ts";

const introduction = `# What Parley keeps about people, and for how long

Parley stores questions and answers in \`DATA_DIR\` (SQLite), or on Redis. Below is every kind of data: how long Parley keeps it, and what erasing a person does to it. \`npm run privacy\` writes this page from what erasing uses: what each collection declares, and a table of the rest. Tests compare both with the code, and what this page says about time with what happens to records.

## Export and erase a person

\`\`\`sh
npm run export -- slack:T1/U123 > person.json
npm run erase -- slack:T1/U123
\`\`\`

A person is written as \`platform:workspace/id\`: \`slack:T1/U123\`, \`discord:GUILD/USER\`, or \`console:local/ID\` for people of the page. In Discord that is the person in every server and in direct messages, whichever server is named; in Slack a person has an id in each workspace, each of which is exported and erased alone.

In Slack, a profile has "Copy member ID", and the workspace's id begins with T in its address in a browser. In Discord, developer mode adds "Copy Server ID" and "Copy User ID". On the page the id is what the sign-in says, and \`you\` without one; the audit log at \`/admin\` exports the ids of people who changed something.

On SQLite the running Parley does the work, so it keeps answering. On Redis the command works over the store, beside all instances. Erasing can be run again at any time, for example after a crash.

- **An export** is JSON with everything kept about the person. What other people wrote is left out. An export at \`/admin\` also leaves out the words of private channels and direct messages (\`"wordsLeftOut": true\`), unless \`LOG_PRIVATE\` is on or people export themselves; the command on the machine has them. The audit log names the person whom someone exported at \`/admin\`, until that person is erased.
- **Erasing** removes the person's questions with their answers and steps, votes, entries in gaps, drafts and schedules. It also removes their question where someone else asked another agent the same. A question that is being answered is stopped first, and their jobs that still run are cancelled. An empty record of each question stays for \`RETENTION_DAYS\`, so that a platform that sends the event again gets no second answer. It says when and where, and names nobody.
- Their votes are no longer counted: no list of questions with 👎 leads to one of theirs. Their questions stay in the figures of past days, as numbers.
- Where a record is not theirs alone, "A former member" replaces their name: the audit log, added answers, documents in knowledge bases, jobs, and other people's questions. What others' questions quote of a thread goes if the person's name is in it.
- **If something can't be erased yet**, such as a question in a conversation where an answer waits for approval, the report says so, and what to do. The command ends with code 1 then.
- **What stays** is listed at the end: messages in Slack and Discord, which belong to the chat, and documents in knowledge bases, because others rely on them.
- Pictures of a question are sent to the agent service and stored nowhere: the question has their names, and where the chat keeps them.
- What an agent service or a language model keeps of its own is theirs to erase. Conversations that the service keeps for Parley are deleted there. The log of the process has no questions in it.
- **In files too**: SQLite overwrites with zeros what is erased or deleted in \`parley.db\`. Its write-ahead log (\`parley.db-wal\`), which has earlier versions of changed pages, is emptied after an erase and after \`/parley forget\`, and every hour for everything else, such as deleted messages and records whose time is over. If something reads the log just then, such as a copy that runs, the report says so, and the log is emptied within the hour.
- What Parley doesn't reach: files of \`npm run backup\`, copies and snapshots of \`DATA_DIR\` stay as they are, so delete them, or let them expire, after an erase; a file system or an SSD can keep blocks that were overwritten; Redis rewrites its append-only file and its snapshots when its own settings say so (\`BGREWRITEAOF\` and \`BGSAVE\` do it at once).
- Someone who asks again after being erased is known again from then on.
`;

const outcomes: Readonly<Record<KeptKind["erase"], string>> = {
  remove: "removed",
  rename: "without the name",
  nothing: "names nobody",
};

const fixed: readonly (readonly string[])[] = [
  ["questions", "Questions, answers, steps and sources (`turns`)", "`RETENTION_DAYS`", "removed"],
  [
    "recent activity",
    "Which events were handled once, by their ids",
    "30 days at most",
    "names nobody, except that a refused person isn't told again for a while",
  ],
  ["recent activity", "How much a person asked in the last minutes, for the limits (on Redis)", "minutes", "expires"],
  ["jobs", "Work on knowledge bases, and who asked for it (`jobs`)", "`RETENTION_DAYS`", "without the name"],
];

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** What a collection declares, as a row of the table. */
function ofCollection([namespace, { holds, person, retain }]: readonly [string, AnyDefinition]): KeptKind {
  const days = typeof retain === "string" ? retain : retain.days;
  const kept = typeof days === "number" ? `${days} days` : typeof retain === "string" ? days : `\`${days}\``;
  if (person === "nobody") return { namespace, kind: "settings", holds, kept, erase: "nothing" };
  return { namespace, kind: person.kind, holds, kept, erase: person.erase === "delete" ? "remove" : "rename" };
}

export function renderPrivacy(): string {
  const kept = [...keptKinds, ...Object.entries(collections).map(ofCollection)].sort((a, b) =>
    a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0,
  );
  const rows = kept.map(({ namespace, kind, holds, kept: howLong, erase }) =>
    row([kind, `${holds} (\`${namespace}\`)`, howLong, outcomes[erase]]),
  );
  const head = row(["kind", "what it holds", "kept", "erasing a person"]);
  const table = [head, "|---|---|---|---|", ...fixed.map(row), ...rows].join("\n");
  return `${[introduction.trimEnd(), "## Kinds of data", table].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(new URL("../privacy.md", import.meta.url)), renderPrivacy());
}
