/** Writes small PDFs for tests: text at places, in Helvetica. Nothing is compressed, so a test can look into it. */

export type PdfLine = {
  readonly text: string;
  /** In points from the left. Default: 72. */
  readonly x?: number;
  /** In points from the bottom. */
  readonly y: number;
  /** Default: 11. */
  readonly size?: number;
};

/** A page without lines is one that was scanned: it has a picture's place, and no text. */
export type PdfPage = readonly PdfLine[];

export type PdfBlock =
  | { readonly heading: string; readonly level?: 1 | 2 }
  | { readonly text: string }
  | { readonly table: readonly (readonly string[])[] };

/** Lays headings, paragraphs and tables out from the top of a page of 595 by 842 points. */
export function pageOf(blocks: readonly PdfBlock[]): PdfPage {
  const lines: PdfLine[] = [];
  let y = 780;
  for (const block of blocks) {
    if ("heading" in block) {
      const size = block.level === 2 ? 15 : 20;
      lines.push({ text: block.heading, y, size });
      y -= size + 14;
    } else if ("text" in block) {
      for (const text of wrapped(block.text)) {
        lines.push({ text, y });
        y -= 14;
      }
      y -= 12;
    } else {
      for (const cells of block.table) {
        lines.push(...cells.map((text, column) => ({ text, x: 72 + column * 120, y })));
        y -= 18;
      }
      y -= 12;
    }
  }
  return lines;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 80) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** `font`: the dictionary of the font of every page. `trailer`: more entries of the trailer. */
export function pdfOf(
  pages: readonly PdfPage[],
  options: {
    readonly font?: string;
    readonly trailer?: string;
    /** More objects, from number 4 on. */
    readonly objects?: readonly string[];
  } = {},
): Buffer {
  const { font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>", objects = [] } = options;
  const first = 4 + objects.length;
  const kids = pages.map((_page, index) => `${first + index * 2} 0 R`).join(" ");
  const all = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>>>`,
    font,
    ...objects,
    ...pages.flatMap((page, index) => {
      const content = page.map(drawn).join("\n");
      return [
        `<</Type/Page/Parent 2 0 R/Contents ${first + index * 2 + 1} 0 R>>`,
        `<</Length ${Buffer.byteLength(content, "latin1")}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let written = "%PDF-1.7\n";
  const offsets = all.map((object, index) => {
    const at = written.length;
    written += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<</Size ${all.length + 1}/Root 1 0 R${options.trailer ?? ""}>>`;
  return Buffer.from(`${written}${table}${trailer}\nstartxref\n${written.length}\n%%EOF`, "latin1");
}

function drawn({ text, x = 72, y, size = 11 }: PdfLine): string {
  return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;
}
