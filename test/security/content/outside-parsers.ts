/** Every parser that reads text from outside, and the odd pieces that such text can consist of. */

import { discordMarkdown } from "../../../adapters/discord/drawing/markdown.ts";
import { plainText as discordText } from "../../../adapters/discord/intake/inbound-text.ts";
import { markdownMrkdwn } from "../../../adapters/slack/drawing/markdown.ts";
import { tableParts } from "../../../adapters/slack/drawing/tables.ts";
import { mentions, plainText as slackText } from "../../../adapters/slack/intake/inbound-text.ts";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { piecesOf } from "../../../src/agent-service/built-in/answering/sections.ts";
import { cite } from "../../../src/agent-service/built-in/model/citations.ts";
import { spokenRetryAfter } from "../../../src/agent-service/http/retry-after.ts";
import { redactSecrets } from "../../../src/agent-service/http/texts.ts";
import { readAnswerTable, readObservation } from "../../../src/agent-service/mindsdb/observation.ts";
import { parsePythonLiteral } from "../../../src/agent-service/mindsdb/python-literal.ts";
import { parseCsv, parseMarkdownTable } from "../../../src/agent-service/mindsdb/tables.ts";
import { readsLikeAnswer } from "../../../src/bridge/contact/answer-offer.ts";
import { wishToSave } from "../../../src/bridge/contact/file-offer.ts";
import { asksForWelcome } from "../../../src/bridge/contact/welcome.ts";
import { plainWords, pleasantryOf } from "../../../src/bridge/intake/pleasantries.ts";
import { asksSomething, endsWithQuestion } from "../../../src/bridge/intake/question-marks.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { addressee } from "../../../src/commands/contact/addressee.ts";
import { spokenCommand } from "../../../src/commands/contact/spoken.ts";
import { givenOf } from "../../../src/commands/knowledge-bases/add.ts";
import { isSingleSelect } from "../../../src/commands/knowledge-bases/query.ts";
import { matching } from "../../../src/commands/names/matching.ts";
import { nearest } from "../../../src/commands/names/nearest.ts";
import { safeName } from "../../../src/commands/names/safe-name.ts";
import { commandOf, parseCommand, parseStructured } from "../../../src/commands/parsing/parser.ts";
import { lastWord, wordsOf } from "../../../src/commands/parsing/words.ts";
import { createRegistry } from "../../../src/commands/registry.ts";
import { splitName } from "../../../src/core/tools/split-name.ts";
import { questionForm } from "../../../src/insight/grouping/form.ts";
import { clockTimeOf, scheduledQuestion } from "../../../src/insight/schedules/schedules.ts";
import { checkAddress } from "../../../src/knowledge/addresses/address-policy.ts";
import { mayRead, rulesFor } from "../../../src/knowledge/pages/robots-rules.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import { type RowsOptions, readRows } from "../../../src/knowledge/rows/rows.ts";
import { createRedact } from "../../../src/operations/redact.ts";
import { readNumbers } from "../../../src/presentation/charts/read-numbers.ts";
import { readTimes } from "../../../src/presentation/charts/read-times.ts";
import { cleanText, isForgedLabel, safeUrl } from "../../../src/presentation/drawing/sanitise.ts";
import { readableInput } from "../../../src/presentation/drawing/turn/approval-input.ts";
import { beginningInOneLine, firstLines } from "../../../src/presentation/markdown/beginnings.ts";
import { halfWritten } from "../../../src/presentation/markdown/half-written.ts";
import { inlineTokens } from "../../../src/presentation/markdown/inline.ts";
import { markdownBlocks, partsOf } from "../../../src/presentation/markdown/markdown-blocks.ts";
import { tableCells } from "../../../src/presentation/markdown/markdown-lines.ts";
import { plainText } from "../../../src/presentation/markdown/plain-text.ts";
import { rewriteLinks } from "../../../src/presentation/markdown/safe-markdown.ts";
import { cutMarkdown, splitMarkdown } from "../../../src/presentation/markdown/split-markdown.ts";
import { queriedNames, readQuery } from "../../../src/presentation/sentences/read-query.ts";

export type OutsideParser = (text: string) => unknown;

const registry = createRegistry(allCommands);
const agents = ["sales", "support", "a", '"', "guide"];
const none = () => undefined;
const nobody = { user: none, channel: none, role: none };
const redact = createRedact(["a-secret-value"]);
const measured = { max: 200, measure: (piece: string) => piece.length };
const publicOnly = { allowsPrivate: false };

/** As `/kb add` and files of rows are read; what isn't in the format ends with a sentence. */
const rows = (format: RowsOptions["format"]) => async (text: string) => {
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  try {
    for await (const row of readRows(bytes, { format, title: "rows" }, createReadingNotes())) void row;
  } catch {
    // Refused.
  }
};

/** By what they read, then by name. */
export const outsideParsers: Readonly<Record<string, Readonly<Record<string, OutsideParser>>>> = {
  commands: {
    "a list": (text) => parseCommand(`/kb ingest ${text}`, registry),
    options: (text) => parseCommand(`/agent use ${text}`, registry),
    "a question": (text) => parseCommand(`/ask ${text}`, registry, () => true),
    "a question with an option behind it": (text) => parseCommand(`/ask ${text} agent:"sales"`, registry),
    "a question with an option before it": (text) => parseCommand(`/ask agent:'${text}`, registry),
    "words with a name behind them": (text) => parseCommand(`/kb search ${text} in docs`, registry, () => true),
    "text to add": (text) => parseCommand(`/kb add ${text}`, registry),
    "no command": (text) => parseCommand(`/${text}`, registry),
    "a name alone": (text) => commandOf({ kind: "typed", text: `/kb ${text}` }, registry),
    "a structured list": (text) => parseStructured("kb ingest", { urls: text }, registry),
    "a structured value": (text) => parseStructured("agent use", { name: text, scope: text }, registry),
    "without a slash": (text) =>
      spokenCommand(
        `kb ingest ${text}`,
        registry,
        (input) => (input.kind === "typed" ? parseCommand(input.text, registry) : parseStructured("", {}, registry)),
        () => "ask",
      ),
    words: (text) => [...wordsOf(text)],
    "the last word": (text) => lastWord(text, 0, text.length, text.length),
  },
  Markdown: {
    blocks: markdownBlocks,
    parts: (text) => markdownBlocks(text).map(partsOf),
    "inline marks": (text) => inlineTokens(text),
    "split into messages": (text) => splitMarkdown(text, measured),
    "cut to a message": (text) => cutMarkdown(text, 200),
    "without marks": plainText,
    "half written": halfWritten,
    links: (text) => rewriteLinks(text, ({ label }) => label),
    "a beginning in one line": (text) => beginningInOneLine(text, 200),
    "first lines": (text) => firstLines(text, 200),
    "for Slack": markdownMrkdwn,
    "for Discord": (text) => discordMarkdown(text),
    "as sections": piecesOf,
    citations: (text) => cite(text, [], true),
    "clean text": cleanText,
  },
  tables: {
    "in Markdown": parseMarkdownTable,
    "cells of a row": tableCells,
    "among prose": (text) => tableParts(`|a|b|\n|-|-|\n|${text}|\n`),
    CSV: (text) => parseCsv(text),
    "rows of CSV": rows("csv"),
    "rows of JSON lines": rows("jsonl"),
    "rows of JSON": rows("json"),
    "what a tool has found": readObservation,
    "an answer": readAnswerTable,
    "Python literals": (text) => parsePythonLiteral(`[${text}`),
    numbers: (text) => readNumbers("amount", [text]),
    "arguments of a tool": readableInput,
  },
  SQL: {
    "a single SELECT": (text) => isSingleSelect(`SELECT ${text}`),
    gist: (text) => readQuery(`SELECT ${text}`),
    names: (text) => queriedNames(`SELECT * FROM ${text}`),
  },
  addresses: {
    "of a page": (text) => checkAddress(text, publicOnly),
    "behind https": (text) => checkAddress(`https://${text}`, publicOnly),
    "to add": (text) => givenOf(`https://a.example ${text}`, undefined, ["docs"]),
    "of a link": (text) => safeUrl(`https://${text}`),
    "that a label pretends": (text) => isForgedLabel(text, "https://evil.example"),
    "that robots may read": (text) => mayRead(`Disallow: /${text}`, `https://a.example/${text}`),
    "robots.txt": (text) => rulesFor(`User-agent: *\nDisallow: ${text}`, "Parley"),
  },
  times: {
    "behind a question": (text) => scheduledQuestion(`How many ${text} every monday 9:00`),
    "of a schedule": (text) => scheduledQuestion(`How many orders every ${text}`),
    "of a clock": clockTimeOf,
    "of a column": (text) => readTimes([text]),
    "of a retry": spokenRetryAfter,
  },
  names: {
    nearest: (text) => nearest(text, agents),
    safe: (text) => safeName(text, "agent"),
    "while typing": (text) => matching(text, agents),
    "of a command": (text) => registry.nearestTo([text, text]),
    addressed: (text) => addressee(`sales${text}`, agents),
    "of a project": (text) => splitName(text, "mindsdb"),
  },
  messages: {
    "on Slack": (text) => slackText(text, "U1", none),
    "mentions on Slack": (text) => mentions(text, "U1"),
    "on Discord": (text) => discordText(text, ["1"], nobody),
    pleasantry: pleasantryOf,
    "plain words": plainWords,
    "question marks": asksSomething,
    "a question at the end": endsWithQuestion,
    "an answer": readsLikeAnswer,
    "a wish to save": (text) => wishToSave(text, ["a.txt"]),
    "a greeting": (text) => asksForWelcome({ text, attachments: [] }),
    "what a question means": questionForm,
    "what to search": (text) => readQuestion([{ question: text, answer: "" }]),
    "secrets of a request": (text) => redactSecrets(text),
    "secrets of the log": redact,
  },
};

const oddCharacters: readonly string[] = [
  ..."\"'`“”„‘’«»",
  ..."()[]{}<>|\\/",
  ..." \t\n\r\u00a0\u2028",
  ..."-–—_*~#=+^",
  ...",.;:!?&%$@",
  ..."a1é日",
  "\u0000",
  "\u0301",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\ud800",
  "\udc00",
  "😀",
];

/** Alone, as a word, and before a letter, where most openings stand; and pairs that open something again and again. */
export const oddPieces: readonly string[] = [
  ...oddCharacters.flatMap((char) => [char, `${char} `, `${char}a `]),
  ...['""" ', "a:'b ", "\"'a ", "''a", "``a`", "**a*", "__a ", "~~a", "[a](", "![a](", "[[a]", "<a>", "</", "<!--"],
  ...[
    "\\'",
    '\\"',
    "\\[",
    "||a",
    "|-",
    "|a|\n",
    "|a|b|\n|-|-|\n",
    "- \n",
    "> ",
    ">>",
    "```\n",
    "~~~\n",
    "a\r\n",
    "\n\n",
  ],
  ...[
    "http://a",
    "https://a.b ",
    "a.b:",
    "a@",
    "&lt;",
    "&#1;",
    "%41",
    "<@U1>",
    "{'a':",
    '{"a":',
    "[1,",
    "(a",
    "--",
    "/*",
  ],
  ...[
    "select ",
    "from ",
    "a,",
    ", and ",
    "every ",
    "1 ",
    "9:",
    "in ",
    "agent:",
    "token=",
    "Bearer ",
    "# a\n",
    "1. a\n",
  ],
];
