import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedTable } from '../../attachment/attachment.ts';
import { type InstalledObject, installedNames } from '../../attachment/installation.ts';
import { isBinary, keysDiffer } from '../../row/sqlite-row.ts';
import { triggerPrefix, type UniqueSet } from './layout.ts';

/** What can make `replace` delete a row without firing a trigger: another row with the same unique values or rowid. */
export interface ReplacedBy {
  /** Columns with their collations. */
  readonly sets: readonly UniqueSet[];
  /** A name for the rowid that no column has; undefined if the rowid is the key. */
  readonly rowid: string | undefined;
}

/**
 * The inbox and the triggers that note the keys of changed rows in the writer's transaction. They name only key columns, so other columns
 * can be dropped, and compute nothing but the time, so no value can make a write fail. A row that `replace` deletes fires no trigger unless the writer's
 * connection has `recursive_triggers`, so before a row is written, the keys of all rows that it could replace are noted. Noting a key too
 * many does no harm.
 */
export function sqliteObjects(table: AttachedTable, replacedBy: ReplacedBy): readonly InstalledObject[] {
  const { key, number, source } = table;
  const inbox = `inbox_${number}`;
  const on = quoteName(source.table);
  const names = key.map((_, index) => `k${index + 1}`).join(', ');
  const fields = (row: string) => key.map(({ column }) => `${row}.${quoteName(column)}`).join(', ');
  const note = (row: string) => `insert into ${inbox} (${names}) values (${fields(row)});`;
  const moved = `insert into ${inbox} (${names}) select ${fields('old')} where ${keysDiffer(table, 'old', 'new')};`;
  const trigger = (kind: string, event: string, body: string): InstalledObject => {
    const name = quoteName(`${triggerPrefix(number)}${kind}`);
    return {
      name: `trigger ${name}`,
      create: [`CREATE TRIGGER ${name} ${event} on ${on} for each row begin ${body} end`],
    };
  };
  const replaced = conflicts(table, replacedBy).map(
    (condition) =>
      `insert into ${inbox} (${names}) select ${fields('t')} from ${on} as t where ${condition} and ${keysDiffer(table, 't', 'new')};`,
  );
  return [
    {
      name: `table ${installedNames(table).inbox}`,
      create: [
        `create table ${installedNames(table).inbox} (number integer primary key, ${names}, noted real default (julianday('now')))`,
      ],
    },
    trigger('insert', 'after insert', note('new')),
    trigger('update', 'after update', `${moved} ${note('new')}`),
    trigger('delete', 'after delete', note('old')),
    ...(replaced.length === 0
      ? []
      : [
          trigger('replace', 'before insert', replaced.join(' ')),
          trigger('replace_by_update', 'before update', replaced.join(' ')),
        ]),
  ];
}

/** SQL: conditions for rows that a new one could replace although they have another key. */
function conflicts({ key }: AttachedTable, { sets, rowid }: ReplacedBy): readonly string[] {
  const names = JSON.stringify(key.map(({ column }) => column));
  const conditions = sets
    // The other triggers note rows with exactly the same key.
    .filter(({ columns }) => JSON.stringify(columns) !== names || !key.every(isBinary))
    .map(({ columns, collations }) =>
      columns
        .map((column, index) => {
          const name = quoteName(column ?? '');
          return `t.${name} collate ${quoteName(collations[index] ?? 'BINARY')} = new.${name}`;
        })
        .join(' and '),
    );
  return rowid === undefined ? conditions : [...conditions, `t.${rowid} = new.${rowid}`];
}
