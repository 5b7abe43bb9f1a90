import type { JsonScalar } from '../../text/json.ts';
import type { Escaped } from '../pointer/field-at.ts';

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

type FirstToken<Pointer> = Pointer extends `/${infer Token}/${string}`
  ? Token
  : Pointer extends `/${infer Token}`
    ? Token
    : never;

/** The rest of those pointers that begin with a token. */
type After<Pointer, Token extends string> = Pointer extends `/${Token}/${infer Rest}` ? `/${Rest}` : never;

type SelectedItem<Item, Pointer, Token = FirstToken<Pointer>> = Token extends string
  ? `/${Token}` extends Pointer
    ? Item
    : Selected<Item, After<Pointer, Token>>
  : never;

type SelectedMember<Value, Pointer, Token extends string> = `/${Token}` extends Pointer
  ? Value
  : Selected<Value, After<Pointer, Token>>;

/** Names of the members that are kept: always (`sure`), or only if they hold an object or an array (`unsure`). */
type KeptName<Type, Name extends keyof Type, Pointer, Kind extends 'sure' | 'unsure'> =
  Escaped<Name> extends FirstToken<Pointer>
    ? `/${Escaped<Name>}` extends Pointer
      ? Kind extends 'sure'
        ? Name
        : never
      : [Extract<Type[Name], JsonScalar>] extends [never]
        ? Kind extends 'sure'
          ? Name
          : never
        : Kind extends 'unsure'
          ? Name
          : never
    : never;

type Selected<Value, Pointer> = Value extends JsonScalar | undefined
  ? never
  : Value extends readonly (infer Item)[]
    ? SelectedItem<Item, Pointer>[]
    : string extends keyof Value
      ? Value
      : Flat<
          {
            [Name in keyof Value as KeptName<Value, Name, Pointer, 'sure'>]: SelectedMember<
              Value[Name],
              Pointer,
              Escaped<Name>
            >;
          } & {
            [Name in keyof Value as KeptName<Value, Name, Pointer, 'unsure'>]?: SelectedMember<
              Value[Name],
              Pointer,
              Escaped<Name>
            >;
          }
        >;

/**
 * What `project` keeps of a record for some JSON Pointers. If the pointers are not known at compile time, any member may be missing.
 * @see protocol section 5, `fields`
 */
export type SelectedFields<RecordType, Pointer extends string> = string extends Pointer
  ? Partial<RecordType>
  : Selected<RecordType, Pointer>;

/** A record without the fields that some JSON Pointers lead to. */
export type WithoutFields<Value, Pointer> = [Pointer] extends [never]
  ? Value
  : string extends Pointer
    ? Value
    : Value extends JsonScalar | undefined | readonly unknown[]
      ? Value
      : {
          [Name in keyof Value as `/${Escaped<Name>}` extends Pointer ? never : Name]: WithoutFields<
            Value[Name],
            After<Pointer, Escaped<Name>>
          >;
        };
