import template, { empty, join, type RawValue, raw, type Sql } from 'sql-template-tag';

export type { Sql };

/** A piece of SQL; values in it become parameters, pieces become a part of it. */
function tag(strings: TemplateStringsArray, ...values: readonly RawValue[]): Sql {
  return template(strings, ...values);
}

/** SQL: a name of a table, a column or another thing, in either database. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQL: a text in PostgreSQL, whatever its setting for backslashes in texts is. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Text that is SQL. */
function literal(value: string | number): Sql {
  return raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);
}

export const sql = Object.assign(tag, {
  /** A name of a table, a column or another thing. */
  id: (name: string): Sql => raw(quoteName(name)),
  /** A value that becomes a part of the text. */
  lit: literal,
  /** Text that is SQL. */
  raw,
  join: (parts: readonly RawValue[], separator = ', '): Sql =>
    parts.length === 0 ? empty : join([...parts], separator),
});
