import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  DECIMAL_FORMAT,
  isDecimal,
  isPlainSchema,
  type JsonObject,
  unresolvedReferences,
} from 'rostack-core';
import type { JsonSchema } from './resource-definition.ts';

/** One fault of a record, by JSON Pointer. */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

/** Returns all faults of a record; none if it conforms. */
export type RecordValidator = (record: unknown) => readonly SchemaFault[];

const OPTIONS = { allErrors: true, ownProperties: true, strict: false, logger: false } as const;

let judge: Ajv2020 | undefined;

/** Compiles the schema of schemas at most once per process, and only for schemas that need it: that takes 30 to 130 ms. */
function checkSchema(schema: JsonSchema): void {
  if (!isPlainSchema(schema as JsonObject | boolean)) {
    judge ??= withFormats(new Ajv2020(OPTIONS));
    void judge.validateSchema(schema, true);
  }
  const [reference] = typeof schema === 'boolean' ? [] : unresolvedReferences(schema as JsonObject);
  if (reference !== undefined) throw new Error(`${reference} leads to no schema in it`);
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv.addFormat(DECIMAL_FORMAT, isDecimal);
}

/**
 * Validates records by a JSON Schema (draft 2020-12, formats asserted), which is compiled for the first of them: that takes milliseconds,
 * and a thousand resources would take them all before the first request.
 * @throws Error if the schema is not valid or refers to a schema outside itself
 */
export function createRecordValidator(schema: JsonSchema): RecordValidator {
  checkSchema(schema);
  let compiled: ValidateFunction | undefined;
  return (record) => {
    compiled ??= withFormats(new Ajv2020({ ...OPTIONS, validateSchema: false })).compile(schema);
    const validate = compiled;
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
