import type { Comparisons } from '../query/filter/typed-filter.ts';
import type { FieldAt } from '../query/pointer/field-at.ts';
import type { WithoutFields } from '../query/projection/selected-fields.ts';
import type { Transition } from '../record/change.ts';
import type { ModelOutput, RecordOf } from './schema/record-model.ts';

/** What the compiler knows about an event. */
export interface EventTypes {
  /** What happened to the record, as a literal type. */
  readonly transition: Transition;
  /** `undefined` for an event without data. */
  readonly data: unknown;
}

/** What the compiler knows about a resource. */
export interface ResourceTypes {
  /** As it is stored. */
  readonly record: object;
  /** As `application/json` shows it: without hidden fields. */
  readonly shown: object;
  /** Comparisons by JSON Pointer of the field. */
  readonly filterable: object;
  /** JSON Pointers. */
  readonly sortable: string;
  /** By event name. */
  readonly events: Readonly<Record<string, EventTypes>>;
  /** Further representations by media type: the record that a renderer is given, and what it makes. */
  readonly representations: Readonly<
    Record<
      string,
      {
        /** The record that the renderer is given: with the hidden fields that the representation may show. */
        readonly from: object;
        /** What the renderer makes, by the representation's model. */
        readonly to: unknown;
      }
    >
  >;
}

/** What the compiler knows about the resources of an implementation, by name. */
export type ImplementationTypes = Readonly<Record<string, ResourceTypes>>;

/** Something whose types the compiler knows, such as an `ImplementationDefinition`. */
export interface Typed<Types> {
  /** Never present at run time. */
  readonly '~types'?: Types | undefined;
}

/** The types of an implementation, such as `typeof implementation`. */
export type TypesOf<Implementation> =
  Implementation extends Typed<infer Types>
    ? Types extends ImplementationTypes
      ? Types
      : ImplementationTypes
    : ImplementationTypes;

type Member<Details, Name extends string, Absent> = Details extends { readonly [Key in Name]: infer Value }
  ? Value
  : Absent;

/** The pointers that are known at compile time. A declaration of type `ResourceDeclaration` has none. */
type Pointers<Details, Name extends string> =
  Member<Details, Name, unknown> extends readonly (infer Pointer)[] ? Pointer & string : never;

type HiddenPointer<Details> = keyof Member<Details, 'hidden', unknown> & string;

/** The hidden fields that stay hidden with these permissions. */
type StillHidden<Hidden, Permission> = {
  [Pointer in keyof Hidden]: Hidden[Pointer] extends readonly (infer Needed)[]
    ? [Exclude<Needed, Permission>] extends [never]
      ? never
      : Pointer
    : never;
}[keyof Hidden];

type EventDataOf<Event, Shown> =
  Member<Event, 'carries', 'record'> extends infer Carries
    ? Carries extends 'record'
      ? Shown
      : Carries extends { readonly model: infer Model; readonly project: (...change: never) => infer Made }
        ? ModelOutput<Model> | Extract<Made, undefined>
        : undefined
    : never;

type EventsOf<Events, Shown> = {
  readonly [Name in keyof Events & string]: {
    readonly transition: Extract<Member<Events[Name], 'transition', Transition>, Transition>;
    readonly data: EventDataOf<Events[Name], Shown>;
  };
};

type RepresentationsOf<Representations, RecordType, Hidden> = Representations extends readonly (infer Each)[]
  ? {
      readonly [Declared in Each as Member<Declared, 'mediaType', never> & string]: {
        readonly from: WithoutFields<RecordType, StillHidden<Hidden, Pointers<Declared, 'permissions'>>>;
        readonly to: ModelOutput<Member<Declared, 'model', never>>;
      };
    }
  : {};

/** The types of one resource by its model and the literal types of its declaration. */
export type DeclaredTypes<Model, Details> = {
  readonly record: RecordOf<Model>;
  readonly shown: WithoutFields<RecordOf<Model>, HiddenPointer<Details>>;
  readonly filterable: {
    readonly [Pointer in keyof Member<Details, 'filterable', {}> & string]: Comparisons<
      FieldAt<RecordOf<Model>, Pointer>,
      Member<Details, 'filterable', {}>[Pointer]
    >;
  };
  readonly sortable: Pointers<Details, 'sortable'>;
  readonly events: EventsOf<
    Member<Details, 'events', {}>,
    WithoutFields<RecordOf<Model>, HiddenPointer<Details>>
  >;
  readonly representations: RepresentationsOf<
    Member<Details, 'representations', undefined>,
    RecordOf<Model>,
    Member<Details, 'hidden', {}>
  >;
};
