/** What says that something may be a document which Parley reads: its name, its media type, its first bytes. */

const pattern = /\.(?:pdf|docx|xlsx|pptx|odt|ods|odp|eml)$/i;

export function isDocumentName(name: string): boolean {
  return pattern.test(name);
}

export const documentTypes =
  /^(?:application\/(?:pdf|x-pdf|vnd\.openxmlformats-officedocument\.[\w.-]+|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))|message\/rfc822)\b/i;

/** Other bytes may stand before the mark of a PDF. */
export const startBytes = 1_024;

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, startBytes)).includes("%PDF-");
}

export function isPacked(bytes: Uint8Array): boolean {
  return beginsWith(bytes, [0x50, 0x4b, 0x03, 0x04]);
}

/** The container of older Office documents, and of those with a password. */
export function isOldOffice(bytes: Uint8Array): boolean {
  return beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]);
}

/** For Windows or Linux. */
export function isProgram(bytes: Uint8Array): boolean {
  return beginsWith(bytes, [0x4d, 0x5a]) || beginsWith(bytes, [0x7f, 0x45, 0x4c, 0x46]);
}

export function isEmail(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, startBytes)).toString("latin1").slice(emailStart(bytes));
  return firstHeader.test(start) && (knownHeader.test(start) || startHeader.test(start));
}

/** Where its headers begin: an e-mail of a mailbox has a line "From ann@example.com Mon Mar  2 2026" before them. */
export function emailStart(bytes: Uint8Array): number {
  const start = Buffer.from(bytes.subarray(0, startBytes)).toString("latin1");
  return /^(?:\xEF\xBB\xBF)?\s*(?:From [^\n]*\n)?/.exec(start)?.[0].length ?? 0;
}

const firstHeader = /^[\w-]+:[ \t]/;
const knownHeader = /^(?:from|date|received|return-path|message-id):[ \t]/im;
/** A long one can fill all that is looked at. */
const startHeader =
  /^(?:to|cc|subject|reply-to|mime-version|delivered-to|content-type|(?:arc|dkim)-[\w-]+|authentication-results|x-[\w-]+):/i;

/** For what its server doesn't name. */
export function isDocument(start: Uint8Array): boolean {
  return isPdf(start) || isPacked(start);
}

function beginsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
