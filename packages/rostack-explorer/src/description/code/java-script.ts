import type { JsonValue } from 'rostack-core';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A JSON value as a JavaScript expression on one line, as a person would write it: `{ '/quality': { eq: 'verified' } }`. */
export function toJavaScript(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toJavaScript).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${IDENTIFIER.test(name) ? name : quoted(name)}: ${toJavaScript(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** An expression that reads a member inside an object: `record.wind.speed_mps`, `record['a-b']`. */
export function memberAccess(object: string, tokens: readonly string[]): string {
  return tokens.reduce(
    (before, name) => (IDENTIFIER.test(name) ? `${before}.${name}` : `${before}[${quoted(name)}]`),
    object,
  );
}

function quoted(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}
