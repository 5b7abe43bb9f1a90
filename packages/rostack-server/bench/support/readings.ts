import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { defineImplementation, type JsonObject } from 'rostack-core';
import {
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { z } from 'zod';
import { CURSOR_KEYS } from '../../test/support/cursor-keys.ts';
import { getRequest, type LoadPlan, writeRequests } from './load.ts';

// As rostack-gateway runs; for the bare handler too.
setFlagsFromString('--no-allocation-site-pretenuring');

export const RECORDS = 100_000;
export const REGIONS = 400;
const BASE_URL = 'https://observatory.example';
const BATCH = 1_000;

const Reading = z.strictObject({
  id: z.string(),
  region: z.string(),
  altitude: z.number(),
  name: z.string(),
  active: z.boolean(),
  observed_at: z.string(),
  note: z.string(),
});

/** 100,000 records of about 200 bytes in SQLite on disk, and the app over them on a port. */
export interface ReadingsServer extends AsyncDisposable {
  readonly store: Store;
  readonly port: number;
  /** A file of GET requests with a valid token, for a load. */
  requests(paths: Iterable<string>): Promise<string>;
  /** Answers a request in process. */
  fetch(path: string): Promise<Response>;
  /** Serves the text at `/` by a bare Hono handler, to be compared with. */
  serveBare(text: string): Promise<Pick<LoadPlan, 'port' | 'requestsFile'>>;
}

export function reading(number: number, note = 'x'.repeat(30)): JsonObject {
  return {
    id: `reading-${String(number).padStart(6, '0')}`,
    region: `region-${number % REGIONS}`,
    altitude: (number * 7_919) % 100_000,
    name: `관측소 ${number}`,
    active: number % 2 === 0,
    observed_at: '2026-08-14T03:00:00Z',
    note,
  };
}

export async function startReadingsServer(): Promise<ReadingsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-bench-'));
  const implementation = defineImplementation({
    id: 'bench',
    name: 'Bench',
    apiVersion: '1',
    documentationUrl: BASE_URL,
    baseUrl: BASE_URL,
    permissions: { 'readings:read': 'Read readings' },
    resources: {
      readings: {
        model: Reading,
        readPermissions: ['readings:read'],
        filterable: { '/region': ['eq', 'in'], '/altitude': ['gt', 'gte', 'lt', 'lte'] },
        sortable: ['/altitude'],
        events: { 'reading.changed': { transition: 'update' } },
      },
    },
  });
  const resource = implementation.discovery.resources[0];
  const schema = [...implementation.schemas.values()][0];
  if (resource === undefined || schema === undefined) throw new Error('the implementation has no resource');
  const store = await openStore(`sqlite:${join(folder, 'readings.db')}`, {
    resources: [
      {
        name: 'readings',
        schema,
        idPointer: '/id',
        events: [{ name: 'reading.changed', transition: 'update' }],
        filterableFields: resource.filtering.filterable_fields,
        sortableFields: resource.filtering.sortable_fields,
      },
    ],
  });
  for (let start = 0; start < RECORDS; start += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => reading(start + index));
    await store.apply(records.map((record) => ({ op: 'put', resource: 'readings', record })));
  }
  const { token, tokenId, verifier } = createSharedToken();
  const tokens = new MemorySharedTokenStore([
    { tokenId, verifier, subject: 'bench', grants: ['readings:read'] },
  ]);
  const app = createRostackApp({
    implementation,
    sources: (name) => store.source(name),
    authenticators: [
      createSharedTokenAuthenticator({
        store: tokens,
        principalId: createPrincipalIdDeriver(new Uint8Array(32)),
      }),
    ],
    cursorKeys: CURSOR_KEYS,
  });
  const servers: Server[] = [];
  const listen = async (hono: Hono): Promise<number> => {
    const listener = getRequestListener(hono.fetch);
    const server = createServer((request, response) => void listener(request, response));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const headers = {
    host: new URL(BASE_URL).host,
    authorization: `Rostack-Token ${token}`,
    accept: 'application/json',
  };
  return {
    store,
    port: await listen(app),
    requests: (paths) =>
      writeRequests(
        join(folder, 'requests'),
        Array.from(paths, (path) => getRequest(path, headers)),
      ),
    fetch: async (path) => app.request(new Request(BASE_URL + path, { headers })),
    serveBare: async (text) => ({
      port: await listen(
        new Hono().get('/', (c) => c.body(text, 200, { 'Content-Type': 'application/json' })),
      ),
      requestsFile: await writeRequests(join(folder, 'bare-requests'), [
        getRequest('/', { host: 'localhost', accept: 'application/json' }),
      ]),
    }),
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** The path of a page of 50 records by an indexed filter, in the order of its field; different for each number. */
export function filteredPath(number: number): string {
  const filter = { '/altitude': { gte: ((number * 7_919) % 99_000) - Math.floor(number / 99_000) / 100 } };
  return `/api/readings?sort=/altitude&limit=50&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
