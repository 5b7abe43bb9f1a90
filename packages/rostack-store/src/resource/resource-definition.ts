import type { FilterOperator, Transition } from 'rostack-core';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** An event that a resource declares for one of its transitions. */
export interface EventDefinition {
  readonly name: string;
  readonly transition: Transition;
}

/** What the store has to know of a resource. */
export interface ResourceDefinition {
  /** `^[a-z][a-z0-9-]*$`; the store keeps the resource's data under it. */
  readonly name: string;
  /** Every record is validated against it before it is written. */
  readonly schema: JsonSchema;
  /** JSON Pointer of the member that holds a record's id: a string. */
  readonly idPointer: string;
  /** A change takes the one event of its transition unless it names one. @default none */
  readonly events?: readonly EventDefinition[] | undefined;
  /** JSON Pointer of each field that pages can be filtered by, with its operators. @default none */
  readonly filterableFields?: Readonly<Record<string, readonly FilterOperator[]>> | undefined;
  /** JSON Pointers of the fields that pages can be sorted by; a string in them takes at most 1,024 bytes. @default none */
  readonly sortableFields?: readonly string[] | undefined;
}
