/**
 * Decodes a page's bytes to text. In the order of browsers: byte order mark, Content-Type, the page's own declaration,
 * unless the bytes show that it is wrong; then UTF-8 if most of its bytes are valid, else what is guessed, or
 * windows-1252, the web's old default.
 */
import { createUtf8Count, isMostlyUtf8 } from "../rows/utf8-count.ts";

const declaredInPage =
  /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.-]{1,40})/i;
/** As far as browsers look. */
const prescanBytes = 4_096;

export function decodeText(
  bytes: Uint8Array,
  contentType: string,
  guess: (bytes: Uint8Array) => string = () => "windows-1252",
): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  const labels = [labelIn(contentType), labelInPage(bytes)].filter((label) => label !== undefined);
  const declared = labels.flatMap((label) => decoder(label) ?? []).filter((one) => !isWrong(one.encoding, bytes))[0];
  if (declared !== undefined) return declared.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const count = createUtf8Count();
    count.add(bytes);
    // A truncated body may end inside a character: one invalid end doesn't make it another encoding.
    const text = new TextDecoder("utf-8").decode(bytes);
    const odd = text.split("\uFFFD").length - 1;
    return odd <= 1 && text.endsWith("\uFFFD")
      ? text.slice(0, -1)
      : isMostlyUtf8(count.found())
        ? text
        : new TextDecoder(guess(bytes)).decode(bytes);
  }
}

/** Fewer characters can be accidents. */
const minProof = 2;

/**
 * A server often names one encoding for all its pages. Text in UTF-8 is no other text by chance, and text that isn't has
 * far more invalid bytes than damage would leave. Where pages in Chinese, Japanese or Korean say what they are, they are
 * right: their pairs of bytes may look like UTF-8.
 */
function isWrong(encoding: string, bytes: Uint8Array): boolean {
  const isUtf8 = encoding === "utf-8";
  if (!isUtf8 && !/^(?:windows-|iso-8859-|koi8|macintosh|x-mac|ibm866)/.test(encoding)) return false;
  const counter = createUtf8Count();
  counter.add(bytes);
  const count = counter.found();
  if (isUtf8) return count.invalid >= minProof && !isMostlyUtf8(count);
  return count.invalid === 0 && count.valid >= minProof;
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function labelIn(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1];
}

function labelInPage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, prescanBytes)).toString("latin1");
  const found = declaredInPage.exec(head);
  const label = found?.[1] ?? found?.[2];
  // A page that was searched byte by byte can't be UTF-16, whatever it declares.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** Undefined for an unknown label. */
function decoder(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
