import type { JsonObject, JsonSchema, JsonValue, Projection } from 'rostack-core';

function objectAt(schema: JsonSchema, keyword: string): JsonObject {
  const value = schema[keyword];
  return isObject(value) ? value : {};
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of the members that a record's schema declares at its root. */
export const declaredMembers = (schema: JsonSchema): readonly string[] =>
  Object.keys(objectAt(schema, 'properties'));

/** The schema of records that keep only these members. */
export function pickSchema(schema: JsonSchema, members: readonly string[]): JsonSchema {
  const properties = objectAt(schema, 'properties');
  const { required, $defs } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member, properties[member] ?? {}])),
    required: Array.isArray(required) ? required.filter((name) => members.includes(String(name))) : [],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** Makes event data of the members of the record after the change, or before a delete. */
export const pickMembers =
  (members: readonly string[]): Projection['project'] =>
  ({ before, after }) => {
    const state = Object.entries(after ?? before ?? {});
    return Object.fromEntries(state.filter(([name]) => members.includes(name)));
  };
