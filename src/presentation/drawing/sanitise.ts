/**
 * Makes foreign text safe to show on any platform. Text from an agent, a document or a person must not change the text
 * direction, hide characters, load a picture or disguise one URL as another. Pings are platform markup: each adapter
 * handles its own.
 */

/**
 * Invisible characters that change how text is shown: C0 and C1 except tab and line ends, soft hyphen, bidi marks,
 * embeddings and isolates, word joiners, interlinear marks, tags, fillers. Joiners (ZWNJ, ZWJ) depend on their
 * neighbours, variation selectors on what they follow.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /\u034F|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}]/gu;

/** One variation selector chooses a glyph; several in a row can carry hidden bytes. */
const selectors = /([\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+/gu;

/** Flags of regions (England, Scotland, …) are a black flag and tag letters; anywhere else tags are hidden text. */
const tagsOutsideFlags = /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,7}\u{E007F})|[\u{E0020}-\u{E007F}]/gu;

/** A joiner stays between the parts of an emoji, and between letters of scripts that need it. */
const joiner = /[\u200C\u200D]+/gu;
const beforeJoiner =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}])$/u;
const afterJoiner =
  /^(?:\p{Extended_Pictographic}|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}])/u;

/** Removes bidi and invisible controls, lone surrogates and carriage returns before line ends. Idempotent. */
export function cleanText(text: string): string {
  if (/^[\n\t\x20-\x7E]*$/.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .replace(tagsOutsideFlags, (_tag, flag: string | undefined) => flag ?? "")
    .replace(joiner, (run, at: number, whole: string) => {
      const before = whole.slice(Math.max(0, at - 2), at);
      const after = whole.slice(at + run.length, at + run.length + 2);
      return beforeJoiner.test(before) && afterJoiner.test(after) ? run.slice(0, 1) : "";
    })
    .replace(selectors, "$1");
}

/** A link that is safe to show. Without `url` it is plain text. */
export type SafeLink = { readonly label: string; readonly url?: string };

/** A link to http, https or mailto. If the label looks like another URL, the real one is shown beside it. */
export function safeLink(label: string, address: string): SafeLink {
  const url = safeUrl(address);
  const shown = maskLabel(label);
  if (url === undefined) return { label: shown === "" ? cleanText(address) : `${shown} (${cleanText(address)})` };
  if (shown === "") return { label: url, url };
  return isForgedLabel(shown, url) ? { label: `${shown} (${url})`, url } : { label: shown, url };
}

/** The URL in linkable form: percent-encoded, its host in ASCII. Undefined when it must not be linked. */
export function safeUrl(address: string): string | undefined {
  const trimmed = cleanText(address).trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  if (!["http:", "https:", "mailto:"].includes(url.protocol)) return undefined;
  // user:password@ stands where people expect the host.
  if (url.username !== "" || url.password !== "") return undefined;
  return url.href;
}

/** True when the label looks like another URL or host than the link's own. */
export function isForgedLabel(label: string, url: string): boolean {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const claimed = addressesIn(label, target);
  if (claimed.length === 0) return false;
  if (target === undefined) return true;
  return claimed.some((claim) => {
    if (target.protocol === "mailto:") return claim.host !== target.pathname.split("@").at(-1)?.toLowerCase();
    return bareHost(claim.host) !== bareHost(target.hostname);
  });
}

/**
 * Breaks forged links inside code, in case a platform parses the text around it differently and doesn't see code. A `](`
 * without its own label could end a label that began before the code, so it is broken too. `arr[0](x)` is left alone.
 * Linear.
 */
export function breakForgedCode(code: string, breaker: string): string {
  const [first = "", ...rest] = code.split("](");
  let made = first;
  let before = first;
  for (const piece of rest) {
    const labelAt = before.lastIndexOf("[") + 1;
    const hasLabel = labelAt > before.lastIndexOf("]") + 1;
    const isForged = hasLabel ? addressesIn(before.slice(labelAt)).length > 0 : mayBeUrl.test(piece.trimStart());
    made += `${isForged ? `]${breaker}(` : "]("}${piece}`;
    before = piece;
  }
  return made;
}

/** Could be the target of a link; a name or a number, as in `f[a[0]](x)`, could not. */
const mayBeUrl = /^[^\s)]*[.:/&\\]/;

const named: Readonly<Record<string, string>> = { amp: "&", period: ".", colon: ":", sol: "/", commat: "@", num: "#" };

/** Decodes the entities of a label, nested ones too, and breaks those that are left. */
export function withoutEntities(label: string): string {
  let undone = label;
  for (let times = 0; times < 5 && undone.includes("&"); times += 1) {
    undone = undone
      .replace(/&(amp|period|colon|sol|commat|num);/g, (_, name: string) => named[name] ?? "")
      .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0x10ffff ? "" : cleanText(String.fromCodePoint(code));
      });
  }
  return undone.replace(/&(?=#|\w{1,31};)/g, "& ");
}

/** Turns line ends, spaces of every kind and invisible characters into single spaces. */
export function maskLabel(label: string): string {
  return cleanText(label)
    .replace(/[\u200C\u200D]/g, "")
    .replace(/[\s\u2800\u3000]+/g, " ")
    .trim();
}

/**
 * The hosts named in a text, after NFKC, so that full-width and look-alike dots count. Without a scheme a known ending is
 * needed. `target`: where the link leads.
 */
function addressesIn(label: string, target?: URL): readonly { readonly host: string }[] {
  const plain = label
    .normalize("NFKC")
    .replace(/[。．｡․܁܂꘎ꓸ٠۰\u{1D16D}\u{10A50}]/gu, ".")
    .toLowerCase();
  // The part before the "@" of a mail address is a name.
  const read = target?.protocol === "mailto:" ? plain.replace(/(?<![^\s@])[^\s@]{1,100}@/g, "@") : plain;
  const found = read.match(
    /[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#<>()[\]"']+|(?<!\d|\d\.)(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,10}(?:\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(?![._]?[\p{L}\p{N}])/gu,
  );
  return (found ?? [])
    .filter((claim) => claim.includes("://") || !isFileName(claim, plain, target))
    .map((claim) => ({ host: hostOf(claim) }));
}

/** "server.js" is a file. "notes.md" is one only if the link ends in it: .md is also a country's domain. */
function isFileName(claim: string, label: string, target: URL | undefined): boolean {
  if (label.includes(`${claim}/`) || claim.split(".").length !== 2) return false;
  if (/\.(js|ts|cs|txt|json|csv|pdf|html?|ya?ml|tsx?|jsx?|sql|toml|xml|png|jpe?g)$/.test(claim)) return true;
  if (!/\.(md|py|rs|sh|pl|ps|cc|so)$/.test(claim)) return false;
  return target === undefined || target.pathname.toLowerCase().endsWith(`/${encodeURI(claim).toLowerCase()}`);
}

function hostOf(claim: string): string {
  const withScheme = claim.includes("://") ? claim.replace(/^[a-z][a-z\d+.-]*:/, "https:") : `https://${claim}`;
  return URL.canParse(withScheme) ? new URL(withScheme).hostname : claim;
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/^www\./, "");
}
