import { Hono } from 'hono';
import type { SandboxEnv } from '../traffic/context.ts';
import type { OperatorStats } from '../traffic/stats.ts';
import { renderPhoto } from './render-photo.ts';

const FILE = /^([\w-]{1,100})\.png$/;

/** `/{name}.png` and `/thumb/{name}.png`: every name has a photo. */
export function photoRoutes(seed: string, stats: OperatorStats): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().get('/:file', serve('full')).get('/thumb/:file', serve('thumb'));

  function serve(size: 'full' | 'thumb') {
    return (c: { req: { param(name: 'file'): string } }) => {
      const [, name] = FILE.exec(c.req.param('file')) ?? [];
      if (name === undefined) return new Response('Not Found', { status: 404 });
      stats.photos += 1;
      return new Response(renderPhoto(seed, name, size), {
        headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' },
      });
    };
  }
}
