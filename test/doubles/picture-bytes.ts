/** Bytes that begin as pictures do, with a size in their headers. Nothing can draw them. */
export function pngBytes(width: number, height: number, lengthBytes = 64): Buffer {
  const bytes = Buffer.alloc(Math.max(lengthBytes, 33));
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
