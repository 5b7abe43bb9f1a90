import type { JsonScalar } from '../../text/json.ts';
import type { FilterOperator } from './operator-names.ts';

type Item<Field> = Field extends readonly (infer Value)[] ? Extract<Value, JsonScalar> : never;

/** The general type of a literal, such as `string` for `'open'`. */
type Widened<Value> = Value extends string ? string : Value extends number ? number : never;

/** A scalar of the field, or an array of scalars if it holds one. */
type Equal<Field> = Field extends readonly unknown[] ? readonly Item<Field>[] : Extract<Field, JsonScalar>;

/** What each operator compares a field with. */
interface Operands<Field> {
  readonly eq?: Equal<Field>;
  readonly ne?: Equal<Field>;
  readonly gt?: Widened<Field>;
  readonly gte?: Widened<Field>;
  readonly lt?: Widened<Field>;
  readonly lte?: Widened<Field>;
  readonly in?: readonly Extract<Field, JsonScalar>[];
  readonly nin?: readonly Extract<Field, JsonScalar>[];
  readonly contains?: Extract<Widened<Field>, string> | Item<Field>;
  readonly starts_with?: string;
  readonly ends_with?: string;
  readonly exists?: boolean;
}

type OperatorsOf<Field> = Field extends readonly unknown[]
  ? 'eq' | 'ne' | 'contains' | 'exists'
  : Field extends string
    ? FilterOperator
    : Field extends number
      ? 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'nin' | 'exists'
      : Field extends boolean | null
        ? 'eq' | 'ne' | 'in' | 'nin' | 'exists'
        : 'exists';

/**
 * The comparisons of a field with the operators that are declared for it; `all` means those that can match its type.
 * @see protocol section 6
 */
export type Comparisons<Field, Declared> = Pick<
  Operands<Field>,
  Declared extends readonly (infer Operator)[] ? Extract<Operator, FilterOperator> : OperatorsOf<Field>
>;

/** A filter over fields, by pointer: their comparisons, ANDed, and combinations of filters. */
export type TypedFilter<Fields> = {
  readonly [Pointer in keyof Fields]?: Fields[Pointer];
} & FilterCombinations<Fields>;

/** Filters that are made of others. */
export interface FilterCombinations<Fields> {
  /** Matches what all of these match; at least one. */
  readonly $and?: readonly TypedFilter<Fields>[];
  /** Matches what one of these matches; at least one. */
  readonly $or?: readonly TypedFilter<Fields>[];
  /** Matches what this does not match. */
  readonly $not?: TypedFilter<Fields>;
}
