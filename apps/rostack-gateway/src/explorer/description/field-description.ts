import type { FilterOperator, JsonValue } from 'rostack-core';

/** One member of a record, as people read it. */
export interface FieldDescription {
  /** JSON Pointer in a record; undefined inside arrays, where there is no one place. */
  readonly pointer: string | undefined;
  /** From the root, dots between, `[]` for the members of an array: `wind.speed_mps`, `tags[]`. */
  readonly path: string;
  /** 0 for the record's own members. */
  readonly depth: number;
  /** JSON Schema types, such as `integer`; empty where the schema says none. */
  readonly types: readonly string[];
  /** JSON Schema `format`, such as `date-time`. */
  readonly format: string | undefined;
  /** Whether every object that can hold the member has it. */
  readonly required: boolean;
  readonly description: string | undefined;
  /** The only values that it can have. */
  readonly values: readonly JsonValue[] | undefined;
  /** Limits in words, such as `0 to 359`. */
  readonly limits: readonly string[];
  /** Smallest number that the schema allows. */
  readonly minimum: number | undefined;
  /** Advertised operators, in the order of discovery. */
  readonly operators: readonly FilterOperator[];
  readonly sortable: boolean;
  /** Whether it holds other members. */
  readonly nested: boolean;
}
