import { z } from 'zod';
import type { ZodTypeAny as Zod3Type } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { RecordModel } from './declaration.ts';
import { upgradeTuples } from './upgrade-tuples.ts';

const isZod4 = (model: RecordModel): model is z.ZodType => '_zod' in model;

const isZod3 = (model: RecordModel): model is Zod3Type =>
  !isZod4(model) && '_def' in model && 'safeParse' in model && typeof model.safeParse === 'function';

/**
 * The JSON Schema (draft 2020-12) of a model, as far as the model says it: not closed yet, without `$id`.
 * A model with defaults gives the schema of what comes out of it.
 * @throws Error when a Zod model holds what JSON cannot say, such as a date or a transformation
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

/** A deep copy of plain JSON: what the caller changes later does not change the schema. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;
