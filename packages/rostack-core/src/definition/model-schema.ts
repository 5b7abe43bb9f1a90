import { z } from 'zod';
import type { ZodTypeAny as Zod3Type } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { isArray, type JsonObject, type JsonValue } from '../json/json.ts';
import { formatPointer, parsePointer } from '../pointer/pointer.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { RecordModel } from './declaration.ts';

const isZod4 = (model: RecordModel): model is z.ZodType => '_zod' in model;

const isZod3 = (model: RecordModel): model is Zod3Type =>
  !isZod4(model) && '_def' in model && 'safeParse' in model && typeof model.safeParse === 'function';

/**
 * The JSON Schema (draft 2020-12) of a model, not yet closed and without `$id`. A model with defaults gives the schema
 * of its output.
 * @throws Error when a Zod model has something that JSON cannot express, such as a date or a transformation
 */
export function modelSchema(model: RecordModel): JsonSchema {
  if (isZod4(model)) {
    const { $schema: _, ...schema } = z.toJSONSchema(model, { target: 'draft-2020-12', io: 'output' });
    return plain(schema);
  }
  if (isZod3(model)) {
    const { $schema: _, ...schema } = zodToJsonSchema(model, {
      target: 'jsonSchema2019-09',
      $refStrategy: 'root',
    });
    return upgradeTuples(plain(schema));
  }
  return plain(model);
}

/** A deep copy as plain JSON, so that later changes by the caller do not reach the schema. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

/**
 * Rewrites the tuples of draft 2019-09 (`items` as an array, `additionalItems`) as those of 2020-12 (`prefixItems`,
 * `items`), and the references that go through them.
 */
function upgradeTuples(root: JsonSchema): JsonSchema {
  const upgrade = (value: JsonValue): JsonValue => {
    if (isArray(value)) return value.map(upgrade);
    if (typeof value !== 'object' || value === null) return value;
    const tuple = isArray(value['items']);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (name === '$ref' && typeof member === 'string') return [name, upgradeReference(root, member)];
        if (tuple && name === 'items') return ['prefixItems', upgrade(member)];
        if (tuple && name === 'additionalItems') return ['items', upgrade(member)];
        return [name, upgrade(member)];
      }),
    );
  };
  return upgrade(root) as JsonSchema;
}

function upgradeReference(root: JsonSchema, reference: string): string {
  if (!reference.startsWith('#/')) return reference;
  let here: JsonValue | undefined = root;
  const path = parsePointer(reference.slice(1)).map((token) => {
    const holder: JsonValue | undefined = here;
    here = typeof holder === 'object' && holder !== null ? (holder as JsonObject)[token] : undefined;
    const isTuple = typeof holder === 'object' && holder !== null && isArray((holder as JsonObject)['items']);
    if (isTuple && token === 'items') return 'prefixItems';
    return isTuple && token === 'additionalItems' ? 'items' : token;
  });
  return `#${formatPointer(path)}`;
}
