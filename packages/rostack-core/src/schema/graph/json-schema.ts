import type { JsonObject, JsonValue } from '../../text/json.ts';

/** A JSON Schema object (draft 2020-12). */
export type JsonSchema = JsonObject;

/** A schema or one of its parts: `true` accepts everything, `false` nothing. */
export type AnySchema = JsonSchema | boolean;

export const isObject = (value: JsonValue | undefined): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSchema = (value: JsonValue | undefined): value is AnySchema =>
  typeof value === 'boolean' || isObject(value);

/** An own member of a schema; JSON Schema keywords are never inherited. */
export const keyword = (schema: AnySchema, name: string): JsonValue | undefined =>
  typeof schema !== 'boolean' && Object.hasOwn(schema, name) ? schema[name] : undefined;

/** Whether a schema says outright that no value is valid: `false`, `not: true`, `not: {}`. */
export function refusesEverything(schema: AnySchema): boolean {
  const not = keyword(schema, 'not');
  return schema === false || not === true || (isObject(not) && Object.keys(not).length === 0);
}
