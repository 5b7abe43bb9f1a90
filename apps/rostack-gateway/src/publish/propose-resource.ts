import { type JsonObject, type Transition } from 'rostack-core';
import { type CatalogueColumn, type CatalogueTable, qualifiedName } from './catalogue/catalogue.ts';
import { nullable, type SourceAs } from './catalogue/column-schema.ts';

/** Columns with at most this many distinct values are filterable even without an index. */
const FEW_VALUES = 100;
/** Id member of records whose key has several columns. */
const COMPOSITE_KEY_MEMBER = 'row_key';
const KEY_SEPARATOR_NOTE = 'The columns of the key, joined with commas.';

/** A resource, with what is needed to write its configuration and schema. */
export interface ProposedResource {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: JsonObject;
  /** JSON Pointer of the id. */
  readonly id: string;
  readonly permission: string;
  /** The table that its records come from; undefined if they come from a file. */
  readonly source: ProposedSource | undefined;
  /** JSON Pointers. */
  readonly filterable: readonly string[];
  readonly sortable: readonly string[];
  /** JSON Pointers of stored members that are visible only with `hiddenPermission`. */
  readonly hidden: readonly string[];
  readonly hiddenPermission: string;
  /** Names by transition. */
  readonly events: Readonly<Record<Transition, string>>;
}

export interface ProposedSource {
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: readonly (string | { readonly column: string; readonly as: SourceAs })[];
}

/** Proposes a resource for a table. @param chosen names of the columns that records show; a key of one column is always shown */
export function proposeResource(
  table: CatalogueTable,
  name: string,
  chosen: readonly string[],
): ProposedResource {
  const [onlyKey] = table.key.length === 1 ? table.key : [];
  const columns = table.columns
    .filter(
      (column) => column.schema !== undefined && (column.name === onlyKey || chosen.includes(column.name)),
    )
    .map((column) => (column.name === onlyKey ? asKey(column) : column));
  const taken = new Set(columns.map((column) => column.name));
  const idMember = onlyKey ?? freeName(COMPOSITE_KEY_MEMBER, taken);
  const properties = Object.fromEntries(
    columns.map((column) => [column.name, propertyOf(column, column.name === idMember)]),
  );
  const composite = { [idMember]: { type: 'string', description: KEY_SEPARATOR_NOTE } };
  const others = columns.filter((column) => column.name !== idMember);
  return {
    name,
    description: table.description,
    id: pointerOf(idMember),
    permission: `${name}:read`,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: table.description ?? `A row of ${table.name}`,
      type: 'object',
      properties: onlyKey === undefined ? { ...composite, ...properties } : properties,
      required: [
        ...(onlyKey === undefined ? [idMember] : []),
        ...columns.filter(({ isOptional }) => !isOptional).map((column) => column.name),
      ],
      additionalProperties: false,
    },
    source: {
      table: qualifiedName(table),
      key: table.key,
      // Includes a key of one column, because an empty list would mean all columns.
      columns: columns.map(({ name: column, as }) => (as === undefined ? column : { column, as })),
    },
    filterable: [idMember, ...others.filter(isWorthFiltering).map((column) => column.name)].map(pointerOf),
    hidden: [],
    hiddenPermission: `${name}:private`,
    sortable: columns.filter(isSortable).map((column) => pointerOf(column.name)),
    events: eventsOf(name),
  };
}

/**
 * Proposes a resource for the records of a file. An import stores whole records, so members that were not chosen are stored too, and
 * hidden.
 * @param chosen names of the members that records show
 */
export function proposeFileResource(
  table: CatalogueTable,
  name: string,
  chosen: readonly string[],
): ProposedResource {
  const all = table.columns.map((column) => column.name);
  const [key = ''] = table.key;
  const hidden = all.filter((member) => member !== key && !chosen.includes(member)).map(pointerOf);
  const { filterable, sortable, ...resource } = proposeResource(table, name, all);
  const isShown = (pointer: string) => !hidden.includes(pointer);
  return {
    ...resource,
    source: undefined,
    hidden,
    filterable: filterable.filter(isShown),
    sortable: sortable.filter(isShown),
  };
}

/** Unique names of resources: the table's name, preceded by its schema's if two tables share one. */
export function resourceNames(tables: readonly CatalogueTable[]): ReadonlyMap<CatalogueTable, string> {
  const names = new Map<CatalogueTable, string>();
  const taken = new Set<string>();
  for (const table of tables) {
    const plain = resourceNameOf(table.name);
    const full = resourceNameOf(`${table.schema ?? ''}-${table.name}`);
    const name = freeName(taken.has(plain) ? full : plain, taken);
    taken.add(name);
    names.set(table, name);
  }
  return names;
}

/** Turns a text into a resource name: lower-case letters, digits and hyphens, a letter first. */
export function resourceNameOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^[-\d]+|-+$/g, '');
  return plain === '' ? 'records' : plain.slice(0, 100);
}

/** Names of the events of records with this name. */
export function eventsOf(name: string): ProposedResource['events'] {
  return { create: `${name}.created`, update: `${name}.updated`, delete: `${name}.deleted` };
}

export const pointerOf = (member: string): string => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** An id of digits is a string anyway. */
function asKey(column: CatalogueColumn): CatalogueColumn {
  return column.as === undefined ? column : { ...column, as: undefined, schema: { type: 'string' } };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  return name;
}

function propertyOf({ schema = {}, isNullable, description }: CatalogueColumn, isKey: boolean): JsonObject {
  const type = isNullable && !isKey ? nullable(schema) : schema;
  return { ...type, ...(description !== undefined && { description }) };
}

function isScalar({ schema }: CatalogueColumn): boolean {
  const type = schema?.['type'];
  return (
    typeof type === 'string' &&
    type !== 'array' &&
    type !== 'object' &&
    schema?.['contentEncoding'] === undefined &&
    schema?.['contentMediaType'] === undefined
  );
}

function isWorthFiltering(column: CatalogueColumn): boolean {
  if (!isScalar(column)) return false;
  const { schema, isIndexed, distinctCount } = column;
  const isSmall = schema?.['type'] === 'boolean' || schema?.['enum'] !== undefined;
  return (
    isIndexed || isSmall || (distinctCount !== undefined && distinctCount > 0 && distinctCount <= FEW_VALUES)
  );
}

function isSortable(column: CatalogueColumn): boolean {
  return isScalar(column) && !column.isLong && column.schema?.['type'] !== 'boolean';
}
