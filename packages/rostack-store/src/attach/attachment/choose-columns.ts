import { AttachRefusedError } from '../../errors/index.ts';
import { type ResolvedColumn, type ResolvedSource, repeated, tableNameOf } from '../source/table-source.ts';
import type { MemberColumn } from './attachment.ts';

interface NamedColumn {
  readonly column: string;
}

/** @throws AttachRefusedError if the table has no such column */
export function findColumn<Column extends NamedColumn>(
  rows: readonly Column[],
  column: string,
  source: ResolvedSource,
): Column {
  const row = rows.find((candidate) => candidate.column === column);
  if (row !== undefined) return row;
  throw new AttachRefusedError(
    `${tableNameOf(source)} has no column ${JSON.stringify(column)}; its columns: ${rows.map((each) => each.column).join(', ')}`,
  );
}

/**
 * The columns of a table that become members: those that the source names, or all but a key of one column.
 * @throws AttachRefusedError if two become the same member, or a column is missing
 */
export function chooseColumns<Column extends NamedColumn>(
  rows: readonly Column[],
  source: ResolvedSource,
  toMember: (row: Column, as: ResolvedColumn, source: ResolvedSource) => MemberColumn,
): readonly MemberColumn[] {
  const [first, ...others] = source.key;
  const all: readonly ResolvedColumn[] = rows
    .filter(({ column }) => others.length > 0 || column !== first)
    .map(({ column }) => ({ column, member: column }));
  const chosen = source.columns ?? all;
  const twice = repeated([source.keyMember, ...chosen.map(({ member }) => member)]);
  if (twice !== undefined) {
    throw new AttachRefusedError(
      `two columns of ${tableNameOf(source)} become the member ${JSON.stringify(twice)}: choose columns`,
    );
  }
  return chosen.map((each) => toMember(findColumn(rows, each.column, source), each, source));
}
