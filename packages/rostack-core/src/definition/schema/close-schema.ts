import { parsePointer, resolvePointer } from '../../query/pointer/pointer.ts';
import { auditSchemas } from '../../schema/audit-schemas.ts';
import { isObject, type JsonSchema, keyword } from '../../schema/graph/json-schema.ts';
import { isBoundedNamePattern } from '../../schema/name-pattern.ts';
import type { JsonValue } from '../../text/json.ts';

type Editable = Record<string, JsonValue>;

const IN_PLACE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];
const NAMING = ['properties', 'patternProperties', 'required'];

/**
 * Closes every object location that names its members but allows others. Objects that are open on purpose
 * (`additionalProperties: true`, or no named members) stay open, and the audit reports them.
 * @param schemas by URL; they may refer to each other, and are edited in place
 */
export function closeSchemas(schemas: ReadonlyMap<string, JsonSchema>): void {
  for (const { kind, url, path } of auditSchemas(schemas)) {
    if (kind === 'schema_valued_closure') turnMapIntoPatterns(schemas.get(url) ?? {}, path);
  }
  for (const { kind, url, path } of auditSchemas(schemas)) {
    if (kind === 'open_object') close(editableAt(schemas.get(url) ?? {}, path));
  }
}

function close(location: Editable | undefined): void {
  if (location === undefined || 'additionalProperties' in location || 'unevaluatedProperties' in location)
    return;
  if (IN_PLACE.some((name) => Object.hasOwn(location, name))) location['unevaluatedProperties'] = false;
  else if (NAMING.some((name) => Object.hasOwn(location, name))) location['additionalProperties'] = false;
}

/** Rewrites `additionalProperties` with a rule for names as bounded `patternProperties` or as named members. */
function turnMapIntoPatterns(schema: JsonSchema, path: string): void {
  const holder = editableAt(schema, path.slice(0, path.lastIndexOf('/')));
  if (holder === undefined || !path.endsWith('/additionalProperties')) return;
  const { additionalProperties: member, propertyNames: names } = holder;
  if (member === undefined || !isObject(names) || NAMING.slice(0, 2).some((name) => name in holder)) return;
  const listed = keyword(names, 'enum');
  const pattern = keyword(names, 'pattern');
  if (Array.isArray(listed)) {
    holder['properties'] = Object.fromEntries(
      listed.map((name): [string, JsonValue] => [String(name), member]),
    );
  } else if (typeof pattern === 'string' && isBoundedNamePattern(pattern)) {
    holder['patternProperties'] = { [pattern]: member };
  } else return;
  delete holder['propertyNames'];
  holder['additionalProperties'] = false;
}

function editableAt(schema: JsonSchema, pointer: string): Editable | undefined {
  const value = resolvePointer(schema, parsePointer(pointer));
  return isObject(value) ? value : undefined;
}
