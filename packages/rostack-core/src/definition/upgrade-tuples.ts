import type { JsonObject, JsonValue } from '../json.ts';
import { formatPointer, parsePointer } from '../pointer/pointer.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/**
 * Turns the tuples of draft 2019-09 (`items` as an array, `additionalItems`) into those of 2020-12 (`prefixItems`, `items`),
 * and the references that lead through them.
 */
export function upgradeTuples(root: JsonSchema): JsonSchema {
  const upgrade = (value: JsonValue): JsonValue => {
    if (isArray(value)) return value.map(upgrade);
    if (typeof value !== 'object' || value === null) return value;
    const tuple = isArray(value['items']);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (name === '$ref' && typeof member === 'string') return [name, upgradeReference(root, member)];
        if (tuple && name === 'items') return ['prefixItems', upgrade(member)];
        if (tuple && name === 'additionalItems') return ['items', upgrade(member)];
        return [name, upgrade(member)];
      }),
    );
  };
  return upgrade(root) as JsonSchema;
}

const isArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

function upgradeReference(root: JsonSchema, reference: string): string {
  if (!reference.startsWith('#/')) return reference;
  let here: JsonValue | undefined = root;
  const path = parsePointer(reference.slice(1)).map((token) => {
    const holder: JsonValue | undefined = here;
    here = typeof holder === 'object' && holder !== null ? (holder as JsonObject)[token] : undefined;
    const isTuple = typeof holder === 'object' && holder !== null && isArray((holder as JsonObject)['items']);
    if (isTuple && token === 'items') return 'prefixItems';
    return isTuple && token === 'additionalItems' ? 'items' : token;
  });
  return `#${formatPointer(path)}`;
}
