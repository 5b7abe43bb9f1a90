import type { JsonObject, Resource, TypeMismatch } from 'rostack-core';
import { parseFilter } from 'rostack-core/filter';
import { bundledRecordSchema, findTypeMismatches } from 'rostack-core/records';
import type { JsonApi } from './json-api.ts';
import { readRecordSchemas } from './read-record-schemas.ts';

/**
 * Sentences about comparisons that match nothing, or everything, since the field never has a value of the operand's type.
 * @throws ClientError when the schema cannot be read
 */
export async function adviseOnFilter(
  api: JsonApi,
  resource: Resource,
  filter: JsonObject,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const schemas = await readRecordSchemas(api, resource, signal);
  const schema = bundledRecordSchema(resource, schemas);
  const mismatches = schema === undefined ? [] : findTypeMismatches(parseFilter(filter), schema);
  return mismatches.map((mismatch) => sentenceOf(resource, mismatch));
}

function sentenceOf({ name }: Resource, { pointer, operator, operand, types }: TypeMismatch): string {
  const matched = operator === 'ne' || operator === 'nin' ? 'every record' : 'nothing';
  const comparison = `{"${operator}":${JSON.stringify(operand)}}`;
  return `the filter of ${name} matches ${matched} by ${pointer} ${comparison}: the field is ${types.join(' or ')}, and no type converts to another`;
}
