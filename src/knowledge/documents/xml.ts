/** Reads XML as a stream of its elements. Entities that a document declares itself are never expanded. */
import { Parser } from "htmlparser2";
import { contentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type XmlHandlers = {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

const pieceChars = 64 * 1024;
/** Elements in each other. No program writes a hundred, and the parser takes the square of their number. */
const maxDepth = 1_000;

/** Throws ReadFailure. */
export function readXml(xml: string, { open, text, close }: XmlHandlers): void {
  let depth = 0;
  const handlers = {
    onopentag: (name: string, attributes: Readonly<Record<string, string>>) => {
      depth += 1;
      if (depth > maxDepth) throw new ReadFailure("unreadable", contentSentences.tooComplex);
      open(name, attributes);
    },
    ontext: text,
    onclosetag: (name: string) => {
      depth -= 1;
      close(name);
    },
  };
  const parser = new Parser(handlers, { xmlMode: true });
  for (let at = 0; at < xml.length; at += pieceChars) parser.write(xml.slice(at, at + pieceChars));
  parser.end();
}

/** Without the prefix, which each program may choose. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Names by their ids, of a file of relations in an Office document. */
export function relationsIn(xml: string): ReadonlyMap<string, { readonly target: string; readonly type: string }> {
  const relations = new Map<string, { readonly target: string; readonly type: string }>();
  readXml(xml, {
    open: (name, { Id = "", Target = "", Type = "" }) => {
      if (localName(name) === "Relationship") relations.set(Id, { target: Target, type: Type });
    },
    text: () => {},
    close: () => {},
  });
  return relations;
}

/** As Markdown; "" without rows. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (width === 0) return "";
  const [head = "", ...body] = rows.map((cells) => {
    const whole = Array.from({ length: width }, (_none, index) =>
      (cells[index] ?? "").replace(/\s+/g, " ").replaceAll("|", "\\|").trim(),
    );
    return `| ${whole.join(" | ")} |`;
  });
  return [head, `|${" --- |".repeat(width)}`, ...body].join("\n");
}
