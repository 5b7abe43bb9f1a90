import type { Row } from '../../../drivers/dialect/query.ts';
import type { Once } from '../../../drivers/dialect/sql.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import type { LayoutLook } from '../../attachment/layout.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { IMAGE_SETTINGS } from '../../row/row-image.ts';
import { layoutQuery } from '../install/layout.ts';

/**
 * Runs a read of the leader in its own transaction: if this process hangs, it holds no lock that applications wait for.
 * @param settings as `database.queryWith` takes them
 */
export async function read<T extends object>(
  resource: AttachedResource,
  text: string,
  parameters: readonly unknown[] = [],
  settings: readonly string[] = [],
): Promise<readonly T[]> {
  const [rows] = await readAll(resource, [{ kind: 'once', sql: text, parameters }], settings);
  return rows as readonly T[];
}

/** With the number of the table's attachment. */
interface NumberedLook extends LayoutLook {
  readonly number: number;
}

/** The rows read, and the state of the tables. */
export interface ReadWithLooks<T> {
  readonly rows: readonly T[];
  readonly looks: readonly NumberedLook[];
}

/**
 * As `read`, and then reads the state of the attachments' tables in the same transaction. Reading a table locks its definition until then,
 * so if it is as it was attached, so it was when its rows were read.
 * @param isKept whether the statement stays prepared
 */
export async function readWithLooks<T extends object>(
  resource: AttachedResource,
  tables: readonly Attachment[],
  text: string,
  parameters: readonly unknown[] = [],
  settings: readonly string[] = [],
  isKept = false,
): Promise<ReadWithLooks<T>> {
  const query: Once = { kind: 'once', sql: text, parameters, ...(isKept && { isKept }) };
  const queries = [query, layoutQuery(...tables)];
  const [rows, looks] = await readAll(resource, queries, settings);
  return { rows: rows as readonly T[], looks: looks as unknown as readonly NumberedLook[] };
}

function readAll(
  { parts }: AttachedResource,
  queries: readonly Once[],
  settings: readonly string[],
): Promise<readonly (readonly Row[])[]> {
  const { database } = parts;
  if (database.queryWith === undefined) throw new TypeError('transactions of the database have no settings');
  return database.queryWith(queries, [...IMAGE_SETTINGS, ...settings]);
}
