/** Renders docs/listening.md, which messages Parley answers, from the table its test goes through: `npm run listening`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ListeningCase, listeningTable } from "../../test/bridge/intake/listening-table.ts";

const introduction = `# When Parley answers, and when it is quiet

People hate nothing more than a bot that butts into their conversations. These are the rules, and every line below is a test. \`npm run listening\` writes this page.

- **For Parley** is a mention, a direct message, a command, a reply to a message of Parley's, what one person says in a thread with Parley alone, and a short reply to a question with which its last answer ended. Statements included: each gets an ending.
- **Everything else is overheard.** Nothing is shown while it works, and only an answer that it is sure of is posted. In mode \`thread\` (the default) it hears the threads where it has answered, in mode \`channel\` also the channel. In mode \`every\` it answers every message that names nobody; in mode \`mention\` it hears only mentions and replies.
- **Nothing is asked** for a line that names or addresses a person (by mention, display name, real name, first name or surname), for a statement, for a question about what people do, did or think (“did you fill up the van?”), and for a question whose own words no section of its knowledge covers. Who spoke last silences nothing.
- **A name that is also a word** ("Will", "Mark", "May", "Ernst") counts as a mention, beside a comma at an edge of the sentence, or capitalised in mid-sentence.
- **A question** has a question mark of any script at the end of a sentence, not in an address, in code or in a quoted line, or begins with a question word: English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Greek, Arabic, Hindi, Chinese, Japanese, Korean or Thai.
- **Thanks** get a 🙌, and an "ok" gets nothing: at most five words in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Japanese or Chinese that say nothing else, or emoji alone. If the last answer ended with a question to the person, they are the reply to it: in a thread within 30 minutes and 20 messages, by mention or in a direct message at any time.
- **A reply below an answer that was not good enough** is not answered. In Slack, its author alone may read once "Use it as the answer from now on?": if they may add knowledge, have not asked that question, and the reply says something of its own within a day.
- **Reactions**: 📌 saves a message, and 💡 below an answer uses it as a better one. Both are for people who may add knowledge; from others, and on other messages, 💡 means nothing to it. ❌ on an answer removes it, with all its messages, for the person who asked and for people who manage Parley; from others it means nothing to it.

\`/parley mode\` shows the mode of a channel, and sets it for people who manage Parley.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
/** As code, so that it is shown as it was said. */
const said = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

function row({ says, about, does }: ListeningCase): string {
  return `| ${cell(said(says))} | ${cell(about)} | ${does} |`;
}

export function renderListening(): string {
  const sections = listeningTable.map(({ title, cases }) =>
    [`## ${title}`, "", "| message | where and from whom | Parley |", "|---|---|---|", ...cases.map(row)].join("\n"),
  );
  return `${[introduction.trimEnd(), ...sections].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(new URL("../listening.md", import.meta.url)), renderListening());
}
