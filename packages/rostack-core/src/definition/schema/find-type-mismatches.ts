import type { Filter, FilterComparison } from '../../query/filter/filter.ts';
import type { FilterOperator } from '../../query/filter/operator-names.ts';
import type { FilterOperand } from '../../query/filter/operators.ts';
import type { JsonSchema } from '../../schema/graph/json-schema.ts';
import { isArray, type JsonScalar, type JsonType } from '../../text/json.ts';
import { fieldTypes } from './field-types.ts';

/** A comparison of a field with a value of a type that the field never has: it matches nothing, or with `ne` and `nin` everything. */
export interface TypeMismatch {
  /** JSON Pointer of the field. */
  readonly pointer: string;
  /** The operator that compares it. */
  readonly operator: FilterOperator;
  /** What it is compared with. */
  readonly operand: FilterOperand;
  /** JSON types that the field has by the schema. */
  readonly types: readonly JsonType[];
}

/**
 * The comparisons of a filter that cannot mean what was intended, such as `gt: "50"` on a number: no type converts to another.
 * @param schema of the records, bundled
 */
export function findTypeMismatches(filter: Filter, schema: JsonSchema): readonly TypeMismatch[] {
  switch (filter.kind) {
    case 'comparison':
      return mismatchOf(filter, schema);
    case 'not':
      return findTypeMismatches(filter.filter, schema);
    default:
      return filter.filters.flatMap((part) => findTypeMismatches(part, schema));
  }
}

function mismatchOf({ pointer, operator, operand }: FilterComparison, schema: JsonSchema): TypeMismatch[] {
  const types = fieldTypes(schema, pointer);
  if (types === undefined || operator === 'exists') return [];
  // An array has members of any type, and may be compared whole.
  if (types.has('array') || types.has('object')) return [];
  const isList = operator === 'in' || operator === 'nin';
  const operands = isList && isArray(operand) ? operand : [operand];
  const fits = operands.some((each) => each === null || types.has(typeOf(each)));
  return fits || operands.length === 0 ? [] : [{ pointer, operator, operand, types: [...types] }];
}

function typeOf(operand: FilterOperand): JsonType {
  return isArray(operand) ? 'array' : (typeof (operand as Exclude<JsonScalar, null>) as JsonType);
}
