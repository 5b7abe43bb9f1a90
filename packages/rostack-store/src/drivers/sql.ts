/** A statement as a driver takes it: its text with a placeholder for each value, and these. */
export interface SqlText {
  readonly text: string;
  readonly values: readonly unknown[];
}

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

  /** @param placeholder of the value with a number, from 1 on */
  write(placeholder: (number: number) => string): SqlText {
    const values: unknown[] = [];
    return { text: this.#append('', values, placeholder), values };
  }

  #append(before: string, values: unknown[], placeholder: (number: number) => string): string {
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
