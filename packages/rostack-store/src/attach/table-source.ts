import { aText, listOf, type OptionCheck, optional, optionsOf } from 'rostack-core';
import { AttachRefusedError } from '../errors/index.ts';
import { checkOption } from '../options/check-option.ts';
import { resolveResource } from '../resource/resolve-resource.ts';
import type { Resource } from '../resource/resource.ts';
import type { ResourceDefinition } from '../resource/resource-definition.ts';

/** A column under another name. */
export interface SourceColumn {
  readonly column: string;
  /** Member of the record that holds it. */
  readonly member: string;
}

/** An existing table of the store's own PostgreSQL database that a resource shows. */
export interface TableSource {
  /**
   * `schema.name`, or a name in the schema `public`; as PostgreSQL keeps it, so case counts. A name with dots, blanks or quotes is
   * written in double quotes, and its quotes twice: `app."daily ""best"""`.
   */
  readonly table: string;
  /**
   * Column that tells the rows apart: unique, not null; it becomes the member that the resource's idPointer names. Several columns, in
   * the order of their unique index, become one id: their texts with commas in between, where `~` is written `~0` and `,` is written `~1`.
   */
  readonly key: string | readonly string[];
  /** The columns that records have. A key of one column may be among them or not; those of several are members only if they are. @default all, as they are when the table is attached */
  readonly columns?: readonly (string | SourceColumn)[] | undefined;
}

const aKey: OptionCheck = (value, name) => (Array.isArray(value) ? listOf(aText) : aText)(value, name);
const aColumn: OptionCheck = (value, name) =>
  (typeof value === 'string' ? aText : optionsOf<SourceColumn>({ column: aText, member: aText }))(
    value,
    name,
  );

export const tableSource = optionsOf<TableSource>({
  table: aText,
  key: aKey,
  columns: optional(listOf(aColumn)),
});

/** A source with nothing left open; what two processes compare as text. */
export interface ResolvedSource {
  readonly schema: string;
  readonly table: string;
  /** One column, or several. */
  readonly key: string | readonly string[];
  /** Member that holds the id. */
  readonly keyMember: string;
  /** Column and member; a key of one column is not among them. Null: all. */
  readonly columns: readonly (readonly [column: string, member: string])[] | null;
}

/** @throws StoreOptionsError for a source that is none; AttachRefusedError when the resource cannot be fed by a table, or a member comes twice */
export function resolveSource(source: TableSource, resource: Resource): ResolvedSource {
  checkOption(tableSource, source, 'source');
  const [first, second] = tableNames(source.table, resource);
  const key = keyOf(source, resource);
  const columns =
    source.columns
      ?.map((entry): [string, string] =>
        typeof entry === 'string' ? [entry, entry] : [entry.column, entry.member],
      )
      .filter(([column]) => column !== key) ?? null;
  const keyMember = keyMemberOf(resource);
  const members = [keyMember, ...(columns ?? []).map(([, member]) => member)];
  const twice = members.find((member, index) => members.indexOf(member) !== index);
  if (twice !== undefined) {
    throw new AttachRefusedError(`${resource.name}: two columns become the member ${JSON.stringify(twice)}`);
  }
  return {
    schema: second === undefined ? 'public' : first,
    table: second ?? first,
    key,
    keyMember,
    columns,
  };
}

/**
 * Checks without a database whether a table may be the source of a resource; `attachTable` then looks at the table itself.
 * @throws AttachRefusedError `attach_refused`
 * @throws StoreOptionsError `store_options_invalid` when the definition cannot be used
 */
export function checkTableSource(source: TableSource, definition: ResourceDefinition): void {
  resolveSource(source, resolveResource(definition));
}

const NAME = /"(?:[^"]|"")+"|[^\s".]+/u.source;
const TABLE = new RegExp(`^(${NAME})(?:\\.(${NAME}))?$`, 'u');

function tableNames(table: string, { name }: Resource): readonly [string, string | undefined] {
  const [, first, second] = TABLE.exec(table) ?? [];
  if (first !== undefined) return [nameOf(first), second === undefined ? undefined : nameOf(second)];
  throw new AttachRefusedError(
    `${name}: ${JSON.stringify(table)} is not schema.table; write names with dots, blanks or quotes in double quotes`,
  );
}

function nameOf(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}

/** The server's indexes have no more. */
const MAX_KEY_COLUMNS = 32;

function keyOf({ key }: TableSource, { name }: Resource): string | readonly string[] {
  const [first, ...others] = typeof key === 'string' ? [key] : key;
  if (first === undefined || others.length >= MAX_KEY_COLUMNS) {
    throw new AttachRefusedError(`${name}: the key has 1 to ${MAX_KEY_COLUMNS} columns`);
  }
  const columns = [first, ...others];
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) {
    throw new AttachRefusedError(`${name}: the key has the column ${JSON.stringify(twice)} twice`);
  }
  return others.length === 0 ? first : columns;
}

function keyMemberOf({ name, idPath, events }: Resource): string {
  const transitions = [...events.values()];
  const ambiguous = transitions.find((transition, index) => transitions.indexOf(transition) !== index);
  if (ambiguous !== undefined) {
    throw new AttachRefusedError(
      `${name}: a table tells of one event per transition, but several are declared for ${ambiguous}: keep one`,
    );
  }
  const [member, ...deeper] = idPath;
  if (member !== undefined && deeper.length === 0) return member;
  throw new AttachRefusedError(
    `${name}: the id pointer has to name a member of the record itself, such as /id`,
  );
}

/** For people, and as a source has it: `public.observations`. */
export function tableNameOf({ schema, table }: ResolvedSource): string {
  return [schema, table]
    .map((name) => (/[\s".]/u.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join('.');
}
