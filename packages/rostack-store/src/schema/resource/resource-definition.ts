import {
  aString,
  expecting,
  type FilterOperator,
  listOf,
  optional,
  optionsOf,
  type Transition,
} from 'rostack-core';
import { membersOf } from '../../store/options/check-option.ts';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** An event that a resource declares for one of its transitions. */
export interface EventDefinition {
  /** Such as `station.created`; a change may name it. */
  readonly name: string;
  /** The transition that it is for: `create`, `update` or `delete`. */
  readonly transition: Transition;
}

/** What the store has to know about a resource. */
export interface ResourceDefinition {
  /** `^[a-z][a-z0-9-]*$`; the store keeps the resource's data under it. */
  readonly name: string;
  /** Every record is validated against it before it is written. */
  readonly schema: JsonSchema;
  /**
   * JSON Pointer of the member that holds a record's id: a string, or an integer from -(2^53 - 1) to 2^53 - 1. The store identifies a
   * record by the text of its id: if the schema allows both types, 42 and "42" are the same record.
   */
  readonly idPointer: string;
  /** A change logs the only event for its transition unless it names one. @default none */
  readonly events?: readonly EventDefinition[] | undefined;
  /** JSON Pointer of each field that pages can be filtered by, with its operators. @default none */
  readonly filterableFields?: Readonly<Record<string, readonly FilterOperator[]>> | undefined;
  /** JSON Pointers of the fields that pages can be sorted by; a string in them takes at most 1,024 bytes. @default none */
  readonly sortableFields?: readonly string[] | undefined;
}

/** An index for pages that are filtered by one value of a field and sorted by another field, up or down. */
export interface CompositeIndex {
  /** JSON Pointer of the field that is filtered with `eq`; it has to be filterable by that. */
  readonly equal: string;
  /** JSON Pointer of the sortable field that pages are sorted by, first or only. */
  readonly sort: string;
}

export const compositeIndex = optionsOf<CompositeIndex>({ equal: aString, sort: aString });

const aSchema = expecting(
  'a JSON Schema: an object, true or false',
  (value) =>
    typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
);

/** Checks only its shape; names, pointers and operators are checked where they are read. */
export const resourceDefinition = optionsOf<ResourceDefinition>({
  name: aString,
  schema: aSchema,
  idPointer: aString,
  events: optional(listOf(optionsOf<EventDefinition>({ name: aString, transition: aString }))),
  filterableFields: optional(membersOf(listOf(aString))),
  sortableFields: optional(listOf(aString)),
});
