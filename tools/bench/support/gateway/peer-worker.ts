import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'pg';
import { byHand } from './by-hand/api.ts';
import { postgresByHand } from './by-hand/postgresql.ts';
import { sqliteByHand } from './by-hand/sqlite.ts';
import type { PeerPlan } from './peer.ts';

/** What a list and an item cost with nothing but Hono, and with one statement of `pg`. */
const [plan] = (await once(process, 'message')) as [PeerPlan];
const app =
  plan.kind === 'by-hand-sqlite'
    ? byHand(sqliteByHand(plan.file, plan.records))
    : plan.kind === 'by-hand-postgresql'
      ? byHand(postgresByHand(plan.url, plan.schema))
      : new Hono();
const json = { 'Content-Type': 'application/json' };

if (plan.kind === 'bytes') {
  const { text } = plan;
  app.get('*', (c) => c.body(text, 200, json));
} else if (plan.kind === 'postgresql') {
  const { url, schema } = plan;
  const pool = new Pool({ connectionString: url, max: 10 });
  const table = `${schema}.peer`;
  const pageText = `select (select position from ${schema}.peer_head) as position,
    (select string_agg(body, ',' order by altitude, id) from
      (select id, altitude, body from ${table} where (altitude, id) > ($1, $2) order by altitude, id limit 50) as page) as bodies`;
  app.get('/page/:altitude', async (c) => {
    const values = [Number(c.req.param('altitude')), ''];
    const { rows } = await pool.query<{ position: string; bodies: string }>({
      name: 'page',
      text: pageText,
      values,
    });
    return c.body(`{"items":[${rows[0]?.bodies}],"page":{"position":${rows[0]?.position}}}`, 200, json);
  });
  app.get('/item/:id', async (c) => {
    const { rows } = await pool.query<{ body: string }>({
      name: 'item',
      text: `select body from ${table} where id = $1`,
      values: [c.req.param('id')],
    });
    return c.body(rows[0]?.body ?? '', rows[0] === undefined ? 404 : 200, json);
  });
}

const listener = getRequestListener(app.fetch);
const server = createServer((request, response) => void listener(request, response));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
