/** Reads XML as a stream of its elements. Entities that a document declares itself are never expanded. */
import { Parser } from "htmlparser2";

export type XmlHandlers = {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

const pieceChars = 64 * 1024;

export function readXml(xml: string, { open, text, close }: XmlHandlers): void {
  const parser = new Parser({ onopentag: open, ontext: text, onclosetag: close }, { xmlMode: true });
  for (let at = 0; at < xml.length; at += pieceChars) parser.write(xml.slice(at, at + pieceChars));
  parser.end();
}

/** Names by their ids, of a file of relations in an Office document. */
export function relationsIn(xml: string): ReadonlyMap<string, { readonly target: string; readonly type: string }> {
  const relations = new Map<string, { readonly target: string; readonly type: string }>();
  readXml(xml, {
    open: (name, { Id = "", Target = "", Type = "" }) => {
      if (name === "Relationship") relations.set(Id, { target: Target, type: Type });
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
