import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { auditSchemas } from '../../schema/audit-schemas.ts';
import { bundleSchema } from '../../schema/bundle-schema.ts';
import { type JsonSchema, keyword } from '../../schema/graph/json-schema.ts';
import type { Fault } from '../../wire/model/fault.ts';
import { SCHEMA_DIALECT } from '../../wire/release/release.ts';
import { closeSchemas } from './close-schema.ts';
import { forgetSchemas } from './field-types.ts';
import { modelSchema } from './model-schema.ts';
import type { RecordModel } from './record-model.ts';

/** Path to a member of the declaration. */
export type DeclarationPath = readonly (string | number)[];

export const fault = (path: DeclarationPath, message: string): Fault => ({
  check: 'definition',
  path: formatPointer(path.map(String)),
  message,
});

/** The schemas that an implementation serves, each with its URL as `$id`. */
export interface OwnedSchemas {
  /** Closed only by `finish`. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** Adds the schema of a model under a URL; schemas may refer to others that are added later. */
  readonly add: (url: string, model: RecordModel, path: DeclarationPath) => void;
  /** Closes the schemas. Returns what is wrong with the models. */
  readonly finish: () => readonly Fault[];
  /** A schema, with those that it refers to. */
  readonly bundle: (url: string) => JsonSchema;
}

export function createOwnedSchemas(): OwnedSchemas {
  const schemas = new Map<string, JsonSchema>();
  const models = new Map<string, RecordModel>();
  const paths = new Map<string, DeclarationPath>();
  const faults: Fault[] = [];
  return {
    schemas,
    add: (url, model, path) => {
      const known = models.get(url);
      if (known !== undefined && known !== model) {
        faults.push(fault(path, `${nameOf(url)} is the name of another schema; write one of its own`));
        return;
      }
      models.set(url, model);
      schemas.set(url, { $schema: SCHEMA_DIALECT, $id: url, ...describe(model, path, faults) });
      paths.set(url, path);
    },
    finish: () => {
      closeSchemas(schemas);
      forgetSchemas();
      const findings = auditSchemas(schemas).map(({ kind, url, path, message }) => {
        const place = path === '' ? 'its root' : path;
        const advice = kind === 'unresolved_reference' ? `: ${fileNames(schemas)}` : '';
        return fault(paths.get(url) ?? [], `the schema at ${place} ${message}${advice}`);
      });
      return [...faults, ...findings];
    },
    bundle: (url) => bundleSchema(url, schemas),
  };
}

/** The last parts of their URLs: what a `$ref` in any of them can say. */
const fileNames = (schemas: ReadonlyMap<string, JsonSchema>): string =>
  [...schemas.keys()].map(fileNameOf).join(', ');
const fileNameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
const nameOf = (url: string): string => fileNameOf(url).replace(/\.schema\.json$/, '');

/** What to use instead of types that JSON does not have. */
const AS_JSON =
  'records are JSON: use z.iso.datetime() for a date, a string for a big integer, z.json() for any value';

function describe(model: RecordModel, path: DeclarationPath, faults: Fault[]): JsonSchema {
  let schema: JsonSchema;
  try {
    schema = modelSchema(model);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /cannot be represented in JSON Schema/.test(reason) ? `; ${AS_JSON}` : '';
    faults.push(fault(path, `has no JSON Schema: ${reason}${hint}`));
    return { type: 'object', additionalProperties: false };
  }
  const dialect = keyword(schema, '$schema');
  if (dialect !== undefined && dialect !== SCHEMA_DIALECT) {
    faults.push(fault(path, `is of another dialect: write it in ${SCHEMA_DIALECT}`));
  }
  const { $schema: _, $id: __, ...rest } = schema;
  return rest;
}

/** A shared schema can have neither this name nor that of a resource. */
export const NO_DATA_NAME = 'no-data';

/** The schema of an event that never carries data. */
export const NO_DATA_SCHEMA: JsonSchema = {
  title: 'No data',
  description: 'Events with this schema carry no data.',
  not: {},
};
