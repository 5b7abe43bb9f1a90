import { z } from 'zod';
import { FILTER_OPERATOR_NAMES, type OperandKind } from '../../query/filter/operator-names.ts';
import { FILTER_OPERATORS } from '../../query/filter/operators.ts';
import type { JsonObject } from '../../text/json.ts';
import type { Release } from '../release/release.ts';
import { annotate, notEmpty, withoutProtoMember } from './constraints.ts';

/** A filter in its JSON form (protocol section 6). */
type FilterModel = z.ZodType<JsonObject>;

const MEMBER_PATTERN = /^\/|^\$(?:and|or|not)$/u;

/** The operands of each kind that a release allows. */
type Operands = Readonly<Record<OperandKind, z.ZodType>>;

function createFilterModel(operands: Operands): FilterModel {
  const operators = annotate(
    z
      .strictObject(
        Object.fromEntries(
          FILTER_OPERATOR_NAMES.map((name) => [name, operands[FILTER_OPERATORS[name].operand].optional()]),
        ),
      )
      .refine((value) => Object.keys(value).length > 0, 'must name at least one operator'),
    { id: 'operators', minProperties: 1 },
  );

  const members = annotate(
    z
      .object({
        get $and() {
          return z.array(model).check(notEmpty('must hold at least one filter')).optional();
        },
        get $or() {
          return z.array(model).check(notEmpty('must hold at least one filter')).optional();
        },
        get $not() {
          return model.optional();
        },
      })
      .catchall(operators)
      .superRefine((value, context) => {
        for (const key of Object.keys(value)) {
          if (MEMBER_PATTERN.test(key)) continue;
          context.addIssue({ code: 'unrecognized_keys', keys: [key], input: value });
        }
      })
      .refine((value) => Object.keys(value).length > 0, 'must have at least one member, or be left out'),
    { minProperties: 1, propertyNames: { pattern: MEMBER_PATTERN.source } },
  );

  const model: FilterModel = annotate(withoutProtoMember(members, findDepthFault) as unknown as FilterModel, {
    id: 'filter',
  });
  return model;
}

const scalar = annotate(z.union([z.string(), z.number(), z.boolean(), z.null()]), { id: 'scalar' });
const scalars = z.array(scalar);
const anyValue = z.unknown();
const anyValues = z.array(anyValue);

/** Filters of release 2026-08-13: operands are scalars or arrays of scalars. */
const filterModel20260813 = createFilterModel({
  scalar_or_array: z.union([scalar, scalars]),
  array: scalars,
  string: z.string(),
  boolean: z.boolean(),
});

/** Filters of release 2026-08-12: operands, and the items of arrays, are any JSON values. */
const filterModel20260812 = createFilterModel({
  scalar_or_array: anyValue,
  array: anyValues,
  string: z.string(),
  boolean: z.boolean(),
});

/** Filters of each release. */
export const FILTER_MODELS: Readonly<Record<Release, FilterModel>> = {
  '2026-08-12': filterModel20260812,
  '2026-08-13': filterModel20260813,
};

/** Far above the limit of any implementation, and far below what the call stack of a browser allows. */
const MAX_DEPTH = 256;

/** Filters inside one that was shallow enough. They need no check of their own. */
const shallow = new WeakSet<object>();

/** A message if filters are nested too deep for a recursive model. */
function findDepthFault(filter: object): string | undefined {
  if (shallow.has(filter)) return undefined;
  const found: object[] = [];
  let level: object[] = [filter];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    for (const inner of level) found.push(inner);
    level = level.flatMap(innerFilters);
  }
  for (const inner of found) shallow.add(inner);
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function innerFilters(filter: object): object[] {
  const { $and, $or, $not } = filter as Readonly<Record<'$and' | '$or' | '$not', unknown>>;
  return [$and, $or]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .concat($not)
    .filter(isObject);
}
