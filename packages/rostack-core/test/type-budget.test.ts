import { expect, test } from 'vitest';
import { compile, TSC, TSC_5 } from './support/compile.ts';

const RESOURCES = 30;
/** What 30 resources may cost, by count: the same on every machine. TypeScript 5.9 needs about 10 us for each. */
const MAX_INSTANTIATIONS = 120_000;
const MAX_ADDED_MS = 2_000;
const MAX_RUNS = 3;

/** The time of TypeScript 5.9 depends too much on what else the machine does: the count holds it. */
const COMPILERS = [
  { name: 'TypeScript 7', tsc: TSC, maxAddedMs: MAX_ADDED_MS },
  { name: 'TypeScript 5.9', tsc: TSC_5, maxAddedMs: Number.POSITIVE_INFINITY },
];

interface Added {
  instantiations: number;
  timeMs: number;
}

const models = Array.from(
  { length: RESOURCES },
  (_, at) => `const M${at} = z.object({
  id: z.string(), name: z.string(), kind: z.enum(['a', 'b', 'c']), note${at}: z.string().optional(), size: z.number().nullable(),
  tags: z.array(z.string()), active: z.boolean(), secret: z.string(), at: z.iso.datetime(),
  place: z.object({ country: z.string(), position: z.object({ latitude: z.number(), longitude: z.number() }) }),
  parts: z.array(z.object({ name: z.string(), count: z.int() })),
});`,
).join('\n');

const resources = Array.from(
  { length: RESOURCES },
  (_, at) => `r${at}: {
    model: M${at},
    readPermissions: ['r:read'],
    filterable: {
      '/name': 'all', '/kind': 'all', '/note${at}': 'all', '/size': 'all', '/tags': 'all', '/active': ['eq'], '/at': ['gt', 'lt'],
      '/place/country': 'all', '/place/position/latitude': ['gte', 'lt'], '/place/position/longitude': ['gte', 'lt'],
    },
    sortable: ['/name', '/size', '/at', '/place/country'],
    hidden: { '/secret': ['r:private'] },
    visible: ({ claims }) => (typeof claims?.['c'] === 'string' ? { '/place/country': { eq: claims['c'] } } : 'none'),
    events: {
      'r${at}.created': { transition: 'create' },
      'r${at}.changed': { transition: 'update' },
      'r${at}.removed': { transition: 'delete', carries: { model: z.object({ last: z.string() }), project: ({ before }) => ({ last: before?.name ?? '' }) } },
    },
  },`,
).join('\n');

/** Reads what a user of the types reads, in each resource. */
const uses = Array.from(
  { length: RESOURCES },
  (
    _,
    at,
  ) => `export type U${at} = [T['r${at}']['shown']['name'], TypedFilter<T['r${at}']['filterable']>['/name'], T['r${at}']['sortable'], T['r${at}']['events']['r${at}.removed']['data']];
export const u${at}: U${at} = ['a', { starts_with: 'a' }, '/at', { last: 'x' }];`,
).join('\n');

/** Records alone, as applications of Zod infer them. */
const read = Array.from(
  { length: RESOURCES },
  (_, at) =>
    `export const u${at} = (record: z.infer<typeof M${at}>) => [record.place.position.latitude, record.name];`,
).join('\n');

test.for(COMPILERS)(
  'a definition of 30 resources costs at most 2 s of $name, in an application that emits declarations',
  async ({ tsc, maxAddedMs }) => {
    const head =
      "import { defineImplementation, type TypedFilter, type TypesOf } from 'rostack-core';\nimport { z } from 'zod';\n";
    const typed = `${head}${models}
export const implementation = defineImplementation({
  id: 'o', name: 'O', apiVersion: '1', documentationUrl: 'https://o.example', baseUrl: 'https://o.example',
  permissions: { 'r:read': 'Read', 'r:private': 'Private' },
  resources: { ${resources} },
});
type T = TypesOf<typeof implementation>;
${uses}`;
    const all = Array.from({ length: RESOURCES }, (_, at) => `M${at}`).join(', ');
    const plain = `${head}${models}
export const models = [${all}] as const;
export { defineImplementation };
export type T = TypesOf<unknown> | TypedFilter<object>;
${read}`;
    const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true };
    const added: Added = { instantiations: 0, timeMs: Number.POSITIVE_INFINITY };
    // A busy machine makes some runs slow: the quickest counts.
    for (let run = 0; run < MAX_RUNS && (run === 0 || added.timeMs > maxAddedMs); run += 1) {
      const without = await compile({ files: { 'plain.ts': plain }, compilerOptions, tsc });
      const withTypes = await compile({ files: { 'typed.ts': typed }, compilerOptions, tsc });
      expect([...without.errors, ...withTypes.errors]).toEqual([]);
      added.instantiations = withTypes.instantiations - without.instantiations;
      added.timeMs = Math.min(added.timeMs, withTypes.cpuTimeMs - without.cpuTimeMs);
    }
    expect(added.instantiations).toBeGreaterThan(1_000);
    expect(added.instantiations).toBeLessThan(MAX_INSTANTIATIONS);
    expect(added.timeMs).toBeLessThan(maxAddedMs);
  },
);
