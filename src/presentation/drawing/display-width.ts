/** Measures and wraps fixed-width text: emoji and full-width characters take two columns, marks none. */

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** East Asian Wide and Fullwidth, as ranges that cover the scripts in use. */
const wide =
  /^[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]/u;

/** Characters that may take no column of their own, or join with their neighbours. */
const joins =
  /[\p{Mark}\p{Control}\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]/u;

export function displayWidth(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  if (!joins.test(text)) return widthOfSingles(text);
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** For text without clusters: looking for clusters takes ten times as long. */
function widthOfSingles(text: string): number {
  let width = 0;
  for (const character of text) width += character.charCodeAt(0) >= 0x1100 && wide.test(character) ? 2 : 1;
  return width;
}

/** Lines of at most `width` columns, broken at spaces where possible. At least one line; only spaces at the breaks are lost. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let lineWidth = 0;
  const push = () => {
    lines.push(line.trimEnd());
    line = "";
    lineWidth = 0;
  };
  for (const word of text.match(/\S+|\s+/g) ?? []) {
    const wordWidth = displayWidth(word);
    if (lineWidth + wordWidth <= width) {
      line += word;
      lineWidth += wordWidth;
      continue;
    }
    if (line.trim() !== "") push();
    if (word.trim() === "") continue;
    line = "";
    lineWidth = 0;
    for (const { segment } of graphemes.segment(word)) {
      const segmentWidth = graphemeWidth(segment);
      if (lineWidth + segmentWidth > width && line !== "") push();
      line += segment;
      lineWidth += segmentWidth;
    }
  }
  if (line.trim() !== "" || lines.length === 0) push();
  return lines;
}

function graphemeWidth(segment: string): number {
  if (/^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u.test(segment)) return 0;
  return wide.test(segment) || /^\p{Emoji_Presentation}|\uFE0F/u.test(segment) ? 2 : 1;
}

/** Cut to `width` columns with "…", never inside a character. */
export function shortenToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = graphemeWidth(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept.trimEnd()}…`;
}
