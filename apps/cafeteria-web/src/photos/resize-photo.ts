import sharp from 'sharp';
import type { PhotoWidth } from '../render/photo-path.ts';
import { PhotoError } from './photo-error.ts';

// Only raster decoders stay on in sharp: nothing fetched may reach an SVG or PDF parser.
sharp.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });
sharp.concurrency(1);
sharp.cache(false);

const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
const MAX_PIXELS = 40_000_000;

/**
 * The photo as WebP, turned upright, at most `width` pixels wide, without metadata.
 *
 * @throws PhotoError `not_a_photo`
 */
export async function resizePhoto(bytes: Buffer, width: PhotoWidth): Promise<Buffer> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new PhotoError('not_a_photo', `${format} is not a photo`);
    return await image.rotate().resize({ width, withoutEnlargement: true }).webp({ quality: 76 }).toBuffer();
  } catch (error) {
    if (error instanceof PhotoError) throw error;
    throw new PhotoError('not_a_photo', 'the bytes are not a photo');
  }
}
