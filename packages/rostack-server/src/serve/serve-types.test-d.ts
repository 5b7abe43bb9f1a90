import type { Server } from 'node:http';
import { defineImplementation, type ImplementationDefinition, type RecordSource } from 'rostack-core';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import {
  attachWebSocketGateway,
  createRostackApp,
  createRouteHandlers,
  type ServedOptions,
  type ServeOptions,
  serveRostack,
} from '../index.ts';

const Task = z.object({ key: z.string(), owner: z.string(), title: z.string() });
type Task = z.infer<typeof Task>;

const implementation = defineImplementation({
  id: 'tasks',
  name: 'Tasks',
  apiVersion: '1',
  documentationUrl: 'https://tasks.example/docs',
  baseUrl: 'https://tasks.example',
  permissions: { 'tasks:read': 'Read', 'tasks:private': 'Private' },
  resources: {
    tasks: {
      model: Task,
      id: '/key',
      readPermissions: ['tasks:read'],
      visible: ({ permissions, claims }) => {
        expectTypeOf(permissions).toEqualTypeOf<ReadonlySet<'tasks:read' | 'tasks:private'>>();
        return typeof claims?.['sub'] === 'string' ? { '/owner': { eq: claims['sub'] } } : 'none';
      },
      hidden: { '/owner': ['tasks:private'] },
      events: {
        'task.created': { transition: 'create' },
        'task.changed': { transition: 'update' },
        'task.removed': {
          transition: 'delete',
          carries: {
            model: z.object({ title: z.string() }),
            project: ({ before }) => {
              expectTypeOf(before).toEqualTypeOf<Omit<Task, 'owner'> | undefined>();
              return { title: before?.title ?? '' };
            },
          },
        },
      },
      representations: [{ mediaType: 'text/plain', model: z.string(), permissions: ['tasks:private'] }],
    },
    notes: { model: z.object({ id: z.string() }), readPermissions: ['tasks:read'] },
  },
});

declare const server: Server;
declare const source: RecordSource;
declare const shared: Pick<ServedOptions, 'authenticators' | 'cursorKeys'>;
/** A store of the implementation. */
declare const store: { source(resourceName: 'tasks' | 'notes'): RecordSource };
/** A store of something else. */
declare const foreign: { source(resourceName: 'parcels'): RecordSource };

/** Never called. */
export function typesOfServing(): void {
  const sources = (name: 'tasks' | 'notes') => (name === 'tasks' ? source : source);
  const renderers = {
    tasks: {
      'text/plain': (record: Task) => `${record.owner}: ${record.title}`,
    },
  };
  serveRostack(server, { ...shared, implementation, sources, renderers });
  serveRostack(server, {
    ...shared,
    implementation,
    sources: (name) => {
      expectTypeOf(name).toEqualTypeOf<'tasks' | 'notes'>();
      return source;
    },
    renderers: {
      tasks: {
        'text/plain': (record) => {
          expectTypeOf(record).toEqualTypeOf<Task>();
          return record.owner;
        },
      },
    },
  });
  attachWebSocketGateway(server, { ...shared, implementation, sources });
  attachWebSocketGateway(server, { ...shared, implementation, store });
  createRouteHandlers({ ...shared, implementation, store, renderers, gateway: 'elsewhere' });
  createRostackApp({ ...shared, implementation, store, renderers });
  serveRostack(server, { ...shared, implementation, store, renderers });

  serveRostack(server, {
    ...shared,
    implementation,
    store,
    renderers: {
      tasks: {
        // @ts-expect-error something else than the model describes
        'text/plain': ({ title }) => title.length,
      },
    },
  });
  // @ts-expect-error a store without these resources
  serveRostack(server, { ...shared, implementation, store: foreign });
  const others = (name: 'parcels') => foreign.source(name);
  // @ts-expect-error sources of other resources
  attachWebSocketGateway(server, { ...shared, implementation, sources: others });
  // @ts-expect-error both a store and sources
  createRostackApp({ ...shared, implementation, store, sources });
  // @ts-expect-error no implementation
  attachWebSocketGateway(server, { ...shared, store });

  const wide: ImplementationDefinition = implementation;
  const any: ServeOptions = { ...shared, implementation: wide, sources: () => source };
  serveRostack(server, any);
}
