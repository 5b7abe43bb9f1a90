import type { JsonSchema } from '../resource/resource-definition.ts';
import type { AttachedColumn } from './attachment.ts';
import type { ColumnKind } from './column-type.ts';

/** How one column becomes a member of the record. */
export interface ColumnMapping {
  readonly member: string;
  readonly kind: ColumnKind;
  readonly isArray: boolean;
  /** Numbers become text, digit for digit, because the schema says so. */
  readonly asText: boolean;
  /** NULL leaves the member out, because the schema does not admit null. */
  readonly omitsNull: boolean;
}

/** The first column is the key. */
export function columnMappings(
  columns: readonly AttachedColumn[],
  schema: JsonSchema,
): readonly ColumnMapping[] {
  return columns.map(({ member, kind, isArray }, index) => {
    const property = propertyOf(schema, member);
    const types = typesOf(property);
    const valueTypes = isArray ? typesOf(itemsOf(property)) : types;
    return {
      member,
      kind,
      isArray,
      asText: isNumeric(kind) && (index === 0 || wantsText(valueTypes)),
      omitsNull: types !== undefined && !types.has('null'),
    };
  });
}

/** What of the schema no row of these columns can ever conform to. */
export function schemaFaults(
  columns: readonly AttachedColumn[],
  mappings: readonly ColumnMapping[],
  schema: JsonSchema,
): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const members = new Set(mappings.map(({ member }) => member));
  const faults: string[] = [];
  const { required, properties, additionalProperties } = schema;
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && !members.has(name)) {
      faults.push(`the schema requires ${JSON.stringify(name)}, but no column gives it`);
    }
  }
  for (const [index, mapping] of mappings.entries()) {
    const { column = '', type = '' } = columns[index] ?? {};
    const isKnown = isObject(properties) && Object.hasOwn(properties, mapping.member);
    if (additionalProperties === false && !isKnown) {
      faults.push(
        `the schema has no ${JSON.stringify(mapping.member)}: add it, or choose columns without ${column}`,
      );
    }
    const types = typesOf(propertyOf(schema, mapping.member));
    const made = jsonTypesOf(mapping);
    if (types === undefined || made === undefined || made.some((name) => types.has(name))) continue;
    faults.push(
      `${column} (${type}) becomes a JSON ${made[0]}, but the schema wants ${[...types].join(' or ')}`,
    );
  }
  return faults;
}

/** JSON types that admit what the mapping makes, the usual one first; undefined: any may be met. */
function jsonTypesOf({ kind, isArray, asText }: ColumnMapping): readonly string[] | undefined {
  if (isArray) return ['array'];
  if (kind === 'json') return undefined;
  if (kind === 'boolean') return ['boolean'];
  return isNumeric(kind) && !asText ? ['number', 'integer'] : ['string'];
}

const NUMERIC: ReadonlySet<ColumnKind> = new Set(['number', 'float4', 'float8', 'exact']);

function isNumeric(kind: ColumnKind): boolean {
  return NUMERIC.has(kind);
}

function wantsText(types: ReadonlySet<string> | undefined): boolean {
  return types !== undefined && types.has('string') && !types.has('number') && !types.has('integer');
}

function propertyOf(schema: JsonSchema, member: string): unknown {
  if (typeof schema === 'boolean') return undefined;
  const { properties } = schema;
  return isObject(properties) && Object.hasOwn(properties, member) ? properties[member] : undefined;
}

function itemsOf(property: unknown): unknown {
  return isObject(property) ? property['items'] : undefined;
}

function typesOf(property: unknown): ReadonlySet<string> | undefined {
  const type = isObject(property) ? property['type'] : undefined;
  if (typeof type === 'string') return new Set([type]);
  return Array.isArray(type) ? new Set(type.filter((name) => typeof name === 'string')) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
