import type { FieldAt } from '../../query/pointer/field-at.ts';
import type { JsonScalar } from '../../text/json.ts';
import type { ModelOutput, RecordOf } from '../schema/record-model.ts';
import type { EventDeclaration, ResourceDeclaration } from './declaration.ts';

declare const MISTAKE: unique symbol;

/** A type that no value has. It takes the place of the type of a wrong declaration, and its parameter says what is wrong. */
export interface Mistake<Message extends string> {
  /** What is wrong, for the compiler's message. No value has this member. */
  readonly [MISTAKE]: Message;
}

type Field<RecordType, Pointer> = Pointer extends string ? FieldAt<RecordType, Pointer> : unknown;

type PointerCheck<RecordType, Pointer> = [Field<RecordType, Pointer>] extends [never]
  ? Mistake<`${Pointer & string} is not a field of the records`>
  : unknown;

/** The pointer if it leads to a field of the records, else a `Mistake`. */
export type CheckedPointer<RecordType, Pointer> = Pointer extends string
  ? unknown extends PointerCheck<RecordType, Pointer>
    ? Pointer
    : PointerCheck<RecordType, Pointer>
  : never;

type FilterableCheck<RecordType, Fields> = {
  readonly [Pointer in keyof Fields]: PointerCheck<RecordType, Pointer>;
};

type SortableCheck<RecordType, Fields> = {
  readonly [Index in keyof Fields]: PointerCheck<RecordType, Fields[Index]> extends infer Check
    ? unknown extends Check
      ? [Extract<Field<RecordType, Fields[Index]>, JsonScalar>] extends [never]
        ? unknown extends Field<RecordType, Fields[Index]>
          ? unknown
          : Mistake<`${Fields[Index] & string} is an array or an object: these have no order`>
        : unknown
      : Check
    : never;
};

type IdCheck<RecordType, Details> = Details extends { readonly id: infer Pointer }
  ? { readonly id: PointerCheck<RecordType, Pointer> }
  : // At first the compiler skips functions whose parameters have no types: nothing is known about the declaration yet.
    object extends Details
    ? unknown
    : [Field<RecordType, '/id'>] extends [never]
      ? { readonly id: Mistake<'the records have no member "id": write the pointer of their id'> }
      : unknown;

type EventsCheck<Events> = {
  readonly [Name in keyof Events]: Unknown<Events[Name], keyof EventDeclaration, 'an event'> &
    (Events[Name] extends {
      readonly carries: {
        readonly model: infer Model;
        readonly project: (...change: never) => infer Made;
      };
    }
      ? [Made] extends [ModelOutput<Model> | undefined]
        ? unknown
        : {
            readonly carries: {
              readonly project: Mistake<`${Name & string}: project gives what its model does not describe`>;
            };
          }
      : unknown);
};

/** The pointers in a filter that lead to no field. */
type UnknownPointer<RecordType, Filter> = Filter extends string | { readonly kind: string }
  ? never
  : {
      [Name in keyof Filter]: Name extends '$and' | '$or'
        ? Filter[Name] extends readonly (infer Inner)[] | undefined
          ? UnknownPointer<RecordType, Inner>
          : never
        : Name extends '$not'
          ? UnknownPointer<RecordType, Exclude<Filter[Name], undefined>>
          : [Field<RecordType, Name>] extends [never]
            ? Name & string
            : never;
    }[keyof Filter];

type VisibleCheck<RecordType, Rule> = Rule extends (...principal: never) => infer Rows
  ? [UnknownPointer<RecordType, Rows>] extends [never]
    ? unknown
    : Mistake<`${UnknownPointer<RecordType, Rows> & string} is not a field of the records`>
  : unknown;

/** Members that a declaration does not have. */
type Unknown<Declared, Known, What extends string> = {
  readonly [Name in Exclude<keyof Declared, Known>]: Mistake<`${Name & string} is not a member of ${What}`>;
};

type Checks<RecordType, Details> = {
  readonly [Name in keyof Details]: Name extends 'filterable' | 'hidden'
    ? FilterableCheck<RecordType, Details[Name]>
    : Name extends 'sortable'
      ? SortableCheck<RecordType, Details[Name]>
      : Name extends 'events'
        ? EventsCheck<Details[Name]>
        : Name extends 'visible'
          ? VisibleCheck<RecordType, Details[Name]>
          : Name extends keyof ResourceDeclaration
            ? unknown
            : Mistake<`${Name & string} is not a member of a resource`>;
} & IdCheck<RecordType, Details>;

/** What declarations of resources also have to satisfy; each mistake is replaced by the type `Mistake`. */
export type DeclarationChecks<Models, Details> = {
  readonly [Name in keyof Details]: Name extends keyof Models
    ? Checks<RecordOf<Models[Name]>, Details[Name]>
    : unknown;
};
