import { defineImplementation, type RecordSource } from 'rostack-core';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { createRostackApp, type RecordRenderers, type RostackAppOptions } from '../index.ts';

const Station = z.object({ id: z.string(), name: z.string(), owner: z.string() });
type Station = z.infer<typeof Station>;

const implementation = defineImplementation({
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
  permissions: { 'stations:read': 'Read', 'stations:private': 'Private' },
  resources: {
    stations: {
      model: Station,
      readPermissions: ['stations:read'],
      hidden: { '/owner': ['stations:private'] },
      representations: [
        { mediaType: 'application/geo+json', model: z.object({ type: z.literal('Feature') }) },
        { mediaType: 'text/csv', model: z.string(), permissions: ['stations:private'] },
      ],
    },
    notes: { model: z.object({ id: z.string() }), readPermissions: ['stations:read'] },
  },
});

declare const source: RecordSource;
declare const rest: Pick<RostackAppOptions, 'authenticators' | 'cursorKeys'> & {
  readonly sources: () => RecordSource;
};

/** Never called. */
export function typesOfRenderers(): void {
  createRostackApp({
    ...rest,
    implementation,
    sources: (name) => {
      expectTypeOf(name).toEqualTypeOf<'stations' | 'notes'>();
      return source;
    },
    renderers: {
      stations: {
        'application/geo+json': (record) => {
          expectTypeOf(record).toEqualTypeOf<Omit<Station, 'owner'>>();
          return { type: 'Feature' };
        },
        'text/csv': (record) => {
          expectTypeOf(record).toEqualTypeOf<Station>();
          return record.owner;
        },
      },
    },
  });
  createRostackApp({
    ...rest,
    implementation,
    renderers: {
      // @ts-expect-error a representation without a renderer
      stations: { 'text/csv': ({ name }) => name },
    },
  });
  createRostackApp({
    ...rest,
    implementation,
    renderers: {
      stations: {
        'text/csv': ({ name }) => name,
        // @ts-expect-error something else than the model describes
        'application/geo+json': () => ({ type: 'Point' }),
      },
    },
  });
  createRostackApp({
    ...rest,
    implementation,
    // @ts-expect-error a resource without further representations
    renderers: { notes: {} },
  });

  const someRenderers: RecordRenderers = {};
  const some: RostackAppOptions = { ...rest, implementation, renderers: someRenderers };
  createRostackApp(some);
}
