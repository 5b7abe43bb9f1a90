import sharp from 'sharp';

const SIDE = 48;
/** Of 255: paper, not food. */
const PALE = 228;
const MIN_PALE_SHARE = 0.96;

/**
 * True for a picture that shows nothing: nearly white, or transparent, but for a pale or small mark. Operators show such
 * placeholders until the photo is there, at the same address.
 */
export async function isNearlyWhite(bytes: Buffer, limitInputPixels: number): Promise<boolean> {
  const pixels = await sharp(bytes, { limitInputPixels, failOn: 'error' })
    .flatten({ background: '#fff' })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  const pale = pixels.reduce((count, light) => count + (light >= PALE ? 1 : 0), 0);
  return pale >= pixels.length * MIN_PALE_SHARE;
}
