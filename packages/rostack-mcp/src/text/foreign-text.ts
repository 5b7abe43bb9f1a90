import { escapeLine, type JsonObject, type JsonValue } from 'rostack-core';

const MAX_TEXT_LENGTH = 500;
const MAX_SCHEMA_BYTES = 65_536;
/** Members of a schema that are text for people. */
const PROSE: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'default']);

/** Text of the server for a tool's description: one line without control characters, 500 characters at most. */
export function foreignText(text: string, maxLength = MAX_TEXT_LENGTH): string {
  // Cut first: what is escaped is longer.
  const start = text.slice(0, maxLength).toWellFormed();
  const line = escapeLine(start.replaceAll(/\s+/gu, ' ')).trim();
  const isCut = text.length > maxLength || line.length > maxLength;
  return isCut ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/**
 * A schema that was made of schemas of the server, as the input of a tool: without prose and without values that hide something. Undefined
 * if it is too large.
 */
export function foreignSchema(schema: JsonObject): JsonObject | undefined {
  const clean = withoutProse(schema) as JsonObject;
  return Buffer.byteLength(JSON.stringify(clean)) > MAX_SCHEMA_BYTES ? undefined : clean;
}

/** @param isNames whether the members are names of fields, not words of JSON Schema */
function withoutProse(value: JsonValue, isNames = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => isNames || !(PROSE.has(name) || (isOfValues(name) && hides(member))),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => {
      if (!isNames && isOfValues(name)) return [name, member];
      return [name, withoutProse(member, !isNames && (name === 'properties' || name === '$defs'))];
    }),
  );
}

const isOfValues = (name: string): boolean => name === 'enum' || name === 'const' || name === 'pattern';

const hides = (value: JsonValue): boolean => {
  const text = JSON.stringify(value);
  return escapeLine(text) !== text || /\\u00[01]/.test(text);
};
