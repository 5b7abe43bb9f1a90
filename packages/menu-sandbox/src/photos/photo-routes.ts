import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { seoulDate, seoulHour } from '../seeded/calendar.ts';
import { hashKeys } from '../seeded/random.ts';
import type { SandboxContext, SandboxEnv } from '../traffic/context.ts';
import type { OperatorStats } from '../traffic/stats.ts';
import { renderPhoto, renderPlaceholder } from './render-photo.ts';

const FILE = /^([\w-]{1,100})\.png$/;
/** Date, restaurant, meal and course, as the kitchen names photos. */
const DATED = /^(\d{8})-.*-([^-]+)-[^-]+$/;

/** In recordings photos come untyped in two spellings. */
const UNTYPED = ['application/octet-stream', 'binary/octet-stream'] as const;

/** When photos of the day appear in Seoul: those of dinner and later meals in the afternoon. */
const PHOTOS_AT_HOUR = { lunch: 11, dinner: 17 } as const;

/** `/{name}.png` and `/thumb/{name}.png`: every name has a photo; in recordings, at first a placeholder. */
export function photoRoutes(
  { seed, recorded, clock }: Pick<SandboxContext, 'seed' | 'recorded' | 'clock'>,
  stats: OperatorStats,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().get('/:file', serve('full')).get('/thumb/:file', serve('thumb'));

  function serve(size: 'full' | 'thumb') {
    return (c: { req: { param(name: 'file'): string; header(name: string): string | undefined } }) => {
      const [, name] = FILE.exec(c.req.param('file')) ?? [];
      if (name === undefined) return new Response('Not Found', { status: 404 });
      stats.photos += 1;
      const bytes =
        recorded && !isThere(name, clock()) ? renderPlaceholder(size) : renderPhoto(seed, name, size);
      const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
      const headers = {
        'content-type': recorded ? (UNTYPED[hashKeys(name) % UNTYPED.length] ?? '') : 'image/png',
        'cache-control': 'public, max-age=86400',
        etag,
      };
      if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers });
      return new Response(bytes, { headers });
    };
  }
}

function isThere(name: string, nowMs: number): boolean {
  const [, date = '', meal = ''] = DATED.exec(name) ?? [];
  const today = seoulDate(nowMs);
  if (date === '' || date < today) return true;
  const fromHour = meal === '1' || meal === '2' ? PHOTOS_AT_HOUR.lunch : PHOTOS_AT_HOUR.dinner;
  return date === today && seoulHour(nowMs) >= fromHour;
}
