/** A statement with its parameters. */
export interface Once {
  readonly kind: 'once';
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** PostgreSQL keeps it prepared in each connection, also in a transaction, so there should be few such statements. */
  readonly isKept?: true;
  /** Parameters are written `$1`, `$2` on SQLite too, instead of `?`. */
  readonly isNumbered?: true;
  /**
   * Rows are texts: the first is the JSON of a row, or null if there is none; the others become its `found` and `bodies`; see `withTexts`.
   * Only PostgreSQL supports it, and only in `Database.query`: there no statement is repeated as a long read.
   */
  readonly joinsTexts?: true;
}

/** Writes the placeholder of a value. @param number of the value, from 1 on */
export type Placeholder = (number: number) => string;

/**
 * A piece of SQL: texts with a value or another piece between each two. Pieces stay separate until the whole statement is written, because
 * joining their texts at every level takes longer.
 */
export class Sql {
  readonly #texts: readonly string[];
  readonly #between: readonly unknown[];
  /** Used where there is no text. */
  readonly #separator: string;

  constructor(texts: readonly string[], between: readonly unknown[], separator = '') {
    this.#texts = texts;
    this.#between = between;
    this.#separator = separator;
  }

  write(placeholder: Placeholder): Once {
    const parameters: unknown[] = [];
    return { kind: 'once', sql: this.#append('', parameters, placeholder), parameters };
  }

  #append(before: string, values: unknown[], placeholder: Placeholder): string {
    const texts = this.#texts;
    const between = this.#between;
    let text = before + texts[0];
    for (let index = 0; index < between.length; index += 1) {
      const part = between[index];
      if (part instanceof Sql) text = part.#append(text, values, placeholder);
      else text += placeholder(values.push(part));
      text += texts[index + 1] ?? (index + 1 < between.length ? this.#separator : '');
    }
    return text;
  }
}

const NOTHING: readonly unknown[] = [];
const NO_TEXT = [''];

/** A piece of SQL; interpolated values become parameters, interpolated pieces become a part of it. */
function tag(texts: TemplateStringsArray, ...between: readonly unknown[]): Sql {
  return new Sql(texts, between);
}

function raw(text: string): Sql {
  return new Sql([text], NOTHING);
}

function join(parts: readonly unknown[], separator = ', '): Sql {
  return new Sql(NO_TEXT, parts, separator);
}

/** The most selects that are joined by `union all`; SQLite takes at most 500. */
export const MAX_JOINED_SELECTS = 200;

/** SQL: a quoted name of a table, column or other object, for either database. */
export function quoteName(name: string): string {
  return `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`;
}

/** SQL: a text literal for PostgreSQL, whatever its setting for backslashes is. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Text that is SQL. */
function literal(value: string | number): Sql {
  return raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);
}

export const sql = Object.assign(tag, {
  /** A name of a table, column or other object. */
  id: (name: string): Sql => raw(quoteName(name)),
  /** A value as a literal. */
  lit: literal,
  /** Text that is SQL. */
  raw,
  join,
});

/** A query that runs once. */
export function once({ placeholder }: { readonly placeholder: Placeholder }, statement: Sql): Once {
  return statement.write(placeholder);
}

/** The text of a statement, with a placeholder for each value. */
export function textOf({ placeholder }: { readonly placeholder: Placeholder }, statement: Sql): string {
  return statement.write(placeholder).sql;
}
