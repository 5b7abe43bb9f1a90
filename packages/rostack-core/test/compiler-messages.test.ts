import { expect, test } from 'vitest';
import { compile } from './support/compile.ts';

const HEAD = `import { defineImplementation } from 'rostack-core';
import { z } from 'zod';
const Station = z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()) });
const about = { id: 'o', name: 'O', apiVersion: '1', documentationUrl: 'https://o.example', baseUrl: 'https://o.example' };
const define = (_: () => unknown): void => {};
`;

const RIGHT = ['nothing wrong', `model: Station, readPermissions: ['stations:read']`] as const;

/** Declarations of a resource, and what the compiler says of each. */
const MISTAKES: readonly (readonly [string, string, string])[] = [
  [
    'a permission that is misspelt',
    `model: Station, readPermissions: ['stations:raed']`,
    `Type '"stations:raed"' is not assignable to type '"stations:read"'`,
  ],
  [
    'a filter on no field',
    `model: Station, readPermissions: ['stations:read'], filterable: { '/nome': 'all' }`,
    'Mistake<"/nome is not a field of the records">',
  ],
  [
    'an operator that is none',
    `model: Station, readPermissions: ['stations:read'], filterable: { '/name': ['equals'] }`,
    `Type '"equals"' is not assignable to type '"contains"`,
  ],
  [
    'a sort by no field',
    `model: Station, readPermissions: ['stations:read'], sortable: ['/name', '/tags/first']`,
    'Mistake<"/tags/first is not a field of the records">',
  ],
  [
    'a sort by an array',
    `model: Station, readPermissions: ['stations:read'], sortable: ['/tags']`,
    'Mistake<"/tags is an array or an object: these have no order">',
  ],
  [
    'a member that there is not',
    `model: Station, readPermissions: ['stations:read'], sorted: ['/name']`,
    'Mistake<"sorted is not a member of a resource">',
  ],
  [
    'an id that there is not',
    `model: Station, readPermissions: ['stations:read'], id: '/key'`,
    'Mistake<"/key is not a field of the records">',
  ],
  [
    'records without an id',
    `model: z.object({ key: z.string() }), readPermissions: ['stations:read']`,
    'Mistake<"the records have no member \\"id\\": write the pointer of their id">',
  ],
  [
    'records without an id, of which a function says who sees them',
    `model: z.object({ key: z.string() }), readPermissions: ['stations:read'], visible: ({ id }) => id === 'a' ? 'all' : 'none'`,
    'Mistake<"the records have no member \\"id\\": write the pointer of their id">',
  ],
  [
    'a hidden field that there is not',
    `model: Station, readPermissions: ['stations:read'], hidden: { '/secret': ['stations:read'] }`,
    'Mistake<"/secret is not a field of the records">',
  ],
  [
    'a row rule over no field',
    `model: Station, readPermissions: ['stations:read'], visible: () => ({ $or: [{ '/tenant': { eq: 'a' } }] })`,
    'Mistake<"/tenant is not a field of the records">',
  ],
  [
    'a row rule that asks for a permission that is misspelt',
    `model: Station, readPermissions: ['stations:read'], visible: ({ permissions }) => permissions.has('stations:all') ? 'all' : 'none'`,
    `'"stations:all"' is not assignable to parameter of type '"stations:read"'`,
  ],
  [
    'a projection that reads no member',
    `model: Station, readPermissions: ['stations:read'], events: { 'station.removed': { transition: 'delete', carries: { model: z.string(), project: ({ before }) => before?.nome } } }`,
    `Property 'nome' does not exist on type '{ id: string; name: string; tags: string[]; }'`,
  ],
  [
    'a projection that reads a hidden member',
    `model: Station, readPermissions: ['stations:read'], hidden: { '/name': ['stations:read'] }, events: { 'station.removed': { transition: 'delete', carries: { model: z.string(), project: ({ before }) => before?.name } } }`,
    `Property 'name' does not exist on type '{ id: string; tags: string[]; }'`,
  ],
  [
    'a projection that gives something else than its model',
    `model: Station, readPermissions: ['stations:read'], events: { 'station.removed': { transition: 'delete', carries: { model: z.object({ last: z.string() }), project: () => ({ last: 3 }) } } }`,
    'Mistake<"station.removed: project gives what its model does not describe">',
  ],
  [
    'a member of an event that there is not',
    `model: Station, readPermissions: ['stations:read'], events: { 'station.removed': { transition: 'delete', tombstones: true } }`,
    'Mistake<"tombstones is not a member of an event">',
  ],
];

test('what cannot be defined does not compile, and the compiler names the member', {
  timeout: 60_000,
}, async () => {
  const calls = [...MISTAKES, RIGHT].map(
    ([, resource]) =>
      `define(() => defineImplementation({ ...about, permissions: { 'stations:read': 'Read' }, resources: { stations: { ${resource} } } }));`,
  );
  const { errors } = await compile({ files: { 'mistakes.ts': HEAD + calls.join('\n') } });
  const firstLine = HEAD.split('\n').length;
  const messagesOf = (index: number) =>
    errors.filter((error) => error.startsWith(`mistakes.ts(${firstLine + index},`)).join('\n');
  const unnamed = MISTAKES.flatMap(([title, , message], index) =>
    messagesOf(index).includes(message) ? [] : [`${title}: ${messagesOf(index)}`],
  );
  expect(unnamed).toEqual([]);
  expect(errors).toHaveLength(MISTAKES.length);
});
