/** Reads a PowerPoint presentation slide by slide, in the order in which it is shown, with the speaker's notes. */
import { posix } from "node:path";
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { type Archive, textIn } from "./archive.ts";
import type { Part, ReadDocument } from "./parts.ts";
import { readXml, relationsIn, tableMarkdown } from "./xml.ts";

const presentation = "ppt/presentation.xml";

/** Throws ReadFailure. */
export function readSlides(archive: Archive): ReadDocument {
  const slides = slidesIn(archive);
  const parts = slides.flatMap((path, index): readonly Part[] => {
    const notes = [...relationsOf(archive, path).values()].find(({ type }) => type.endsWith("/notesSlide"));
    const said =
      notes === undefined ? "" : shapesIn(textIn(archive, targetOf(path, notes.target)), (kind) => kind === "body");
    const shown = shapesIn(textIn(archive, path), (kind) => !furniture.includes(kind));
    const text = [shown, said === "" ? "" : documentSentences.notes(said)].filter((one) => one !== "").join("\n\n");
    return text === "" ? [] : [{ label: documentSentences.slide(index + 1), text }];
  });
  if (parts.length === 0) throw new ReadFailure("unreadable", documentSentences.noText);
  return { parts, size: { count: slides.length, unit: "slide" }, notes: [] };
}

/** The same on every slide. */
const furniture = ["dt", "ftr", "sldNum", "hdr"];

function slidesIn(archive: Archive): readonly string[] {
  const relations = relationsOf(archive, presentation);
  const slides = new Set<string>();
  readXml(textIn(archive, presentation), {
    open: (name, attributes) => {
      const found = name === "p:sldId" ? relations.get(attributes["r:id"] ?? "") : undefined;
      if (found !== undefined) slides.add(targetOf(presentation, found.target));
    },
    text: () => {},
    close: () => {},
  });
  return [...slides];
}

function relationsOf(archive: Archive, path: string) {
  return relationsIn(textIn(archive, `${posix.dirname(path)}/_rels/${posix.basename(path)}.rels`));
}

function targetOf(path: string, target: string): string {
  return target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(path), target);
}

/** The text of shapes whose kind is wanted: "title", "body", … or "" for one that is no placeholder. */
function shapesIn(xml: string, isWanted: (kind: string) => boolean): string {
  const blocks: string[] = [];
  let shape: string[] = [];
  let kind = "";
  let paragraph = "";
  let isText = false;
  /** For programs that don't know what stands before it: the same again. */
  let fallbacks = 0;
  let cell: string[] | undefined;
  let rows: string[][] = [];
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "mc:Fallback") fallbacks += 1;
      if (fallbacks > 0) return;
      if (name === "p:sp" || name === "p:graphicFrame") {
        shape = [];
        kind = "";
      } else if (name === "p:ph") kind = attributes["type"] ?? "body";
      else if (name === "a:p") paragraph = "";
      else if (name === "a:t") isText = true;
      else if (name === "a:br") paragraph += " ";
      else if (name === "a:tbl") rows = [];
      else if (name === "a:tr") rows.push([]);
      else if (name === "a:tc") cell = [];
    },
    text: (text) => {
      if (isText && fallbacks === 0) paragraph += text;
    },
    close: (name) => {
      if (name === "mc:Fallback") fallbacks -= 1;
      else if (fallbacks > 0) return;
      else if (name === "a:t") isText = false;
      else if (name === "a:p" && paragraph.trim() !== "") (cell ?? shape).push(paragraph.trim());
      else if (name === "a:tc") {
        rows.at(-1)?.push((cell ?? []).join(" "));
        cell = undefined;
      } else if (name === "a:tbl") shape.push(tableMarkdown(rows));
      else if ((name === "p:sp" || name === "p:graphicFrame") && isWanted(kind) && shape.length > 0) {
        const isTitle = kind === "title" || kind === "ctrTitle";
        blocks.push(isTitle ? `# ${shape.join(" ")}` : shape.join("\n\n"));
        shape = [];
      }
    },
  });
  return blocks.join("\n\n");
}
