import type { Context, Hono } from 'hono';
import { MenuError, type MenuService, parseCompactDate, parseVendor, type Vendor } from 'menu-client';
import type { Logger } from 'pino';
import { NOT_KEPT } from '../http/headers.ts';
import { PHOTO_ERRORS, PhotoError } from '../photos/photo-error.ts';
import type { PhotoProxy } from '../photos/photo-proxy.ts';
import { PHOTO_WIDTHS, type PhotoWidth } from '../render/photo-path.ts';

const HEADERS = {
  'Content-Type': 'image/webp',
  'Cache-Control': 'public, max-age=2592000',
  // Only this site's pages show them, and nothing in them can run.
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-site',
};

// The photo of a menu may change, and chats show it in frames of other sites.
const ELSEWHERE = {
  ...HEADERS,
  'Cache-Control': 'public, max-age=3600',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function refuse(status: number): Response {
  const kept = { 'Cache-Control': 'public, max-age=60' };
  return new Response(null, { status, headers: status >= 500 ? NOT_KEPT : kept });
}

interface Parts {
  readonly photos: PhotoProxy;
  readonly service: MenuService;
  readonly logger: Logger;
}

/** `/img/{vendor}/{width}/{address in base64url}` and `/img/{vendor}/{restaurant}/{date}/{menu}`: photos of an operator as WebP. */
export function mountPhotos(app: Hono, { photos, service, logger }: Parts): void {
  const send = async (
    c: Context,
    vendor: Vendor,
    width: PhotoWidth,
    address: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> => {
    try {
      const photo = await photos.get(vendor, width, address);
      const all = { ...headers, ETag: photo.etag };
      if (c.req.header('if-none-match')?.includes(photo.etag))
        return new Response(null, { status: 304, headers: all });
      return new Response(c.req.method === 'HEAD' ? null : (photo.bytes as Uint8Array<ArrayBuffer>), {
        headers: all,
      });
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error;
      logger.debug({ err: error }, 'photo refused');
      return refuse(PHOTO_ERRORS[error.code].status);
    }
  };

  app.get('/img/:vendor/:width/:address', async (c) => {
    const vendor = parseVendor(c.req.param('vendor'));
    const width = PHOTO_WIDTHS.find((each) => String(each) === c.req.param('width'));
    const address = c.req.param('address');
    if (vendor === undefined || width === undefined || !/^[\w-]{1,2800}$/.test(address)) return refuse(404);
    return send(c, vendor, width, Buffer.from(address, 'base64url').toString('utf8'), HEADERS);
  });

  app.get('/img/:vendor/:id/:date/:menu', async (c) => {
    const vendor = parseVendor(c.req.param('vendor'));
    const date = parseCompactDate(c.req.param('date'));
    if (vendor === undefined || date === undefined) return refuse(404);
    const day = await service.dailyMenu(vendor, c.req.param('id'), date).catch((error: unknown) => {
      if (error instanceof MenuError && error.code !== 'too_many_readings') return undefined;
      throw error;
    });
    const photo = day?.periods
      .flatMap(({ menus }) => menus)
      .find(({ id }) => id === c.req.param('menu'))?.photo;
    return photo === undefined ? refuse(404) : send(c, vendor, 480, photo.url, ELSEWHERE);
  });
}
