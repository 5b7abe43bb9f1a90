import type { Hono } from 'hono';
import { parseVendor } from 'menu-client';
import type { Logger } from 'pino';
import { NOT_KEPT } from '../http/headers.ts';
import { PHOTO_ERRORS, PhotoError } from '../photos/photo-error.ts';
import type { PhotoProxy } from '../photos/photo-proxy.ts';
import { PHOTO_WIDTHS } from '../render/photo-path.ts';

const HEADERS = {
  'Content-Type': 'image/webp',
  'Cache-Control': 'public, max-age=2592000',
  // Nothing but this site's pages shows them, and nothing in them can run.
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-site',
};

function refuse(status: number): Response {
  const kept = { 'Cache-Control': 'public, max-age=60' };
  return new Response(null, { status, headers: status >= 500 ? NOT_KEPT : kept });
}

/** `/img/{vendor}/{width}/{address in base64url}`: a photo of an operator as WebP. */
export function mountPhotos(app: Hono, photos: PhotoProxy, logger: Logger): void {
  app.get('/img/:vendor/:width/:address', async (c) => {
    const vendor = parseVendor(c.req.param('vendor'));
    const width = PHOTO_WIDTHS.find((each) => String(each) === c.req.param('width'));
    const address = c.req.param('address');
    if (vendor === undefined || width === undefined || !/^[\w-]{1,2800}$/.test(address)) return refuse(404);
    try {
      const photo = await photos.get(vendor, width, Buffer.from(address, 'base64url').toString('utf8'));
      const headers = { ...HEADERS, ETag: photo.etag };
      if (c.req.header('if-none-match')?.includes(photo.etag))
        return new Response(null, { status: 304, headers });
      return new Response(c.req.method === 'HEAD' ? null : (photo.bytes as Uint8Array<ArrayBuffer>), {
        headers,
      });
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error;
      logger.debug({ err: error }, 'photo refused');
      return refuse(PHOTO_ERRORS[error.code].status);
    }
  });
}
