import { z } from 'zod';
import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { parsePointer } from '../../query/pointer/pointer.ts';
import type { JsonSchema } from '../../schema/graph/json-schema.ts';
import { isArray, type JsonObject, type JsonValue, parseTrustedJson } from '../../text/json.ts';
import type { RecordModel, StandardModel, Zod3Model, Zod4Model } from './record-model.ts';
import { zod3Schema } from './zod3-schema.ts';

const isZod4 = (model: RecordModel): model is Zod4Model => '_zod' in model;

const isZod3 = (model: RecordModel): model is Zod3Model =>
  !isZod4(model) && '_def' in model && 'safeParse' in model && typeof model.safeParse === 'function';

const isStandard = (model: RecordModel): model is StandardModel => '~standard' in model;

/**
 * The JSON Schema (draft 2020-12) of a model, not yet closed and without `$id`. For a model with defaults it is the schema
 * of the output.
 * @throws Error when a model has something that JSON cannot express, such as a date or a transformation
 */
export function modelSchema(model: RecordModel): JsonSchema {
  if (isZod4(model)) {
    const options = { target: 'draft-2020-12', io: 'output' } as const;
    return withoutDialect(z.toJSONSchema(model as z.ZodType, options));
  }
  if (isZod3(model)) return upgradeTuples(withoutDialect(zod3Schema(model)));
  if (isStandard(model)) return withoutDialect(describedByItself(model['~standard']));
  return plain(model);
}

/** @throws Error when the library has Standard Schema without JSON Schema; and what the library throws */
function describedByItself({ vendor, jsonSchema }: StandardModel['~standard']): object {
  if (jsonSchema === undefined) {
    throw new Error(
      `${vendor} does not say it (Standard JSON Schema): convert the model, or write a JSON Schema`,
    );
  }
  return jsonSchema.output({ target: 'draft-2020-12' });
}

function withoutDialect(schema: object): JsonSchema {
  const { $schema: _, ...rest } = plain(schema);
  return rest;
}

/** A deep copy as plain JSON, so that later changes by the caller do not reach the schema. */
const plain = (schema: object): JsonSchema => parseTrustedJson(JSON.stringify(schema)) as JsonSchema;

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
