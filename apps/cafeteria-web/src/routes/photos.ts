import type { Context, Hono } from 'hono';
import { MenuError, type MenuService, parseCompactDate, parseVendor, type Vendor } from 'menu-client';
import type { Logger } from 'pino';
import { NOT_KEPT } from '../answers/http/headers.ts';
import { hasUnread } from '../domain/day/day-view.ts';
import { PHOTO_ERRORS, PhotoError } from '../photos/photo-error.ts';
import type { PhotoProxy } from '../photos/photo-proxy.ts';
import { PHOTO_WIDTHS, type PhotoFormat, type PhotoWidth } from '../photos/photo-variant.ts';

const HEADERS = {
  // Nothing in them can run.
  'Content-Security-Policy': "default-src 'none'",
};

/** An address with the version of its bytes always has these; without one, another photo may be at it in a moment. */
const FOREVER = { 'Cache-Control': 'public, max-age=2592000, immutable' };
const FOR_NOW = { 'Cache-Control': 'public, max-age=300' };

/** Only this site's pages show them. */
const OURS = { 'Content-Type': 'image/webp', 'Cross-Origin-Resource-Policy': 'same-site' };
/** Chats show them in frames of other sites; JPEG is what all of them can. */
const ELSEWHERE = { 'Content-Type': 'image/jpeg', 'Cross-Origin-Resource-Policy': 'cross-origin' };

function refuse(status: number): Response {
  const kept = { 'Cache-Control': 'public, max-age=60' };
  return new Response(null, { status, headers: status >= 500 ? NOT_KEPT : kept });
}

interface Parts {
  readonly photos: PhotoProxy;
  readonly service: MenuService;
  readonly logger: Logger;
}

const widthOf = (text: string | undefined): PhotoWidth | undefined =>
  PHOTO_WIDTHS.find((each) => String(each) === text);

/**
 * `/img/{vendor}/{width}/{address in base64url}`: photos of an operator as WebP, for this site's pages;
 * `/img/{vendor}/{restaurant}/{date}/{menu}.jpg`: the same as JPEG, for others.
 */
export function mountPhotos(app: Hono, { photos, service, logger }: Parts): void {
  const send = async (
    c: Context,
    vendor: Vendor,
    width: PhotoWidth,
    address: string,
    format: PhotoFormat,
  ): Promise<Response> => {
    try {
      const { bytes, version } = await photos.get(vendor, width, address, format);
      const etag = `"${version}"`;
      const headers = {
        ...HEADERS,
        ...(format === 'webp' ? OURS : ELSEWHERE),
        ...(c.req.query('v') === version ? FOREVER : FOR_NOW),
        ETag: etag,
      };
      if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers });
      return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { headers });
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error;
      logger.debug({ err: error }, 'photo refused');
      return refuse(PHOTO_ERRORS[error.code].status);
    }
  };

  app.get('/img/:vendor/:width/:address', async (c) => {
    const vendor = parseVendor(c.req.param('vendor'));
    const width = widthOf(c.req.param('width'));
    const address = c.req.param('address');
    if (vendor === undefined || width === undefined || !/^[\w-]{1,2800}$/.test(address)) return refuse(404);
    return send(c, vendor, width, Buffer.from(address, 'base64url').toString('utf8'), 'webp');
  });

  app.get('/img/:vendor/:id/:date/:menu', async (c) => {
    const vendor = parseVendor(c.req.param('vendor'));
    const date = parseCompactDate(c.req.param('date'));
    const width = widthOf(c.req.query('width') ?? '480');
    if (vendor === undefined || date === undefined || width === undefined) return refuse(404);
    const day = await service.dailyMenu(vendor, c.req.param('id'), date).catch((error: unknown) => {
      if (error instanceof MenuError && !error.retryable) return undefined;
      throw error;
    });
    // Addresses that were handed out before had no suffix.
    const menu = c.req.param('menu').replace(/\.jpg$/, '');
    const photo = day?.periods.flatMap(({ menus }) => menus).find(({ id }) => id === menu)?.photo;
    if (photo !== undefined) return send(c, vendor, width, photo.url, 'jpeg');
    // The menu may be in a meal that is not read: nobody is to remember that it has no photo.
    return refuse(day !== undefined && hasUnread([day]) ? 503 : 404);
  });
}
