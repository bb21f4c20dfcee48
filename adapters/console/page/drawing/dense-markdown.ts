/**
 * Says which Markdown the page's parser would take too long for. `marked` 18 compares the marks of a block with each
 * other: 100 kB of `_a` took it 40 s, of `a` and `-` in turns 19 s, and many nested quotes or lists end it. No answer that is
 * meant to be read has so many.
 */

const maxMarks = 1_000;
const maxRules = 500;
const maxColumns = 500;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Fifty quotes or lists in each other, or a list indented as far as fifty. */
const isNestedTooDeep = (line: string) =>
  /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){50}|^[ \t]{100,}(?:[-*+]|\d+[.)]) /.test(line);

/** Before an "@", each of these could begin an address of mail: 50 kB of `a` and an "@" took 5 s. */
const endsAsAddress = (text: string) => /^[\w.!#$%&'*+/=?^`{|}~-]{1000}$/.test(text.slice(-1_000));

/** Where marks are no longer compared with those before: at an empty line, an item of a list, and a row of a table. */
const pieceEnd = /\n(?=[ \t]*(?:\n|[-*+] |\d+[.)] |\|))/;

/** Stand-ins for the marks of code: characters that no text may contain. The parser compares none of them. */
const codeMarks = "*_~`[]<!|>-+=.)";
const firstStandIn = 0xfdd0;
const standIns = /[\ufdd0-\ufdef]/g;

/** A fence, also one in a list or a quote. */
function fenceIn(line: string): string | undefined {
  const [all = "", fence] = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})/.exec(line) ?? [];
  return fence?.startsWith("`") && line.includes("`", all.length) ? undefined : fence;
}
const endsFence = (line: string, fence: string) => {
  const marks = line.replace(/^[ \t>]+/, "").trimEnd();
  return marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length);
};

/**
 * The text with stand-ins for the marks in fenced code, which doesn't count: a long query has more than a thousand. Where
 * the parser sees no fence, marks stay text; none of them reaches it uncounted.
 */
export function hideCodeMarks(text: string): string {
  let fence: string | undefined;
  return text
    .replace(standIns, "\ufffd")
    .split("\n")
    .map((line) => {
      if (fence === undefined) {
        fence = fenceIn(line);
        return line;
      }
      if (!endsFence(line, fence)) {
        return line.replace(/[*_~`[\]<!|>\-+=.)]/g, (mark) =>
          String.fromCharCode(firstStandIn + codeMarks.indexOf(mark)),
        );
      }
      fence = undefined;
      return line;
    })
    .join("\n");
}

/** `write` puts a mark into HTML. */
export function showCodeMarks(html: string, write: (mark: string) => string): string {
  return html.replace(standIns, (standIn) => write(codeMarks.charAt(standIn.charCodeAt(0) - firstStandIn)));
}

/** Whether one block has more marks than a reader would ever see. */
export function isTooDense(text: string): boolean {
  return (
    text.split(pieceEnd).some((piece) => count(piece, /[*_~`[\]<!]|www\.|:\/\//g) > maxMarks) ||
    text.split(/\n[ \t]*\n/).some((block) => count(block, /^[ \t]*[-=_*]+[ \t]*$/gm) > maxRules) ||
    text.split("@").slice(0, -1).some(endsAsAddress) ||
    text.split("\n").some((line) => count(line, /\|/g) > maxColumns || isNestedTooDeep(line))
  );
}
