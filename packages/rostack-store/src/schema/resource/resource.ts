import type { Transition } from 'rostack-core';
import type { Field, FieldPair } from './field.ts';
import type { RecordValidator } from './record-validator.ts';
import type { JsonSchema } from './resource-definition.ts';

/** A resource definition, checked and made ready. */
export interface Resource {
  readonly name: string;
  readonly idPath: readonly string[];
  readonly schema: JsonSchema;
  readonly validate: RecordValidator;
  readonly events: ReadonlyMap<string, Transition>;
  readonly eventsByTransition: ReadonlyMap<Transition, readonly { readonly name: string }[]>;
  readonly fields: readonly Field[];
  readonly compositeIndexes: readonly FieldPair<Field>[];
}
