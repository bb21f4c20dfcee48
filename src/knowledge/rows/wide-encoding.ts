/**
 * Recognises UTF-16 without a byte order mark. In one order of its bytes such text has spaces, line ends or full stops,
 * and letters of scripts that people write.
 */

/** Text has hardly any others; bytes of other encodings taken in pairs have many. */
const minUsualShare = 0.95;
/** None of them can be a pair of bytes of text in another encoding, which has no control characters. */
const mark = /[\t\r\n ,;.\u3000-\u3002\uFF0C]/g;
/** Latin to Arabic, India to Thailand, punctuation, Japanese, Chinese, Korean, wide forms. */
const usual =
  /[\t\r\n\u0020-\u007E\u00A0-\u06FF\u0900-\u0E7F\u1E00-\u1FFF\u2010-\u20BF\u3000-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3\uFF00-\uFFEF]/g;

/** The label of TextDecoder, or undefined for everything else. */
export function wideEncodingOf(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [little, big] = (["utf-16le", "utf-16be"] as const).map((label) => {
    const text = new TextDecoder(label).decode(bytes);
    const isUsual = count(text, usual) >= text.length * minUsualShare;
    return { label, marks: isUsual ? count(text, mark) : 0 };
  });
  if (little === undefined || big === undefined || little.marks === big.marks) return undefined;
  return little.marks > big.marks ? little.label : big.label;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
