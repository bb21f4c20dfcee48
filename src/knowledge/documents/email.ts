/** Reads an e-mail: who wrote it to whom and when, its subject and its text. Its attachments are named. */
import PostalMime from "postal-mime";
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { markdownOfHtml } from "./html-part.ts";
import type { ReadDocument } from "./parts.ts";

type Address = { readonly name?: string | undefined; readonly address?: string | undefined };

/** Throws ReadFailure. */
export async function readEmail(bytes: Uint8Array): Promise<ReadDocument> {
  const mail = await PostalMime.parse(bytes).catch((thrown) => {
    throw new ReadFailure("unreadable", documentSentences.damaged("e-mail"), thrown);
  });
  const { subject = "", from, to = [], date, text = "", html = "", attachments } = mail;
  const body = text.trim() === "" ? markdownOfHtml(html) : text.trim();
  if (body === "") throw new ReadFailure("unreadable", documentSentences.noText);
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const lines = [
    from === undefined ? "" : `From: ${named(from)}`,
    to.length === 0 ? "" : `To: ${to.map(named).join(", ")}`,
    date === undefined ? "" : `Date: ${date}`,
  ];
  const head = lines.filter((line) => line !== "").join("\n");
  const content = [subject === "" ? "" : `# ${subject}`, head, body].filter((one) => one !== "").join("\n\n");
  return {
    parts: [{ label: "", text: content }],
    notes: names.length === 0 ? [] : [documentSentences.attachments(names)],
  };
}

function named({ name = "", address = "" }: Address): string {
  return name === "" || name === address ? address : `${name} <${address}>`;
}
