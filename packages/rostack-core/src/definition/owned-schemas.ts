import type { Fault } from '../model/fault.ts';
import { formatPointer } from '../pointer/pointer.ts';
import { SCHEMA_DIALECT } from '../release/release.ts';
import { auditSchemas } from '../schema/audit-schemas.ts';
import { type JsonSchema, keyword } from '../schema/json-schema.ts';
import { closeSchema } from './close-schema.ts';
import type { RecordModel } from './declaration.ts';
import { modelSchema } from './model-schema.ts';

/** Path to a member of the declaration. */
export type DeclarationPath = readonly (string | number)[];

export const fault = (path: DeclarationPath, message: string): Fault => ({
  check: 'definition',
  path: formatPointer(path.map(String)),
  message,
});

/** The schemas that an implementation serves, each with its URL as `$id`, and what is wrong with the models. */
export interface OwnedSchemas {
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly faults: readonly Fault[];
  /** Adds the closed schema of a model under a URL. */
  readonly add: (url: string, model: RecordModel, path: DeclarationPath) => JsonSchema;
}

export function createOwnedSchemas(): OwnedSchemas {
  const schemas = new Map<string, JsonSchema>();
  const faults: Fault[] = [];
  const add: OwnedSchemas['add'] = (url, model, path) => {
    const schema = { $schema: SCHEMA_DIALECT, $id: url, ...describe(model, path, faults) };
    closeSchema(url, schema);
    for (const finding of auditSchemas(new Map([[url, schema]]))) {
      const place = finding.path === '' ? 'its root' : finding.path;
      faults.push(fault(path, `the schema at ${place} ${finding.message}`));
    }
    schemas.set(url, schema);
    return schema;
  };
  return { schemas, faults, add };
}

function describe(model: RecordModel, path: DeclarationPath, faults: Fault[]): JsonSchema {
  let schema: JsonSchema;
  try {
    schema = modelSchema(model);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    faults.push(fault(path, `has no JSON Schema: ${reason}`));
    return { type: 'object', additionalProperties: false };
  }
  const dialect = keyword(schema, '$schema');
  if (dialect !== undefined && dialect !== SCHEMA_DIALECT) {
    faults.push(fault(path, `is of another dialect: write it in ${SCHEMA_DIALECT}`));
  }
  const { $schema: _, $id: __, ...rest } = schema;
  return rest;
}

/** The schema of an event that never carries data. */
export const NO_DATA_SCHEMA: JsonSchema = {
  title: 'No data',
  description: 'Events with this schema carry no data.',
  not: {},
};
