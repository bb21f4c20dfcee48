/** Any Unicode character, for property tests. */
import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/** Like fast-check's `"binary"`, which takes 0.8 s in each process to build its table of all characters. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates })
  .map((point) => String.fromCodePoint(point < firstSurrogate ? point : point + surrogates));
