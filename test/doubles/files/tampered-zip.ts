/** Changes what an archive says of one of its files, in the list at its end and, for flags, before the file too. */

/** `size`: unpacked. `flags`: 1 for an encrypted file. `sameAs`: it has the bytes of that other file. */
type Lie = { readonly size?: number; readonly crc?: number; readonly flags?: number; readonly sameAs?: string };

export function tampered(archive: Buffer, name: string, { size, crc, flags, sameAs }: Lie): Buffer {
  const bytes = Buffer.from(archive);
  const at = placeOf(bytes, name);
  if (size !== undefined) bytes.writeUInt32LE(size, at + 24);
  if (crc !== undefined) bytes.writeUInt32LE(crc, at + 16);
  if (flags !== undefined) {
    bytes.writeUInt16LE(flags, at + 8);
    bytes.writeUInt16LE(flags, bytes.readUInt32LE(at + 42) + 6);
  }
  if (sameAs !== undefined) {
    const other = placeOf(bytes, sameAs);
    // Its method, checksum and sizes, and where it is.
    bytes.copy(bytes, at + 10, other + 10, other + 28);
    bytes.copy(bytes, at + 42, other + 42, other + 46);
  }
  return bytes;
}

/** Of its entry in the list. */
function placeOf(bytes: Buffer, name: string): number {
  for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 4)) {
    if (bytes.toString("latin1", at + 46, at + 46 + bytes.readUInt16LE(at + 28)) === name) return at;
  }
  throw new Error(`The archive has no ${name}.`);
}
