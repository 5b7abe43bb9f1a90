import type { Buffer } from 'node:buffer';
import type * as Postgres from 'pg';
import type { Connection, CustomTypesConfig } from 'pg';
import type { Row } from '../../dialect/query.ts';
import type { Once } from '../../dialect/sql.ts';
import { JoinedTexts } from './joined-texts.ts';

/** A column of a result, and the parser of its values' text. */
interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** The methods between the driver and its queries that its types do not declare. */
interface DriverQuery {
  readonly name: string | undefined;
  readonly values: readonly unknown[];
  submit(connection: Connection): Error | null;
  hasBeenParsed(connection: Connection): boolean;
}

type TypeId = Parameters<CustomTypesConfig['getTypeParser']>[0];

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: TypeId }[];
}

type Settle = {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
};

/** A query for the driver's `client.query`. @param name of the prepared statement; undefined: it has none */
export type QueryClass = new (query: Once, name: string | undefined, settle: Settle) => Postgres.Query;

/**
 * Makes the class of queries that run often. The server describes the columns of a prepared statement only once, not with each result:
 * parsing the description costs as much as parsing the values.
 */
export function queryClassOf(driver: typeof Postgres, { getTypeParser }: CustomTypesConfig): QueryClass {
  const Base = driver.Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery;
  /** By statement name, of which there are few. */
  const described = new Map<string, readonly Column[]>();

  class PostgresQuery extends Base {
    override readonly name: string | undefined;
    readonly #settle: Settle;
    readonly #rows: Row[] = [];
    readonly #texts: JoinedTexts | undefined;
    #columns: readonly Column[] | undefined;

    constructor({ sql, parameters, joinsTexts }: Once, name: string | undefined, settle: Settle) {
      super(sql, parameters);
      this.name = name;
      this.#settle = settle;
      this.#texts = joinsTexts === true ? new JoinedTexts() : undefined;
    }

    override submit(connection: Connection): Error | null {
      this.#columns = this.name === undefined ? undefined : described.get(this.name);
      if (this.#columns === undefined || !this.hasBeenParsed(connection)) return super.submit(connection);
      // All messages leave in one write.
      connection.stream.cork();
      connection.bind({ statement: this.name ?? '', values: this.values.map(toParameter) }, true);
      connection.execute({}, true);
      connection.sync();
      connection.stream.uncork();
      return null;
    }

    handleRowDescription({ fields }: RowDescription): void {
      this.#columns = fields.map(({ name, dataTypeID }) => ({
        name,
        read: getTypeParser(dataTypeID, 'text'),
      }));
      if (this.name !== undefined) described.set(this.name, this.#columns);
    }

    handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
      if (this.#texts !== undefined) {
        this.#texts.add(fields[0] ?? null);
        return;
      }
      const row: Record<string, unknown> = {};
      let index = 0;
      for (const { name, read } of this.#columns ?? []) {
        const text = fields[index] ?? null;
        row[name] = text === null ? null : read(text);
        index += 1;
      }
      this.#rows.push(row);
    }

    handleCommandComplete(): void {}

    handleReadyForQuery(): void {
      this.#settle.resolve(this.#texts?.rows ?? this.#rows);
    }

    handleError(error: unknown): void {
      this.#settle.reject(error);
    }
  }
  return PostgresQuery as unknown as QueryClass;
}

/** A parameter as the driver sends it: numbers as text. These statements only take texts, numbers and bytes. */
function toParameter(value: unknown): Buffer | string {
  return typeof value === 'number' ? String(value) : (value as Buffer | string);
}
