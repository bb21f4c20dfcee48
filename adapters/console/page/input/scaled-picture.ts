/** Scales large pictures down before they are uploaded: models look at no more, and phones take larger ones. */

/** Wide or high, in pixels: as other platforms' smaller copies. */
const maxSide = 2_048;
const maxQuality = 0.9;

/** An animation would lose its movement, and a drawing (SVG) is refused anyway. */
export function mayBeScaled({ type }: Pick<File, "type">): boolean {
  return /^image\/(?:png|jpeg|webp)$/.test(type);
}

/** The file itself if it is small, or the browser can't read it: then the server says what is wrong with it. */
export async function scaledPicture(file: File): Promise<File> {
  if (!mayBeScaled(file)) return file;
  try {
    const picture = await createImageBitmap(file);
    const share = maxSide / Math.max(picture.width, picture.height);
    if (share >= 1) return file;
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.floor(picture.width * share)),
      Math.max(1, Math.floor(picture.height * share)),
    );
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const scaled = await canvas.convertToBlob({ type: file.type, quality: maxQuality });
    return new File([scaled], file.name, { type: scaled.type });
  } catch {
    return file;
  }
}
