import {
  aString,
  DECIMAL_FORMAT,
  fieldCollation,
  fieldTypes,
  formatPointer,
  type JsonObject,
  listOf,
  type OptionCheck,
  oneOf,
  optional,
  optionsOf,
} from 'rostack-core';
import { AttachRefusedError } from '../../errors/index.ts';
import { wantsInteger } from '../../schema/resource/record-id.ts';
import { resolveResource } from '../../schema/resource/resolve-resource.ts';
import type { Resource } from '../../schema/resource/resource.ts';
import type { ResourceDefinition } from '../../schema/resource/resource-definition.ts';
import { checkOption } from '../../store/options/check-option.ts';

/** A column under another name, or shown in a special way. */
export interface SourceColumn {
  /** Name of the column in the table, exactly as in the database. */
  readonly column: string;
  /** Member of the record that holds it. @default the column's name */
  readonly member?: string | undefined;
  /**
   * `decimal-string`: integers and `numeric` become strings with all digits, as PostgreSQL prints them, for a member whose schema says `{
   * type: string, format: decimal }`; it compares by number. `text`: a column of any type of PostgreSQL, also one of an extension such as
   * `citext`, becomes the text that the server prints for it. `json-text`: JSON of any form becomes its text, for a member whose schema
   * says `{ type: string }`: a column of `json` or `jsonb`, on SQLite texts that are JSON.
   * @default as the type and the schema determine
   */
  readonly as?: 'decimal-string' | 'text' | 'json-text' | undefined;
}

/** An existing table of the store's own database that a resource shows. */
export interface TableSource {
  /**
   * `schema.name`, or a name in the schema `public`; exactly as in PostgreSQL, so case matters. Put a name with dots, blanks or quotes in
   * double quotes, and double its quotes: `app."daily ""best"""`. On SQLite it is a table of the store's file, whose schema is `main`.
   */
  readonly table: string;
  /**
   * Column that identifies the rows: unique, not null. It becomes the member that the resource's idPointer names: a string, or an integer
   * if the column holds integers and the schema allows numbers but no strings. Several columns, in the order of their unique index,
   * become one id: their texts joined with commas, with `~` written as `~0` and `,` as `~1`.
   */
  readonly key: string | readonly string[];
  /**
   * The columns that records have. A key of one column may be among them or not; columns of a longer key become members only if they are.
   * @default all, as they are when the table is attached
   */
  readonly columns?: readonly (string | SourceColumn)[] | undefined;
}

const aKey: OptionCheck = (value, name) => (Array.isArray(value) ? listOf(aString) : aString)(value, name);
const aSourceColumn = optionsOf<SourceColumn>({
  column: aString,
  member: optional(aString),
  as: optional(oneOf('decimal-string', 'text', 'json-text')),
});
const aColumn: OptionCheck = (value, name) =>
  (typeof value === 'string' ? aString : aSourceColumn)(value, name);
const aSource = optionsOf<TableSource>({ table: aString, key: aKey, columns: optional(listOf(aColumn)) });

/** A column with its member. */
export interface ResolvedColumn {
  readonly column: string;
  readonly member: string;
  readonly as?: 'decimal-string' | 'text' | 'json-text';
}

/** A source with everything filled in; two processes compare it as text. */
export interface ResolvedSource {
  readonly schema: string;
  readonly table: string;
  readonly key: readonly string[];
  /** Member that holds the id. */
  readonly keyMember: string;
  /** A key of one column is not among them. Null means all. */
  readonly columns: readonly ResolvedColumn[] | null;
}

const NAME = /"(?:[^"]|"")+"|[^\s".]+/u.source;
const TABLE = new RegExp(`^(?:(${NAME})\\.)?(${NAME})$`, 'u');
/** The server's indexes cannot have more. */
const MAX_KEY_COLUMNS = 32;

/**
 * @throws StoreOptionsError for an invalid source; AttachRefusedError if the resource cannot be fed by a table, or a member comes twice
 * @param plainSchema of a table whose name is given without one
 */
export function resolveSource(
  source: TableSource,
  resource: Resource,
  plainSchema = 'public',
): ResolvedSource {
  checkOption(aSource, source, 'source');
  const refuseIf = (isAtFault: boolean, reason: string) => {
    if (isAtFault) throw new AttachRefusedError(`${resource.name}: ${reason}`);
  };
  const [, schema = plainSchema, table = ''] = TABLE.exec(source.table) ?? [];
  refuseIf(
    table === '',
    `${JSON.stringify(source.table)} is not schema.table; write names with dots, blanks or quotes in double quotes`,
  );
  const key = typeof source.key === 'string' ? [source.key] : source.key;
  refuseIf(
    key.length === 0 || key.length > MAX_KEY_COLUMNS,
    `the key has 1 to ${MAX_KEY_COLUMNS} columns; name as many`,
  );
  const keyTwice = repeated(key);
  refuseIf(keyTwice !== undefined, `the key has the column ${JSON.stringify(keyTwice)} twice; name it once`);
  const ambiguous = repeated([...resource.events.values()]);
  refuseIf(
    ambiguous !== undefined,
    `a table has one event per transition, but several are declared for ${ambiguous}: keep one`,
  );
  const [keyMember = '', ...deeper] = resource.idPath;
  refuseIf(
    resource.idPath.length === 0 || deeper.length > 0,
    'the id pointer has to name a member of the record itself, such as /id',
  );
  refuseIf(
    key.length > 1 && wantsInteger(resource.schema, resource.idPath),
    `several columns become one id, a string, but the schema wants the member ${JSON.stringify(keyMember)} to be an integer; let the schema say that it is a string`,
  );
  const columns = source.columns
    ?.map((entry): SourceColumn => (typeof entry === 'string' ? { column: entry } : entry))
    .filter(({ column }) => key.length > 1 || column !== key[0])
    .map(({ column, member = column, as }): ResolvedColumn => ({ column, member, ...(as && { as }) }));
  const twice = repeated([keyMember, ...(columns ?? []).map(({ member }) => member)]);
  refuseIf(
    twice !== undefined,
    `two columns become the member ${JSON.stringify(twice)}; rename one of them, or leave it out`,
  );
  for (const { column, member } of columns?.filter(({ as }) => as === 'decimal-string') ?? []) {
    refuseIf(
      typeof resource.schema === 'boolean' ||
        fieldCollation(resource.schema as JsonObject, formatPointer([member])) !== DECIMAL_FORMAT,
      `the column ${column} is to be a decimal-string, but the schema does not declare one for the member ${JSON.stringify(member)}; write { type: string, format: decimal } there`,
    );
  }
  for (const { column, member } of columns?.filter(({ as }) => as === 'json-text') ?? []) {
    const types =
      typeof resource.schema === 'boolean'
        ? undefined
        : fieldTypes(resource.schema as JsonObject, formatPointer([member]));
    refuseIf(
      types?.has('string') === false,
      `the column ${column} is to be the text of its JSON, but the schema does not allow a string for the member ${JSON.stringify(member)}; write { type: string } there`,
    );
  }
  return { schema: nameOf(schema), table: nameOf(table), key, keyMember, columns: columns ?? null };
}

/**
 * Checks without a database whether a table may be the source of a resource; `attachTable` then looks at the table itself.
 * @throws AttachRefusedError `attach_refused`
 * @throws StoreOptionsError `store_options_invalid` if the definition cannot be used
 */
export function checkTableSource(source: TableSource, definition: ResourceDefinition): void {
  resolveSource(source, resolveResource(definition));
}

/** The first value that occurs a second time. */
export function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

function nameOf(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}

/** The name for messages, in the form that a source uses: `public.observations`. */
export function tableNameOf({ schema, table }: ResolvedSource): string {
  return [schema, table]
    .map((name) => (/[\s".]/u.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join('.');
}
