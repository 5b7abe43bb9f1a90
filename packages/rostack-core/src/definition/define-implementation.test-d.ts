import { type } from 'arktype';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import {
  defineImplementation,
  type FieldAt,
  type ImplementationDefinition,
  jsonSchema,
  parseRowRule,
  type SelectedFields,
  type TypesOf,
  type WithoutFields,
} from '../index.ts';

const about = {
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
} as const;

interface Note {
  readonly id: string;
  readonly text: string;
  readonly author: { readonly name: string };
}

interface Branch {
  readonly id: string;
  readonly inner: readonly Branch[];
}

const Station = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['rain', 'wind']),
  height: z.number().optional(),
  active: z.boolean(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  position: z.object({ latitude: z.number(), 'a/b~c': z.number().optional() }).nullable(),
});
type Station = z.infer<typeof Station>;

const implementation = defineImplementation({
  ...about,
  permissions: { 'stations:read': 'Read', 'stations:private': 'Private' },
  resources: {
    stations: {
      model: Station,
      readPermissions: ['stations:read'],
      filterable: {
        '/name': 'all',
        '/kind': ['eq', 'in'],
        '/height': 'all',
        '/owner': ['eq'],
        '/tags': 'all',
        '/tags/0': ['starts_with'],
        '/position/latitude': ['gte', 'lt'],
        '/position/a~1b~0c': ['gt'],
      },
      sortable: ['/name', '/position/latitude'],
      hidden: { '/owner': ['stations:private'] },
      events: {
        'station.created': { transition: 'create' },
        'station.changed': { transition: 'update', carries: 'nothing' },
        'station.removed': {
          transition: 'delete',
          carries: {
            model: z.object({ last_name: z.string() }),
            project: ({ before }) => {
              expectTypeOf(before).toEqualTypeOf<Omit<Station, 'owner'> | undefined>();
              return { last_name: before?.name ?? '' };
            },
          },
        },
        'station.lost': {
          transition: 'delete',
          carries: { model: z.string(), project: ({ before }) => before?.name },
        },
      },
      visible: ({ permissions, claims }) => {
        expectTypeOf(permissions).toEqualTypeOf<ReadonlySet<'stations:read' | 'stations:private'>>();
        return typeof claims?.['kind'] === 'string' ? { '/kind': { eq: claims['kind'] } } : 'none';
      },
      representations: [
        { mediaType: 'application/geo+json', model: z.object({ type: z.literal('Feature') }) },
        { mediaType: 'text/csv', model: z.string(), permissions: ['stations:private'] },
      ],
    },
    olds: {
      model: z3.object({ id: z3.string(), size: z3.number() }),
      readPermissions: ['stations:read'],
      filterable: { '/size': 'all' },
    },
    arks: {
      model: type({ id: 'string', 'size?': 'number' }),
      readPermissions: ['stations:read'],
      sortable: ['/size'],
    },
    minis: {
      model: mini.object({ id: mini.string() }),
      readPermissions: ['stations:read'],
      sortable: ['/id'],
    },
    notes: {
      model: jsonSchema<Note>({ type: 'object' }),
      readPermissions: ['stations:read'],
      sortable: ['/author/name'],
      visible: parseRowRule({ '/text': { eq: 'a' } }).rule,
    },
    owned: {
      model: z.object({ key: z.string(), owner: z.string() }),
      id: '/key',
      readPermissions: ['stations:read'],
      visible: ({ claims }) =>
        typeof claims?.['sub'] === 'string' ? { '/owner': { eq: claims['sub'] } } : 'none',
    },
    branches: {
      model: jsonSchema<Branch>({}),
      readPermissions: ['stations:read'],
      sortable: ['/inner/0/inner/1/id'],
    },
    plain: {
      model: { type: 'object', properties: { key: { type: 'string' } } },
      id: '/key',
      readPermissions: ['stations:read'],
      filterable: { '/anything': 'all' },
      events: { e: { transition: 'create', carries: { model: {}, project: ({ after }) => after?.['key'] } } },
    },
  },
});

type Types = TypesOf<typeof implementation>;
type Shown = Omit<Station, 'owner'>;

expectTypeOf<keyof Types>().toEqualTypeOf<
  'stations' | 'olds' | 'arks' | 'minis' | 'notes' | 'owned' | 'branches' | 'plain'
>();
expectTypeOf<Types['stations']['record']>().toEqualTypeOf<Station>();
expectTypeOf<Types['stations']['shown']>().toEqualTypeOf<Shown>();
expectTypeOf<Types['olds']['record']>().toEqualTypeOf<{ id: string; size: number }>();
expectTypeOf<Types['arks']['record']>().toEqualTypeOf<{ id: string; size?: number }>();
expectTypeOf<Types['minis']['record']>().toEqualTypeOf<{ id: string }>();
expectTypeOf<Types['notes']['record']>().toEqualTypeOf<Note>();
expectTypeOf<Types['plain']['record']['key']>().toEqualTypeOf<FieldAt<Types['plain']['record'], '/key'>>();

type Filterable = Types['stations']['filterable'];
expectTypeOf<Filterable['/kind']>().toEqualTypeOf<{
  readonly eq?: 'rain' | 'wind';
  readonly in?: readonly ('rain' | 'wind')[];
}>();
expectTypeOf<Filterable['/owner']>().toEqualTypeOf<{ readonly eq?: string | null }>();
expectTypeOf<Filterable['/position/latitude']>().toEqualTypeOf<{
  readonly gte?: number;
  readonly lt?: number;
}>();
expectTypeOf<Filterable['/position/a~1b~0c']>().toEqualTypeOf<{ readonly gt?: number }>();
expectTypeOf<Filterable['/tags']>().toEqualTypeOf<{
  readonly eq?: readonly string[];
  readonly ne?: readonly string[];
  readonly contains?: string;
  readonly exists?: boolean;
}>();
expectTypeOf<Filterable['/tags/0']>().toEqualTypeOf<{ readonly starts_with?: string }>();
expectTypeOf<keyof Filterable['/height']>().toEqualTypeOf<
  'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'nin' | 'exists'
>();
expectTypeOf<Types['stations']['sortable']>().toEqualTypeOf<'/name' | '/position/latitude'>();
expectTypeOf<Types['olds']['sortable']>().toEqualTypeOf<never>();
expectTypeOf<Types['stations']['events']>().toEqualTypeOf<{
  readonly 'station.created': { readonly transition: 'create'; readonly data: Shown };
  readonly 'station.changed': { readonly transition: 'update'; readonly data: undefined };
  readonly 'station.removed': { readonly transition: 'delete'; readonly data: { last_name: string } };
  readonly 'station.lost': { readonly transition: 'delete'; readonly data: string | undefined };
}>();
expectTypeOf<Types['stations']['representations']>().toEqualTypeOf<{
  readonly 'application/geo+json': { readonly from: Shown; readonly to: { type: 'Feature' } };
  readonly 'text/csv': { readonly from: Station; readonly to: string };
}>();
expectTypeOf(implementation).toExtend<ImplementationDefinition>();
expectTypeOf(implementation.resources.stations.name).toEqualTypeOf<string>();
// @ts-expect-error there is no such resource
void implementation.resources.station;

// Selections and what they leave.
expectTypeOf<SelectedFields<Station, '/id' | '/position/latitude'>>().toEqualTypeOf<{
  id: string;
  position?: { latitude: number };
}>();
expectTypeOf<SelectedFields<Station, '/tags/0' | '/height'>>().toEqualTypeOf<{
  tags: string[];
  height?: number | undefined;
}>();
expectTypeOf<SelectedFields<Note, '/author' | '/author/name'>>().toEqualTypeOf<{
  readonly author: { readonly name: string };
}>();
expectTypeOf<
  WithoutFields<{ a: { b: string; 'c/d': number }; e?: string }, '/a/c~1d' | '/e'>
>().toEqualTypeOf<{ a: { b: string } }>();

// Pointers.
type Mixed = { a: { b: 1 } | { c: 2 }; list: [{ x: string }, number]; map: Record<string, boolean> };
expectTypeOf<FieldAt<Mixed, '/a/b'>>().toEqualTypeOf<1>();
expectTypeOf<FieldAt<Mixed, '/list/0/x'>>().toEqualTypeOf<string>();
expectTypeOf<FieldAt<Mixed, '/list/1'>>().toEqualTypeOf<number>();
expectTypeOf<FieldAt<Mixed, '/map/any'>>().toEqualTypeOf<boolean>();
expectTypeOf<FieldAt<Station, '/tags/7'>>().toEqualTypeOf<string>();
expectTypeOf<FieldAt<Station, '/height'>>().toEqualTypeOf<number>();
expectTypeOf<
  FieldAt<
    Mixed & Station,
    | '/b'
    | 'id'
    | ''
    | '/list/2'
    | '/tags/01'
    | '/tags/-'
    | '/tags/-1'
    | '/tags/1.5'
    | '/tags/length'
    | '/name/length'
    | '/position/a/b'
  >
>().toEqualTypeOf<never>();

const read = ['stations:read'] as const;
const declare = { ...about, permissions: { 'stations:read': 'Read' } } as const;
const isRight = (): void => {
  defineImplementation({
    ...declare,
    resources: {
      // @ts-expect-error a permission that is not declared
      misspelt: { model: Station, readPermissions: ['stations:raed'] },
      // @ts-expect-error no operator
      operator: { model: Station, readPermissions: read, filterable: { '/name': ['equals'] } },
      unknownMember: {
        model: Station,
        readPermissions: read,
        // @ts-expect-error no member of a resource
        sorted: ['/name'],
      },
    },
  });
};
void isRight;
