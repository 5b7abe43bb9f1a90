import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile, installed, TSC, TSC_5 } from '../packages/rostack-core/test/support/compile.ts';

/** The compilers that users have. */
const COMPILERS = { 'TypeScript 7': TSC, 'TypeScript 5.9': TSC_5 };

/** Where users get `z` from. */
const ZODS = ['zod', 'zod/v3', 'zod-3.23', 'zod-3.25', 'zod-3.25/v4'];

const packageFolder = (name: string): string =>
  fileURLToPath(new URL(`../packages/${name}`, import.meta.url));

const packages = Object.fromEntries([
  ...['zod-3.23', 'zod-3.25'].map((name) => [name, installed(name)]),
  ...['rostack-store', 'rostack-server', 'rostack-client'].map((name) => [name, packageFolder(name)]),
]);

/** An application that uses the types from one end to the other, and some mistakes that must not compile. */
const application = (zod: string): string => `
import { connect } from 'rostack-client';
import { defineImplementation, type TypesOf } from 'rostack-core';
import { createRostackApp, type RostackAppOptions } from 'rostack-server';
import { openStore } from 'rostack-store';
import { z } from '${zod}';

const Station = z.object({
  id: z.string(), height: z.number().optional(), tags: z.array(z.string()), kind: z.enum(['rain', 'wind']), owner: z.string(),
  position: z.object({ latitude: z.number(), longitude: z.number() }),
});
type Station = { id: string; height?: number | undefined; tags: string[]; kind: 'rain' | 'wind'; owner: string; position: { latitude: number; longitude: number } };

export const implementation = defineImplementation({
  id: 'o', name: 'O', apiVersion: '1', documentationUrl: 'https://o.example', baseUrl: 'https://o.example',
  permissions: { 'stations:read': 'Read', 'stations:private': 'Private' },
  resources: {
    stations: {
      model: Station,
      readPermissions: ['stations:read'],
      filterable: { '/height': 'all', '/kind': ['eq'], '/position/latitude': ['gte'] },
      sortable: ['/height'],
      hidden: { '/owner': ['stations:private'] },
      events: {
        'station.created': { transition: 'create' },
        'station.removed': { transition: 'delete', carries: { model: z.object({ last: z.string() }), project: ({ before }) => ({ last: before?.kind ?? '' }) } },
      },
      representations: [{ mediaType: 'text/csv', model: z.string() }],
    },
    notes: {
      model: z.object({ key: z.string(), author: z.string() }),
      id: '/key',
      readPermissions: ['stations:read'],
      visible: ({ id }) => ({ '/author': { eq: id } }),
    },
  },
});

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const isSame: Same<Required<TypesOf<typeof implementation>['stations']['record']>, Required<Station>> = true;

declare const rest: Pick<RostackAppOptions, 'authenticators' | 'cursorKeys'>;

export async function main(): Promise<void> {
  const store = await openStore({ url: 'sqlite::memory:', implementation });
  const station: Station = { id: 'a', tags: [], kind: 'rain', owner: 'kim', position: { latitude: 1, longitude: 2 } };
  await store.apply([{ op: 'put', resource: 'stations', record: station, event: 'station.created' }]);
  // @ts-expect-error a member is missing
  await store.apply([{ op: 'put', resource: 'stations', record: { id: 'a' } }]);
  createRostackApp({ ...rest, implementation, store, renderers: { stations: { 'text/csv': ({ kind }) => kind } } });
  const client = await connect<typeof implementation>('https://o.example', { method: 'shared_token', token: 't' });
  for await (const { id, position } of client.list('stations', { filter: { '/kind': { eq: 'wind' } }, sort: ['-/height'], fields: ['/id', '/position/latitude'] })) {
    const [text, number]: [string, number] = [id, position.latitude];
    console.log(text, number);
  }
  // @ts-expect-error no kind of station
  client.follow('stations', { filter: { '/kind': { eq: 'snow' } } });
  // @ts-expect-error hidden
  client.list('stations', { fields: ['/owner'] });
  for await (const message of client.subscribe('stations', { eventTypes: ['station.removed'] })) {
    if (message.kind === 'event') console.log(message.data?.last.length);
  }
}

export const wrong = () =>
  defineImplementation({
    id: 'o', name: 'O', apiVersion: '1', documentationUrl: 'https://o.example', baseUrl: 'https://o.example',
    permissions: { 'stations:read': 'Read' },
    resources: {
      stations: {
        model: Station,
        readPermissions: ['stations:read'],
        // @ts-expect-error no field of the records
        sortable: ['/nome'],
      },
    },
  });
`;

test.for(Object.entries(COMPILERS))('%s takes the types with every release of Zod', async ([, tsc]) => {
  const files = Object.fromEntries(ZODS.map((zod, index) => [`application-${index}.ts`, application(zod)]));
  const compilerOptions = { lib: ['es2023', 'dom', 'esnext.disposable'] };
  const { errors } = await compile({ files, packages, compilerOptions, tsc });
  expect(errors).toEqual([]);
});
