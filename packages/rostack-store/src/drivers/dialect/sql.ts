/** A statement with its parameters. */
export interface Once {
  readonly kind: 'once';
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** It stays prepared in each connection of PostgreSQL, in a transaction too, so there should be few of its kind. */
  readonly isKept?: true;
  /** Parameters are written `$1`, `$2` on SQLite too, where `?` is what others write. */
  readonly isNumbered?: true;
  /**
   * Rows are texts: the first is the JSON of a row, or null if there is none, to which the others become `found` and `bodies`; see
   * `withTexts`. PostgreSQL does that for what it is asked (`Database.ask`), where no read has to be repeated as a long one.
   */
  readonly joinsTexts?: true;
}

/** What stands for a value in the text of a statement. @param number which of its values, from 1 on */
export type Placeholder = (number: number) => string;

/**
 * A piece of SQL: texts with a value or another piece between each two. Pieces stay apart until the whole statement is written: to join
 * their texts at every level takes longer.
 */
export class Sql {
  readonly #texts: readonly string[];
  readonly #between: readonly unknown[];
  /** Stands where there is no text. */
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

/** A piece of SQL; values in it become parameters, pieces become a part of it. */
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

/** SQL: a name of a table, a column or another thing, in either database. */
export function quoteName(name: string): string {
  return `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`;
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
