/** Reads an e-mail: who wrote it to whom and when, its subject and its text. Its attachments are named. */
import { isUtf8 } from "node:buffer";
import PostalMime from "postal-mime";
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { guessEncoding } from "../rows/guess-encoding.ts";
import { emailStart } from "./document-names.ts";
import { markdownOfHtml } from "./html-part.ts";
import { oneFile, type ReadDocument } from "./parts.ts";

type Address = {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly group?: readonly Address[] | undefined;
};

/** Throws ReadFailure. */
export async function readEmail(bytes: Uint8Array): Promise<ReadDocument> {
  const mail = await PostalMime.parse(inUtf8(bytes.subarray(emailStart(bytes)))).catch((thrown) => {
    throw new ReadFailure("unreadable", documentSentences.damaged("e-mail"), thrown);
  });
  const { from, to = [], cc = [], date, text = "", html = "", attachments } = mail;
  const subject = (mail.subject ?? "").replace(/\s+/g, " ").trim();
  const body = text.trim() === "" ? markdownOfHtml(html) : text.trim();
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  if (body === "") {
    const reason = names.length === 0 ? documentSentences.noText : documentSentences.onlyAttachments(names);
    throw new ReadFailure("unreadable", reason);
  }
  const lines = [
    from === undefined ? "" : `From: ${named(from)}`,
    to.length === 0 ? "" : `To: ${to.map(named).join(", ")}`,
    cc.length === 0 ? "" : `Cc: ${cc.map(named).join(", ")}`,
    date === undefined ? "" : `Date: ${date}`,
  ];
  const head = lines.filter((line) => line !== "").join("\n");
  const content = [subject === "" ? "" : `# ${subject}`, head, body].filter((one) => one !== "").join("\n\n");
  return {
    parts: [{ label: "", text: content }],
    size: oneFile,
    notes: names.length === 0 ? [] : [documentSentences.attachments(names)],
  };
}

/** An e-mail that names no encoding is in UTF-8, unless its bytes say otherwise. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const isNamed = /charset|=\?[\w-]+\?[bq]\?/i.test(Buffer.from(bytes).toString("latin1"));
  return isUtf8(bytes) || isNamed ? bytes : Buffer.from(new TextDecoder(guessEncoding(bytes)).decode(bytes));
}

function named({ name = "", address = "", group }: Address): string {
  if (group !== undefined) return group.length === 0 ? name : `${name} (${group.map(named).join(", ")})`;
  return name === "" || name === address ? address : `${name} <${address}>`;
}
