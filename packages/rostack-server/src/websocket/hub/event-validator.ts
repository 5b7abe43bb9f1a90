import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { EventDescriptor, JsonObject, JsonValue } from 'rostack-core';

/** Finds what is wrong with an event's data by its schema: JSON Pointer and fault each; empty when nothing is. */
export type EventValidator = (descriptor: EventDescriptor, data: JsonValue) => readonly string[];

/** Compiles each schema when the first event needs it; data whose schema is not given counts as valid. */
export function createEventValidator(schemas: ReadonlyMap<string, JsonObject | boolean>): EventValidator {
  const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, logger: false });
  addFormats.default(ajv);
  for (const [url, schema] of schemas) ajv.addSchema(schema, url);
  const compiled = new Map<string, ValidateFunction | undefined>();
  return ({ schema_url: url }, data) => {
    if (!compiled.has(url)) compiled.set(url, ajv.getSchema(url));
    const validate = compiled.get(url);
    if (validate === undefined || validate(data)) return [];
    return (validate.errors ?? []).map(describe);
  };
}

/** Names the place and the rule; the value itself is never repeated. */
function describe({ instancePath, message, keyword }: ErrorObject): string {
  return `${instancePath}: ${message ?? `fails the keyword ${keyword}`}`;
}
