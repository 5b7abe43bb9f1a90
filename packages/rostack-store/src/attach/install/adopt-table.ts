import type { Work } from '../../drivers/database.ts';
import { AttachRefusedError } from '../../errors/index.ts';
import type { JsonSchema } from '../../schema/resource/resource-definition.ts';
import type { AttachedTable, Attachment, MemberColumn } from '../attachment/attachment.ts';
import { describeChange, withoutColumns } from '../attachment/layout.ts';
import { replaceTable } from '../attachment/leader-lease.ts';
import type { InspectedTable, Installer } from '../driver/installer.ts';
import { rowMapping } from '../row/column-mapping.ts';
import { KEY_TYPES } from '../source/key-type.ts';

/** Types whose values are read alike, so that a column may change from one to the other. */
const TEXTS: readonly string[] = ['text', 'varchar'];

/**
 * Continues with a table that is not the attached one, but is like it: after a restore of the database, where tables and columns have other
 * OIDs and numbers, and after changes to types that are read alike, such as from `varchar(20)` to `varchar(50)`. All installed objects have
 * to be complete. Then the whole table is compared.
 * @returns undefined if an operator has to attach the table
 * @throws DeposedError if this process no longer leads
 */
export function* adoptTable(
  installer: Installer,
  attachment: Attachment,
  records: JsonSchema,
): Work<Attachment | undefined> {
  const { schema, number, source } = attachment;
  const inspected = yield* inspect(installer, attachment);
  if (inspected === undefined) return undefined;
  const { objects, ...found } = inspected;
  const table: AttachedTable = { schema, number, ...found, source };
  if (!isReadAlike(attachment, table) || !(yield* installer.isComplete(table, objects(table))))
    return undefined;
  const { layout } = yield* installer.look(table);
  if (
    layout === null ||
    describeChange(withoutColumns(attachment.layout), withoutColumns(layout)) !== undefined
  ) {
    return undefined;
  }
  const mapping = rowMapping(table, records).digest;
  // No table has an empty stamp: the whole table is compared, and notes are dropped, whose keys may be of a type that was changed back.
  const adopted: Attachment = { ...attachment, ...table, layout, stamp: '', mapping };
  yield* replaceTable(adopted);
  return adopted;
}

function* inspect(installer: Installer, { source, columns }: Attachment): Work<InspectedTable | undefined> {
  // Columns added after the table was attached do not belong to the attachment.
  const attached = source.columns ?? columns.map(({ column, member }) => ({ column, member }));
  try {
    return yield* installer.inspect({ ...source, columns: attached }, false);
  } catch (error) {
    if (error instanceof AttachRefusedError) return undefined;
    throw error;
  }
}

function isReadAlike(before: AttachedTable, now: AttachedTable): boolean {
  const isSame = before.tableOid === now.tableOid;
  const [was, is] = [before, now].map(({ key, columns }) => [...key, ...columns]);
  return (
    before.columns.length === now.columns.length &&
    before.key.every((column, index) => {
      const other = now.key[index];
      return (
        other !== undefined &&
        KEY_TYPES[column.typeName] === KEY_TYPES[other.typeName] &&
        column.collation === other.collation
      );
    }) &&
    before.columns.every((column, index) => isColumnAlike(column, now.columns[index])) &&
    // A column with another number in the same table was renamed.
    (was ?? []).every(
      (column, index) =>
        column.column === is?.[index]?.column && (!isSame || column.number === is[index]?.number),
    )
  );
}

function isColumnAlike(before: MemberColumn, now: MemberColumn | undefined): boolean {
  return (
    now !== undefined &&
    before.member === now.member &&
    before.kind === now.kind &&
    before.isArray === now.isArray &&
    before.scale === now.scale &&
    (before.typeName === now.typeName || [before, now].every(({ typeName }) => TEXTS.includes(typeName)))
  );
}
