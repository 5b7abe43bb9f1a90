/** The peer: a bare Hono handler that sends bytes it was given; asks `PEER_OF` for them at `/load`. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const kept = new Map<
  string,
  { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> }
>();
let standIn: { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> } | undefined;

function get(path: string): Response {
  const found = kept.get(path) ?? standIn;
  return found === undefined
    ? new Response(null, { status: 404 })
    : new Response(found.body, { headers: found.headers });
}

const app = new Hono();
app.post('/load', async (c) => {
  const { path, type, encoding } = c.req.query();
  const body = new Uint8Array(await c.req.arrayBuffer());
  const headers: Record<string, string> = {
    'Content-Type': type ?? '',
    'Content-Length': String(body.length),
  };
  if (encoding !== undefined && encoding !== '') headers['Content-Encoding'] = encoding;
  standIn = { body, headers };
  if (path !== undefined) kept.set(path, standIn);
  return c.body(null, 204);
});
app.get('*', (c) => get(c.req.path));

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`listening ${port}`),
);
process.once('SIGTERM', () => server.close());
