import { expect, test } from 'vitest';
import { z as z4 } from 'zod';
import { z as z3 } from 'zod/v3';
import { z as z323 } from 'zod-3.23';
import { z as z325 } from 'zod-3.25';
import { z as early4 } from 'zod-3.25/v4';
import { observatory } from '../../../test/support/observatory.ts';
import { defineImplementation, type JsonSchema, type RecordModel } from '../../index.ts';

function schemaOf(model: RecordModel): JsonSchema {
  const stations = { model, readPermissions: ['stations:read'] } as const;
  const { $id: _, ...schema } = defineImplementation({ ...observatory, resources: { stations } }).resources
    .stations.schema;
  return schema;
}

/** What every release can say in the same words. */
const modelOf = (z: typeof z3) =>
  z.object({
    id: z.string(),
    height: z.number().optional(),
    kind: z.enum(['rain', 'wind']),
    tags: z.array(z.string()).max(3),
    owner: z.string().nullable(),
    position: z.object({ latitude: z.number() }),
    made: z.union([z.literal('here'), z.object({ by: z.string() })]),
    unit: z.string().default('m'),
    shown: z.boolean().default(true).nullable(),
  });

// The tests say only what the releases have in common, in the types of one of them.
const releases = Object.entries({
  'zod/v3': z3,
  'zod 3.23': z323,
  'zod 3.25': z325,
  'zod 3.25/v4': early4,
} as unknown as Readonly<Record<string, typeof z3>>);

test.for(releases)('a model of %s becomes the schema of what it gives, as one of Zod 4 does', ([, z]) => {
  expect(schemaOf(modelOf(z))).toEqual(schemaOf(modelOf(z4 as unknown as typeof z3)));
});

test.for(releases)('a member that %s always gives is required, however it is wrapped', ([, z]) => {
  const model = z.object({
    id: z.string(),
    caught: z.number().catch(1),
    frozen: z.string().default('a').readonly(),
    piped: z.string().default('a').pipe(z.string()),
    checked: z.string().default('a').refine(Boolean),
    maybe: z.string().optional().catch('a'),
  });
  expect(schemaOf(model)['required']).toEqual(['id', 'caught', 'frozen', 'piped', 'checked']);
});

test.for([
  ['a date', z3.date(), 'Date cannot be represented in JSON Schema'],
  ['a bigint', z3.bigint(), 'BigInt cannot be represented in JSON Schema'],
  ['a map', z3.map(z3.string(), z3.string()), 'Map cannot be represented in JSON Schema'],
  ['a transformation', z3.string().transform(Number), 'Transforms cannot be represented in JSON Schema'],
] as const)('%s in a Zod 3 model is refused, as in one of Zod 4', ([, type, message]) => {
  expect(() => schemaOf(z3.object({ id: z3.string(), member: type.optional() }))).toThrow(message);
});
