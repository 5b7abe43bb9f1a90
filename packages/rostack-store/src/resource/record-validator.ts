import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DECIMAL_FORMAT, isDecimal } from 'rostack-core';
import type { JsonSchema } from './resource-definition.ts';

/** One fault of a record, by JSON Pointer. */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

/** Returns all faults of a record; none if it conforms. */
export type RecordValidator = (record: unknown) => readonly SchemaFault[];

/**
 * Compiles a JSON Schema (draft 2020-12, formats asserted).
 * @throws Error if the schema is not valid or refers to a schema outside itself
 */
export function createRecordValidator(schema: JsonSchema): RecordValidator {
  const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, logger: false });
  addFormats.default(ajv);
  ajv.addFormat(DECIMAL_FORMAT, isDecimal);
  const validate = ajv.compile(schema);
  return (record) => {
    if (validate(record)) return [];
    return (validate.errors ?? []).map((error) => ({
      pointer: error.instancePath,
      message: describe(error),
    }));
  };
}

/** Ajv's sentence, plus the name that it leaves out; values of the record are never repeated. */
function describe(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const message = error.message ?? `fails the keyword ${error.keyword}`;
  return typeof name === 'string' ? `${message}: ${JSON.stringify(name)}` : message;
}
